/** The form of a new task, which can be tried as a dry run. Files are uploaded after the task is created. */
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { handleSubmit, TextAreaField } from '../../parts/form.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { serviceErrorAt } from '../../parts/problem/field-errors.ts'
import { TryAgain } from '../../parts/problem/try-again.tsx'
import { useDraft } from '../../state/drafts.ts'
import { useClient } from '../../state/session.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useResource } from '../../state/use-resource.ts'
import { go, currentRoute } from '../../state/use-route.ts'
import { useTitle } from '../../state/use-title.ts'
import { OptionalFields } from './optional-fields.tsx'
import {
  taskBodyOf,
  EMPTY_TASK,
  GOAL_MAX,
  goalLength,
  offersDataset,
  type TaskDraft,
  type DraftForm,
} from './task-draft.ts'
import { DriveField } from './drive-field.tsx'
import { DryRunNote } from './dry-run.tsx'
import { fileNamesFor } from '../../api/file-names.ts'
import { FileField } from './file-field.tsx'
import { beginJob, UPLOAD_JOBS, forgetJob, NO_JOBS, type UploadJob } from './upload-jobs.ts'
import { ModeField } from './mode-field.tsx'
import { ModelField } from './model-field.tsx'
import type { ModelList } from '../../api/wire.ts'
import { newUpload, type ChosenFile } from '../../api/upload-files.ts'
import { SettingFields } from './setting-fields.tsx'
import { specsOf } from './setting-specs.ts'
import { UploadView } from './upload-view.tsx'
import { useTaskSender } from './use-task-sender.ts'
import './new-task.css'

const WORDS = wordTable({
  title: ['New task', '新任务'],
  goal: ['Goal', '目标'],
  goalHelp: [
    (count: number) => `What is to be done, in English or Chinese. ${count} of ${GOAL_MAX} characters`,
    (count) => `用中文或英文说明要做什么。${count} / ${GOAL_MAX} 字`,
  ],
  create: ['Create the task', '创建任务'],
  dry: ['Dry run', '试运行'],
  discard: ['Empty the form', '清空表单'],
  errors: [
    {
      number: 'This is no number.',
      json: 'This is no JSON.',
      twice: 'Two labels have the same name.',
      unread: 'The settings that you entered cannot be sent before they have been read from the service.',
    },
    {
      number: '这不是数字。',
      json: '这不是合法的 JSON。',
      twice: '有两个标签同名。',
      unread: '尚未从服务读取设置项，您填写的设置暂时无法发送。',
    },
  ],
  settings: [
    'The settings could not be read from the service; a task can be made without them.',
    '未能从服务读取设置项；不填也可以创建任务。',
  ],
})

export function NewTaskView() {
  const words = useWords(WORDS)
  useTitle(words.title)
  const client = useClient()
  const [job = null] = useDraft(UPLOAD_JOBS, NO_JOBS).value
  useGoToTask(job)
  if (job !== null)
    return (
      <UploadView job={job} again={() => void beginJob(client, job.id, job.uploads)} leave={() => forgetJob(job.id)} />
    )
  return (
    <TaskForm
      onCreate={(id, chosen) => {
        if (chosen.length > 0) void beginJob(client, id, chosen.map(newUpload))
        // A reader who has left this view meanwhile stays where they are.
        else if (currentRoute().view === 'new') go({ view: 'task', id, tab: 'activity' })
      }}
    />
  )
}

/** Goes to the task when its uploads are finished or forgotten. */
function useGoToTask(job: UploadJob | null): void {
  const id = useRef<string | null>(null)
  useEffect(() => {
    if (job === null && id.current !== null) go({ view: 'task', id: id.current, tab: 'activity' })
    id.current = job?.id ?? null
  }, [job])
}

interface TaskEntries {
  draft: TaskDraft
  files: File[]
  /** Whether the only file is the dataset of the task, if the form asks that. */
  isDataset: boolean
}
const NO_ENTRIES: TaskEntries = { draft: EMPTY_TASK, files: [], isDataset: true }

function useEntries() {
  const { value, change, clear, isTouched } = useDraft('new', NO_ENTRIES)
  const { draft, files, isDataset } = value
  const names = fileNamesFor(files.map(({ name }) => name))
  return {
    draft,
    names,
    isDataset,
    chosen: files.map((file, index) => ({ file, name: names[index] ?? file.name })),
    isTouched,
    clear,
    /** Empties the form, unless it was changed while it was sent. */
    clearSent: () => change((now) => (now === value ? NO_ENTRIES : now)),
    change: (part: Partial<TaskDraft>) => change((before) => ({ ...before, draft: { ...before.draft, ...part } })),
    choose: (chosen: File[]) => change((before) => ({ ...before, files: chosen })),
    setDataset: (is: boolean) => change((before) => ({ ...before, isDataset: is })),
  }
}

function TaskForm({ onCreate }: { onCreate: (id: string, chosen: readonly ChosenFile[]) => void }) {
  const words = useWords(WORDS)
  const document = useResource<unknown>('/openapi.json')
  const models = useResource<ModelList>('/models')
  const entries = useEntries()
  const { draft, names, chosen, isDataset } = entries
  const specs = specsOf(document.value)
  const sender = useTaskSender(taskBodyOf(draft, specs, names, isDataset), (id) => {
    entries.clearSent()
    onCreate(id, chosen)
  })
  const form: DraftForm = {
    draft,
    change: entries.change,
    errorAt: (pointer) => {
      const own = sender.errors[pointer]
      return own === undefined ? serviceErrorAt(sender.problem, pointer) : words.errors[own]
    },
  }
  return (
    <form ref={sender.form} class="new stack" noValidate onSubmit={handleSubmit(sender.create)}>
      <h1>{words.title}</h1>
      <Goal form={form} />
      <ModeField mode={draft.mode} choose={(mode) => form.change({ mode })} />
      <FileField
        chosen={chosen}
        choose={entries.choose}
        isBackground={draft.drive === 'background'}
        dataset={offersDataset(draft, names) ? isDataset : null}
        setDataset={entries.setDataset}
      />
      <DriveField form={form} hasFiles={chosen.length > 0} />
      {models.value !== null && <ModelField list={models.value} form={form} />}
      {document.problem !== null && <p class="soft">{words.settings}</p>}
      {document.problem !== null && <TryAgain of={document} />}
      {specs.length === 0 && form.errorAt('/settings') !== null && (
        <p class="field-error" role="alert">
          {form.errorAt('/settings')}
        </p>
      )}
      {specs.length > 0 && <SettingFields specs={specs} models={models.value?.data ?? []} form={form} />}
      <OptionalFields form={form} />
      <ProblemNote problem={sender.problem} />
      <Sending sender={sender} entries={entries} />
      {sender.dryRun !== null && <DryRunNote dryRun={sender.dryRun} />}
    </form>
  )
}

function Goal({ form: { draft, change, errorAt: error } }: { form: DraftForm }) {
  const words = useWords(WORDS)
  return (
    <TextAreaField
      label={words.goal}
      help={words.goalHelp(goalLength(draft.goal))}
      error={error('/goal')}
      rows={4}
      value={draft.goal}
      change={(goal) => change({ goal })}
    />
  )
}

interface SendingProps {
  sender: ReturnType<typeof useTaskSender>
  entries: Pick<ReturnType<typeof useEntries>, 'isTouched' | 'clear'>
}

function Sending({ sender, entries }: SendingProps) {
  const words = useWords(WORDS)
  const discard = () => {
    entries.clear()
    sender.forget()
    // The button is gone with the entries.
    sender.form.current?.querySelector('textarea')?.focus()
  }
  return (
    <div class="row new-send">
      <Button kind="main" type="submit" busy={sender.creating}>
        {words.create}
      </Button>
      <Button busy={sender.trying} onClick={() => void sender.tryOut()}>
        {words.dry}
      </Button>
      <CopyCurl request={sender.request} of={words.create} />
      {entries.isTouched && (
        <Button kind="quiet" onClick={discard}>
          {words.discard}
        </Button>
      )}
    </div>
  )
}

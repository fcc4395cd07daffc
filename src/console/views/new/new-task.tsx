/** A new task: what is to be done and how, tried as a dry run or made; with files it is made first, then they are put. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { post } from '../../api/request.ts'
import type { DryRun, Problem, TaskView } from '../../api/wire.ts'
import { Button } from '../../parts/button.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { Field } from '../../parts/field.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { useWords } from '../../state/preferences.tsx'
import { useAction } from '../../state/use-action.ts'
import { useResource } from '../../state/use-resource.ts'
import { go } from '../../state/use-route.ts'
import { About } from './about.tsx'
import { bodyOf, EMPTY, flawAt, GOAL_MAX, lengthOf, offersDataset, type Draft, type Flaws } from './draft.ts'
import { Drive } from './drive.tsx'
import { Forecast } from './dry-run.tsx'
import { fittingNames } from '../../api/file-names.ts'
import { Files } from './files.tsx'
import type { Form } from './form.ts'
import { Modes } from './modes.tsx'
import type { Chosen } from '../../api/put-files.ts'
import { Settings } from './settings.tsx'
import { specsOf } from './setting-specs.ts'
import { Uploading } from './uploading.tsx'
import './new-task.css'

const WORDS = {
  en: {
    title: 'New task',
    goal: 'Goal',
    goalHelp: (count: number) => `What is to be done, in English or Chinese. ${count} of ${GOAL_MAX} characters`,
    create: 'Create the task',
    dry: 'Dry run',
    flaws: { number: 'This is no number.', json: 'This is no JSON.', twice: 'Two labels have the same name.' },
    settings: 'The settings could not be read from the service; a task can be made without them.',
  },
  zh: {
    title: '新任务',
    goal: '目标',
    goalHelp: (count: number) => `用中文或英文说明要做什么。${count} / ${GOAL_MAX} 字`,
    create: '创建任务',
    dry: '试运行',
    flaws: { number: '这不是数字。', json: '这不是合法的 JSON。', twice: '有两个标签同名。' },
    settings: '未能从服务读取设置项；不填也可以创建任务。',
  },
}

export function NewTaskView() {
  const words = useWords(WORDS)
  const { value: document, problem: unread } = useResource<unknown>('/openapi.json')
  const [draft, set] = useState<Draft>(EMPTY)
  const [files, setFiles] = useState<File[]>([])
  const [isDataset, setDataset] = useState(true)
  const specs = specsOf(document)
  const names = fittingNames(files.map(({ name }) => name))
  const chosen = files.map((file, index) => ({ file, name: names[index] ?? file.name }))
  const made = bodyOf(draft, specs, names, isDataset)
  const sender = useSending(made.flaws, made.body, chosen)
  const form: Form = {
    draft,
    change: (part) => set((before) => ({ ...before, ...part })),
    flaw: (pointer) => {
      const own = sender.flaws[pointer]
      return own === undefined ? flawAt(sender.problem, pointer) : words.flaws[own]
    },
  }
  if (sender.uploading !== null) return <Uploading id={sender.uploading.id} chosen={sender.uploading.chosen} />
  return (
    <form
      ref={sender.form}
      class="new stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void sender.create()
      }}
    >
      <h1>{words.title}</h1>
      <Field label={words.goal} help={words.goalHelp(lengthOf(draft.goal))} flaw={form.flaw('/goal')}>
        {(ties) => (
          <textarea
            {...ties}
            rows={4}
            value={draft.goal}
            onInput={({ currentTarget }) => form.change({ goal: currentTarget.value })}
          />
        )}
      </Field>
      <Modes mode={draft.mode} choose={(mode) => form.change({ mode })} />
      <Files
        chosen={chosen}
        choose={setFiles}
        isBackground={draft.drive === 'background'}
        dataset={offersDataset(draft, names) ? isDataset : null}
        setDataset={setDataset}
      />
      <Drive form={form} hasFiles={files.length > 0} />
      {unread !== null && <p class="soft">{words.settings}</p>}
      {specs.length > 0 && <Settings specs={specs} form={form} />}
      <About form={form} />
      <ProblemNote problem={sender.problem} />
      <div class="row new-send">
        <Button kind="main" type="submit" busy={sender.creating}>
          {words.create}
        </Button>
        <Button busy={sender.trying} onClick={() => void sender.dryRun()}>
          {words.dry}
        </Button>
        <CopyCurl request={sender.request} of={words.create} />
      </div>
      {sender.planned !== null && <Forecast planned={sender.planned} />}
    </form>
  )
}

/** Sends the body, for good or as a dry run; flaws are told when it is to be sent, not while it is being typed. */
function useSending(flaws: Flaws, body: Record<string, unknown>, chosen: readonly Chosen[]) {
  const [create, dry] = [useAction(), useAction()]
  const [told, tell] = useState<Flaws>({})
  const [tried, plan] = useState<{ of: string; planned: DryRun } | null>(null)
  const [uploading, upload] = useState<{ id: string; chosen: readonly Chosen[] } | null>(null)
  const problem = create.problem ?? dry.problem
  const form = useFocusOnFlaw(problem, told)
  const request = post('/tasks', body)
  const text = JSON.stringify(body)
  const begins = () => {
    create.clear()
    dry.clear()
    tell(flaws)
    return Object.keys(flaws).length === 0
  }
  return {
    form,
    request,
    problem,
    flaws: told,
    // Not of what has been changed since.
    planned: tried?.of === text ? tried.planned : null,
    uploading,
    creating: create.busy,
    trying: dry.busy,
    async create() {
      if (!begins()) return
      const answer = await create.run<TaskView>(request)
      if (answer?.ok !== true) return
      if (chosen.length > 0) upload({ id: answer.value.id, chosen })
      else go({ view: 'task', id: answer.value.id, tab: 'activity' })
    },
    async dryRun() {
      if (!begins()) return
      const answer = await dry.run<DryRun>(post('/tasks?dry_run=true', body))
      plan(answer?.ok === true ? { of: text, planned: answer.value } : null)
    },
  }
}

/** Whoever sent something that was refused is led to the first field with a flaw. */
function useFocusOnFlaw(problem: Problem | null, flaws: Flaws) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (problem === null && Object.keys(flaws).length === 0) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problem, flaws])
  return form
}

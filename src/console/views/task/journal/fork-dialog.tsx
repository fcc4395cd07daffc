/** The dialog that forks the task after a row, with other limits or another outcome of that row. */
import { useId, useState } from 'preact/hooks'
import { traitsOf } from '../../../api/mode-traits.ts'
import { taskPath, post } from '../../../api/request.ts'
import type { JournalEntry, Page, TaskView } from '../../../api/wire.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { handleSubmit, InputField, TextAreaField } from '../../../parts/form.tsx'
import { ProblemNote } from '../../../parts/problem/problem.tsx'
import { TryAgain } from '../../../parts/problem/try-again.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { useAction } from '../../../state/use-action.ts'
import { useMounted } from '../../../state/use-mounted.ts'
import { useResource, type Resource } from '../../../state/use-resource.ts'
import { go } from '../../../state/use-route.ts'
import { useTask } from '../task-context.tsx'
import { forkBody, type ForkField, type ForkForm } from './fork.ts'
import { rowRequest } from './row-body.tsx'
import { isEditable } from './rows.ts'

const WORDS = wordTable({
  title: [(seq: number) => `Fork after row ${seq}`, (seq) => `在第 ${seq} 行之后分叉`],
  what: [
    'A new task begins in the state after this row. Nothing is run until you step it, whoever drives this task, and no callback is told of it. Empty fields stay as they are.',
    '新任务从这一行之后的状态开始。无论当前任务由谁推进，在您推进之前不会执行任何操作，也不会通知任何回调地址。留空的项保持不变。',
  ],
  drive: ['Let the service drive it: it begins at once', '由服务推进：立即开始'],
  edit: ['Have the row say something else', '改写这一行的结果'],
  outcome: ['Its outcome, as JSON', '结果（JSON）'],
  reading: ['Reading what the row says …', '正在读取这一行的内容……'],
  notJson: ['This is no JSON.', '这不是合法的 JSON。'],
  fork: ['Fork', '分叉'],
  close: ['Close', '关闭'],
  now: [(value: string) => `now: ${value}`, (value) => `现为：${value}`],
  none: ['none', '无'],
  standard: ['that of the service', '服务的默认模型'],
})
const FIELD_WORDS = wordTable<Record<ForkField, string>>({
  max_steps: ['Steps at most', '步数上限'],
  max_iterations: ['Iterations at most', '迭代次数上限'],
  max_tokens: ['Tokens at most', 'token 上限'],
  max_cost_usd: ['US dollars at most', '费用上限（美元）'],
  model: ['Model', '模型'],
  temperature: ['Temperature', '温度'],
})

export function ForkDialog({ row, onClose }: { row: JournalEntry; onClose: () => void }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const { busy, problem, run } = useAction()
  const mounted = useMounted()
  const reading = useResource<Page<JournalEntry>>(rowRequest(task.id, row.seq).path)
  const whole = reading.value?.data[0] ?? null
  const [changes, setChanges] = useState<Partial<ForkForm>>({})
  const form: ForkForm = { edit: false, outcome: JSON.stringify(whole?.reply ?? {}, null, 2), ...changes }
  const body = forkBody(row.seq, form)
  const request = body === null ? null : post(taskPath(task.id, 'fork'), body)
  const submit = async () => {
    const answer = request === null ? null : await run<TaskView>(request)
    if (answer?.ok === true && mounted.current) go({ view: 'task', id: answer.value.id, tab: 'activity' })
  }
  return (
    <Dialog title={words.title(row.seq)} onClose={onClose}>
      <form class="stack" onSubmit={handleSubmit(submit)}>
        <p class="soft small">{words.what}</p>
        <ForkSettings form={form} change={(name, text) => setChanges({ ...changes, [name]: text })} />
        {isEditable(row) && whole === null && <ReadingNote reading={reading} />}
        {isEditable(row) && whole !== null && (
          <OutcomeEditor form={form} isJson={body !== null} change={(part) => setChanges({ ...changes, ...part })} />
        )}
        <CheckBox
          label={words.drive}
          checked={form.isDriven === true}
          change={(isDriven) => setChanges({ ...changes, isDriven })}
        />
        <ProblemNote problem={problem} />
        <div class="row">
          <Button kind="main" type="submit" busy={busy} disabled={request === null}>
            {words.fork}
          </Button>
          <Button onClick={onClose}>{words.close}</Button>
          <span class="push">{request !== null && <CopyCurl request={request} of={words.fork} />}</span>
        </div>
      </form>
    </Dialog>
  )
}

/** An edit begins with the current outcome of the row, so the row has to be read first. */
function ReadingNote({ reading }: { reading: Resource<unknown> }) {
  const words = useWords(WORDS)
  return reading.problem === null ? <p class="soft small">{words.reading}</p> : <TryAgain of={reading} />
}

function ForkSettings({ form, change }: { form: ForkForm; change: (name: ForkField, text: string) => void }) {
  const words = useWords(WORDS)
  const labels = useWords(FIELD_WORDS)
  const { task } = useTask()
  const names = [traitsOf(task.mode).counts, 'max_tokens', 'max_cost_usd', 'model', 'temperature'] as const
  return (
    <div class="journal-settings">
      {names.map((name) => (
        <InputField
          key={name}
          label={labels[name]}
          help={words.now(String(task.settings[name] ?? (name === 'model' ? words.standard : words.none)))}
          inputMode={name === 'model' ? 'text' : 'decimal'}
          autocomplete="off"
          value={form[name] ?? ''}
          change={(text) => change(name, text)}
        />
      ))}
    </div>
  )
}

function OutcomeEditor(props: { form: ForkForm; isJson: boolean; change: (part: Partial<ForkForm>) => void }) {
  const words = useWords(WORDS)
  const { form, isJson, change } = props
  return (
    <>
      <CheckBox label={words.edit} checked={form.edit} change={(edit) => change({ edit })} />
      {form.edit && (
        <TextAreaField
          label={words.outcome}
          error={isJson ? null : words.notJson}
          class="journal-outcome"
          rows={10}
          spellcheck={false}
          value={form.outcome}
          change={(outcome) => change({ outcome })}
        />
      )}
    </>
  )
}

function CheckBox({ label, checked, change }: { label: string; checked: boolean; change: (checked: boolean) => void }) {
  const id = useId()
  return (
    <div class="row">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />
      <label for={id}>{label}</label>
    </div>
  )
}

/** The dialog that forks the task after a row, with other limits or another outcome of that row. */
import { useId, useState } from 'preact/hooks'
import { traitsOf } from '../../../api/mode-traits.ts'
import { taskPath, post } from '../../../api/request.ts'
import type { JournalEntry, Page, TaskView } from '../../../api/wire.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Field } from '../../../parts/field.tsx'
import { ProblemNote } from '../../../parts/problem/problem.tsx'
import { TryAgain } from '../../../parts/problem/try-again.tsx'
import { useWords } from '../../../state/preferences.tsx'
import { useAction } from '../../../state/use-action.ts'
import { useMounted } from '../../../state/use-mounted.ts'
import { useResource, type Resource } from '../../../state/use-resource.ts'
import { go } from '../../../state/use-route.ts'
import { useTask } from '../task-context.tsx'
import { forkBody, type ForkField, type ForkForm } from './fork.ts'
import { rowRequest } from './row-body.tsx'
import { isEditable } from './rows.ts'

const WORDS = {
  en: {
    title: (seq: number) => `Fork after row ${seq}`,
    what: 'A new task begins in the state after this row. Nothing is run until it is stepped. Empty fields stay as they are.',
    edit: 'Have the row say something else',
    outcome: 'Its outcome, as JSON',
    reading: 'Reading what the row says …',
    notJson: 'This is no JSON.',
    fork: 'Fork',
    close: 'Close',
    now: (value: string) => `now: ${value}`,
    none: 'none',
    standard: 'that of the service',
    fields: {
      max_steps: 'Steps at most',
      max_iterations: 'Iterations at most',
      max_tokens: 'Tokens at most',
      max_cost_usd: 'US dollars at most',
      model: 'Model',
      temperature: 'Temperature',
    } satisfies Record<ForkField, string>,
  },
  zh: {
    title: (seq: number) => `在第 ${seq} 行之后分叉`,
    what: '新任务从这一行之后的状态开始，推进之前不会执行任何操作。留空的项保持不变。',
    edit: '改写这一行的结果',
    outcome: '结果（JSON）',
    reading: '正在读取这一行的内容……',
    notJson: '这不是合法的 JSON。',
    fork: '分叉',
    close: '关闭',
    now: (value: string) => `现为：${value}`,
    none: '无',
    standard: '服务的默认模型',
    fields: {
      max_steps: '步数上限',
      max_iterations: '迭代次数上限',
      max_tokens: 'token 上限',
      max_cost_usd: '费用上限（美元）',
      model: '模型',
      temperature: '温度',
    } satisfies Record<ForkField, string>,
  },
}
const EMPTY: ForkForm = {
  max_steps: '',
  max_iterations: '',
  max_tokens: '',
  max_cost_usd: '',
  model: '',
  temperature: '',
  edit: false,
  outcome: '',
}

export function ForkDialog({ row, onClose }: { row: JournalEntry; onClose: () => void }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const { busy, problem, run } = useAction()
  const mounted = useMounted()
  const reading = useResource<Page<JournalEntry>>(rowRequest(task.id, row.seq).path)
  const whole = reading.value?.data[0] ?? null
  const [changes, setChanges] = useState<Partial<ForkForm>>({})
  const form: ForkForm = { ...EMPTY, outcome: JSON.stringify(whole?.reply ?? {}, null, 2), ...changes }
  const body = forkBody(row.seq, form)
  const request = body === null ? null : post(taskPath(task.id, 'fork'), body)
  const submit = async () => {
    const answer = request === null ? null : await run<TaskView>(request)
    if (answer?.ok === true && mounted.current) go({ view: 'task', id: answer.value.id, tab: 'activity' })
  }
  return (
    <Dialog title={words.title(row.seq)} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <p class="soft small">{words.what}</p>
        <ForkSettings form={form} change={(name, text) => setChanges({ ...changes, [name]: text })} />
        {isEditable(row) && whole === null && <ReadingNote reading={reading} />}
        {isEditable(row) && whole !== null && (
          <OutcomeEditor form={form} isJson={body !== null} change={(part) => setChanges({ ...changes, ...part })} />
        )}
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
function ReadingNote({ reading: { problem, loading, refresh } }: { reading: Resource<unknown> }) {
  const words = useWords(WORDS)
  if (problem === null) return <p class="soft small">{words.reading}</p>
  return <TryAgain of={{ problem, busy: loading, again: refresh }} />
}

function ForkSettings({ form, change }: { form: ForkForm; change: (name: ForkField, text: string) => void }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const names = [traitsOf(task.mode).counts, 'max_tokens', 'max_cost_usd', 'model', 'temperature'] as const
  return (
    <div class="journal-settings">
      {names.map((name) => (
        <Field
          key={name}
          label={words.fields[name]}
          help={words.now(String(task.settings[name] ?? (name === 'model' ? words.standard : words.none)))}
        >
          {(attributes) => (
            <input
              {...attributes}
              inputMode={name === 'model' ? 'text' : 'decimal'}
              autocomplete="off"
              value={form[name]}
              onInput={({ currentTarget }) => change(name, currentTarget.value)}
            />
          )}
        </Field>
      ))}
    </div>
  )
}

function OutcomeEditor(props: { form: ForkForm; isJson: boolean; change: (part: Partial<ForkForm>) => void }) {
  const words = useWords(WORDS)
  const id = useId()
  const { form, isJson, change } = props
  return (
    <>
      <div class="row">
        <input
          id={id}
          type="checkbox"
          checked={form.edit}
          onChange={({ currentTarget }) => change({ edit: currentTarget.checked })}
        />
        <label for={id}>{words.edit}</label>
      </div>
      {form.edit && (
        <Field label={words.outcome} error={isJson ? null : words.notJson}>
          {(attributes) => (
            <textarea
              {...attributes}
              class="journal-outcome"
              rows={10}
              spellcheck={false}
              value={form.outcome}
              onInput={({ currentTarget }) => change({ outcome: currentTarget.value })}
            />
          )}
        </Field>
      )}
    </>
  )
}

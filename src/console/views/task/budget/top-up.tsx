/** The form that tops up one budget axis. The axis that ran out is chosen at first. */
import { useState } from 'preact/hooks'
import { taskPath, post } from '../../../api/request.ts'
import { handleSubmit, InputField, SelectField } from '../../../parts/form.tsx'
import { ActionNote } from '../../../parts/problem/action-note.tsx'
import { RequestButton } from '../../../parts/request-button.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import type { BudgetAxis } from '../../../parts/stop-reasons.ts'
import { useTask, useTaskAction } from '../task-context.tsx'
import { addOf, axesOf } from './amounts.ts'
import './budget.css'

const WORDS = wordTable({
  of: ['More of', '追加'],
  amount: ['Amount', '数量'],
  add: ['Top up', '追加预算'],
  added: ['It has been added.', '已追加。'],
  steps: ['steps', '步数'],
  actions: ['actions', '操作数'],
  commands: ['commands', '命令数'],
  iterations: ['iterations', '迭代次数'],
  tokens: ['tokens', 'token'],
  cost_usd: ['USD', '美元'],
  seconds: ['seconds of work', '工作秒数'],
  whole: ['A whole number from 1 to 1,000,000,000.', '1 到 1,000,000,000 之间的整数。'],
  money: ['An amount above 0, such as 0.50.', '大于 0 的金额，如 0.50。'],
})

export function TopUp({ spent }: { spent: BudgetAxis }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const { unit } = task.budget
  const action = useTaskAction()
  const [axis, setAxis] = useState<BudgetAxis>(spent)
  const [typed, setTyped] = useState('')
  const [hasError, setError] = useState(false)
  const [isAdded, setAdded] = useState(false)
  const add = addOf(axis, typed)
  const request = add === null ? null : post(taskPath(task.id, 'budget'), { add })
  const submit = async () => {
    setError(request === null)
    if (request === null || action.busy) return
    setAdded(false)
    const answer = await action.run(request)
    if (answer?.ok !== true) return
    // A second press would add the amount once more, so the field is emptied.
    setTyped((now) => (now === typed ? '' : now))
    setAdded(true)
  }
  return (
    <form class="budget-top-up" noValidate onSubmit={handleSubmit(submit)}>
      <SelectField
        label={words.of}
        value={axis}
        options={axesOf(unit).map((name) => [name, name === 'steps' ? words[unit] : words[name]])}
        change={setAxis}
      />
      <InputField
        label={words.amount}
        error={hasError && add === null ? (axis === 'cost_usd' ? words.money : words.whole) : null}
        inputMode={axis === 'cost_usd' ? 'decimal' : 'numeric'}
        autocomplete="off"
        value={typed}
        change={(text) => {
          setTyped(text)
          setAdded(false)
        }}
      />
      <div class="row">
        <RequestButton type="submit" text={words.add} busy={action.busy} request={request} />
        <output class="soft small">{isAdded && words.added}</output>
      </div>
      <ActionNote of={action} />
    </form>
  )
}

/** The form that tops up one budget axis. The axis that ran out is chosen at first. */
import { useState } from 'preact/hooks'
import { taskPath, post } from '../../../api/request.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { Field } from '../../../parts/field.tsx'
import { ActionNote } from '../../../parts/problem/action-note.tsx'
import { useWords } from '../../../state/preferences.tsx'
import type { BudgetAxis } from '../../../parts/stop-reasons.ts'
import { useTask, useTaskAction } from '../task-context.tsx'
import { addOf, axesOf } from './amounts.ts'
import './budget.css'

const WORDS = {
  en: {
    of: 'More of',
    amount: 'Amount',
    add: 'Top up',
    added: 'It has been added.',
    steps: 'steps',
    actions: 'actions',
    commands: 'commands',
    iterations: 'iterations',
    tokens: 'tokens',
    cost_usd: 'USD',
    seconds: 'seconds of work',
    whole: 'A whole number from 1 to 1,000,000,000.',
    money: 'An amount above 0, such as 0.50.',
  },
  zh: {
    of: '追加',
    amount: '数量',
    add: '追加预算',
    added: '已追加。',
    steps: '步数',
    actions: '操作数',
    commands: '命令数',
    iterations: '迭代次数',
    tokens: 'token',
    cost_usd: '美元',
    seconds: '工作秒数',
    whole: '1 到 1,000,000,000 之间的整数。',
    money: '大于 0 的金额，如 0.50。',
  },
}

export function TopUp({ spent }: { spent: BudgetAxis }) {
  const words = useWords(WORDS)
  const { task } = useTask()
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
    <form
      class="budget-top-up"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <AxisField axis={axis} choose={setAxis} />
      <Field
        label={words.amount}
        error={hasError && add === null ? (axis === 'cost_usd' ? words.money : words.whole) : null}
      >
        {(attributes) => (
          <input
            {...attributes}
            inputMode={axis === 'cost_usd' ? 'decimal' : 'numeric'}
            autocomplete="off"
            value={typed}
            onInput={({ currentTarget }) => {
              setTyped(currentTarget.value)
              setAdded(false)
            }}
          />
        )}
      </Field>
      <div class="row">
        <Button type="submit" busy={action.busy}>
          {words.add}
        </Button>
        {request !== null && <CopyCurl request={request} of={words.add} />}
        <output class="soft small">{isAdded && words.added}</output>
      </div>
      <ActionNote of={action} />
    </form>
  )
}

function AxisField({ axis, choose }: { axis: BudgetAxis; choose: (axis: BudgetAxis) => void }) {
  const words = useWords(WORDS)
  const { unit } = useTask().task.budget
  const axes = axesOf(unit)
  return (
    <Field label={words.of}>
      {(attributes) => (
        <select
          {...attributes}
          value={axis}
          onChange={({ currentTarget }) => choose(axes.find((name) => name === currentTarget.value) ?? axis)}
        >
          {axes.map((name) => (
            <option key={name} value={name}>
              {name === 'steps' ? words[unit] : words[name]}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

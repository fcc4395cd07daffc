/** Tasks as rows of a table. In little room each row is drawn as a card, and stays a row for screen readers. */
import type { ComponentChildren } from 'preact'
import type { TaskEntry } from '../../api/wire.ts'
import { Bar } from '../../parts/bar.tsx'
import { StatusMark } from '../../parts/status.tsx'
import { Time } from '../../parts/time/time.tsx'
import { fragmentOf } from '../../route.ts'
import { stopReasonText } from '../../parts/stop-reasons.ts'
import { usePreferences, useWords } from '../../state/preferences.tsx'

const WORDS = {
  en: {
    task: 'Task',
    status: 'Status',
    mode: 'Mode',
    plan: 'Plan',
    budget: 'Budget',
    updated: 'Updated',
    revision: (number: number) => `revision ${number}`,
    unplanned: 'no plan yet',
    manual: 'by requests',
    background: 'by the service',
    steps: 'steps',
    iterations: 'iterations',
    actions: 'actions',
    commands: 'commands',
  },
  zh: {
    task: '任务',
    status: '状态',
    mode: '模式',
    plan: '计划',
    budget: '预算',
    updated: '更新于',
    revision: (number: number) => `第 ${number} 版`,
    unplanned: '尚无计划',
    manual: '由请求推进',
    background: '由服务推进',
    steps: '步',
    iterations: '次迭代',
    actions: '次操作',
    commands: '条命令',
  },
}
const COLUMNS = ['task', 'status', 'mode', 'plan', 'budget', 'updated'] as const

export function TaskTable({ tasks }: { tasks: TaskEntry[] }) {
  const words = useWords(WORDS)
  return (
    <table class="tasks-table">
      <thead>
        <tr>
          {COLUMNS.map((name) => (
            <th key={name} scope="col">
              {words[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {tasks.map((task) => (
          <Row key={task.id} task={task} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ task }: { task: TaskEntry }) {
  const words = useWords(WORDS)
  const { locale } = usePreferences()
  const { budget, plan } = task
  return (
    <tr>
      <th scope="row">
        <a class="tasks-goal" href={fragmentOf({ view: 'task', id: task.id, tab: 'activity' })} lang={task.locale}>
          {task.goal}
        </a>
        <code class="soft">{task.id}</code>
      </th>
      <Cell name="status">
        <StatusMark of={task.status} />
        {task.stop_reason !== null && (
          <span class="soft small tasks-reason">{stopReasonText(task.stop_reason, locale)}</span>
        )}
      </Cell>
      <Cell name="mode">
        <code>{task.mode}</code>
        <span class="soft small tasks-drive">{words[task.drive]}</span>
      </Cell>
      <Cell name="plan">
        {/* The cursor is not shown, because each new plan resets it (U18). */}
        <span class="small">{plan.revision === 0 ? words.unplanned : words.revision(plan.revision)}</span>
      </Cell>
      <Cell name="budget">
        <Bar used={budget.used} max={budget.max} label={words[budget.unit]} text={`${budget.used} / ${budget.max}`} />
      </Cell>
      <Cell name="updated">
        <span class="small">
          <Time at={task.updated_at} />
        </span>
      </Cell>
    </tr>
  )
}

function Cell({ name, children }: { name: (typeof COLUMNS)[number]; children: ComponentChildren }) {
  return (
    <td class={`tasks-${name}`} data-label={useWords(WORDS)[name]}>
      {children}
    </td>
  )
}

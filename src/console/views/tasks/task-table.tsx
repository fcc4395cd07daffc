/** Tasks as rows of a table. In little room each row is drawn as a card, and stays a row for screen readers. */
import type { ComponentChildren } from 'preact'
import type { TaskEntry } from '../../api/wire.ts'
import { Bar } from '../../parts/bar.tsx'
import { OutcomeMark, StatusMark } from '../../parts/status.tsx'
import { TableHead } from '../../parts/table-head.tsx'
import { Time } from '../../parts/time/time.tsx'
import { fragmentOf } from '../../route.ts'
import { stopReasonText } from '../../parts/stop-reasons.ts'
import { usePreferences, useWords, wordTable } from '../../state/preferences.tsx'

const WORDS = wordTable({
  task: ['Task', '任务'],
  status: ['Status', '状态'],
  mode: ['Mode', '模式'],
  plan: ['Plan', '计划'],
  budget: ['Budget', '预算'],
  updated: ['Updated', '更新于'],
  revision: [(number: number) => `revision ${number}`, (number) => `第 ${number} 版`],
  finished: [(count: number) => `${count} finished`, (count) => `已结束 ${count} 项`],
  unplanned: ['no plan yet', '尚无计划'],
  manual: ['by requests', '由请求推进'],
  background: ['by the service', '由服务推进'],
  steps: ['steps', '步'],
  iterations: ['iterations', '次迭代'],
  actions: ['actions', '次操作'],
  commands: ['commands', '条命令'],
})
const COLUMNS = ['task', 'status', 'mode', 'plan', 'budget', 'updated'] as const

export function TaskTable({ tasks }: { tasks: TaskEntry[] }) {
  const words = useWords(WORDS)
  return (
    <table class="tasks-table">
      <TableHead columns={COLUMNS.map((name) => words[name])} />
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
  const outcome = task.result?.outcome ?? null
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
        {outcome !== null && (
          <span class="small tasks-outcome">
            <OutcomeMark of={outcome} />
          </span>
        )}
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
        {plan.finished_count > 0 && <span class="soft small tasks-drive">{words.finished(plan.finished_count)}</span>}
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

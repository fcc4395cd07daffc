/** The plan and the forecast of a dry run. The service stores nothing of it. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { DryRun } from '../../api/wire.ts'
import { TableHead } from '../../parts/table-head.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'

const WORDS = wordTable({
  title: ['Dry run', '试运行'],
  kept: ['Nothing was made. This is what the task would begin with.', '没有创建任何内容。任务将由此开始。'],
  plan: ['Plan', '计划'],
  unplanned: ['No plan: this mode plans as it goes.', '没有计划：该模式边做边定。'],
  measure: ['Measure', '项目'],
  most: ['At most', '最多'],
  expected: ['Expected', '预计'],
  steps: ['Steps', '步数'],
  tokens: ['Tokens', 'token'],
  cost: ['USD', '美元'],
  seconds: ['Seconds of work', '工作秒数'],
  unbounded: ['no bound of its own', '没有单独的上限'],
  few: ['No estimate yet: there are fewer than ten finished tasks.', '暂无估计：已完成的任务少于十个。'],
  drawn: [
    (tasks: number, error: string) => `By ${tasks} finished tasks; off by ${error} on these.`,
    (tasks, error) => `依据 ${tasks} 个已完成任务，对其平均误差 ${error}。`,
  ],
})
const ROWS = ['steps', 'tokens', 'cost', 'seconds'] as const
const MEMBERS = { steps: 'steps', tokens: 'tokens', cost: 'cost_usd', seconds: 'seconds' } as const

/** The note gets the focus, so that a screen reader reads it. */
export function DryRunNote({ dryRun }: { dryRun: DryRun }) {
  const words = useWords(WORDS)
  const section = useRef<HTMLElement>(null)
  useLayoutEffect(() => section.current?.focus(), [dryRun])
  const { plan, forecast, error, settings } = dryRun
  return (
    <section ref={section} tabIndex={-1} class="new-dry card stack" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p class="soft">{words.kept}</p>
      {error !== null && <p class="field-error">{error.detail}</p>}
      {plan.items.length === 0 ? (
        error === null && <p>{words.unplanned}</p>
      ) : (
        <>
          <h3>{words.plan}</h3>
          <ol>
            {plan.items.map(({ id, title }) => (
              <li key={id}>{title}</li>
            ))}
          </ol>
        </>
      )}
      <Costs forecast={forecast} settings={settings} />
    </section>
  )
}

function Costs({ forecast: { worst_case, expected }, settings }: Pick<DryRun, 'forecast' | 'settings'>) {
  const words = useWords(WORDS)
  // A bound that nobody has set is the product of the longest prompts, and tells nothing.
  const isBounded = {
    steps: true,
    seconds: true,
    tokens: settings.max_tokens !== null,
    cost: settings.max_cost_usd !== null,
  }
  return (
    <>
      <table class="number">
        <TableHead columns={[words.measure, words.most, ...(expected === null ? [] : [words.expected])]} />
        <tbody>
          {ROWS.map((row) => (
            <tr key={row}>
              <th scope="row">{words[row]}</th>
              <td>{isBounded[row] ? (worst_case[MEMBERS[row]] ?? settings.max_cost_usd) : words.unbounded}</td>
              {expected !== null && <td>{span(expected[MEMBERS[row]])}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="soft small">
        {expected === null ? words.few : words.drawn(expected.tasks, `${Math.round(expected.past_error * 100)} %`)}
      </p>
    </>
  )
}

const span = ({ low, high }: { low: number | string; high: number | string }) =>
  low === high ? String(low) : `${low}–${high}`

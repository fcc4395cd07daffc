/** The runs of a schedule, newest first: what became of each tick, with its task. */
import type { ScheduleRunView } from '../../api/wire.ts'
import { Pager, type useList } from '../../parts/list-frame.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { StatusMark } from '../../parts/status.tsx'
import { TableHead } from '../../parts/table-head.tsx'
import { Time } from '../../parts/time/time.tsx'
import '../../parts/stacked-table.css'
import { fragmentOf } from '../../route.ts'
import { usePreferences, useWords, wordTable } from '../../state/preferences.tsx'
import { runNote } from './run-words.ts'

const WORDS = wordTable({
  runs: ['Runs', '运行记录'],
  none: ['No run yet.', '还没有运行。'],
  tick: ['Time', '时间'],
  outcome: ['Outcome', '结果'],
  why: ['Reason', '原因'],
  task: ['Task', '任务'],
})

export function Runs({ list }: { list: ReturnType<typeof useList<ScheduleRunView>> }) {
  const words = useWords(WORDS)
  const { locale } = usePreferences()
  const { value, problem, after, turn, place } = list
  const runs = value?.data ?? []
  return (
    <section class="stack" aria-label={words.runs} ref={place} tabIndex={-1}>
      <h2>{words.runs}</h2>
      <ProblemNote problem={problem} />
      {value !== null && runs.length === 0 && <p class="soft">{words.none}</p>}
      {runs.length > 0 && (
        <table class="stacked card">
          <TableHead columns={[words.tick, words.outcome, words.why, words.task]} />
          <tbody>
            {runs.map((run) => (
              <tr key={run.seq}>
                <td>
                  <Time at={run.at} seconds />
                </td>
                <td>
                  <StatusMark of={run.outcome} />
                </td>
                <td class="small">{runNote(run, locale)}</td>
                <td>
                  <TaskLink id={run.task_id} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Pager
        after={after}
        next={value?.next_cursor ?? null}
        onTurn={(next) => {
          turn({ status: '', after: next })
          place.current?.focus()
        }}
      />
    </section>
  )
}

export function TaskLink({ id }: { id: string | null }) {
  if (id === null) return '–'
  return <a href={fragmentOf({ view: 'task', id, tab: 'activity' })}>{id}</a>
}

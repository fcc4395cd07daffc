/** The laws of one task by its own pages: rows and events have no gaps, budgets are the fold of the rows, and acknowledged data is there. */
import type { Story } from '../story.ts'
import type { Tally } from '../tally.ts'
import {
  forgivenEnds,
  hasEnded,
  isCounted,
  isEnd,
  micro,
  openPurses,
  raise,
  reopen,
  reopenedBy,
  spend,
} from './purses.ts'

export function checkJournal(tally: Tally, story: Story): void {
  const { id, view, rows, events } = story
  const demand = (holds: boolean, law: string, detail: () => string) => tally.demand(holds, law, detail, id)
  demand(
    rows.every((row, index) => row.seq === index + 1),
    'rows without gaps',
    () => rows.map(({ seq }) => seq).join(),
  )
  demand(rows.length === view.version, 'rows without gaps', () => `${rows.length} rows, version ${view.version}`)
  const open = rows.filter((row) => row.finished_at === null)
  demand(open.length === 0, 'nothing is left pending', () => `rows ${open.map(({ seq }) => seq).join()}`)
  demand(
    events.every((event, index) => event.seq === index + 1),
    'event ids are dense',
    () => events.map(({ seq }) => seq).join(),
  )
  const runs = reopenedBy(view, rows, events).size
  if (runs > 0) tally.seen('another run of a session', runs)
  const ends = events.filter(isEnd).length
  const forgiven = forgivenEnds(events)
  if (forgiven > 0) tally.seen('a failed task that goes on', forgiven)
  const most = runs + forgiven + (hasEnded(view) ? 1 : 0)
  demand(ends === most, 'a task ends once', () => `${ends} ends of ${1 + runs + forgiven} runs, ${view.status}`)
  checkSteps(tally, story)
  checkSpending(tally, story)
  checkReached(tally, story)
}

/** What a task shows of what it has reached: its finished items, and the outcome of its goal from its end on. */
function checkReached(tally: Tally, { id, view, events }: Story): void {
  const { finished, finished_count } = view.plan
  const shown = () => `${finished.length} of ${finished_count}`
  tally.demand(finished.length === Math.min(100, finished_count), 'finished items are shown', shown, id)
  const { actions, successful_actions, failed_actions } = view.counters
  const counted = () => `${actions} actions, ${successful_actions} and ${failed_actions}`
  tally.demand(actions === successful_actions + failed_actions, 'an action succeeds or fails', counted, id)
  const outcome = view.result?.outcome ?? null
  const isTold = view.status !== 'completed' || outcome !== null
  tally.demand(isTold, 'a completed task has an outcome', () => view.status, id)
  const told = events.findLast(({ type }) => type === 'task_completed')?.payload['outcome']
  const isSame = view.status !== 'completed' || told === outcome
  tally.demand(isSame, 'the outcome of an ended task stays', () => `${String(told)}, now ${String(outcome)}`, id)
}

/** One row is one step, and every answer to any client agrees with the rows of its version. */
function checkSteps(tally: Tally, { id, view, rows, events, known }: Story): void {
  const steps = [0]
  for (const row of rows) {
    const counts = isCounted(view.mode, row)
    const shown = () => `row ${row.seq} ${row.phase} ${row.counted}`
    tally.demand(row.counted === counts, 'a step is charged for each row once', shown, id)
    steps.push((steps.at(-1) ?? 0) + (counts ? 1 : 0))
  }
  const by = (seq: number) => steps[seq] ?? -1
  const shown = () => `${view.step_count} shown, ${by(rows.length)} by the rows`
  tally.demand(view.step_count === by(rows.length), 'step_count = counted rows', shown, id)
  for (const [version, count] of known.steps_at) {
    const told = () => `version ${version} was answered with ${count} steps, its rows say ${by(version)}`
    tally.demand(by(version) === count, 'nothing acknowledged is lost', told, id)
  }
  for (const { seq, payload } of events) {
    const told = () => `event ${seq} says ${String(payload['step_count'])}`
    tally.demand(payload['step_count'] === by(Number(payload['journal_seq'])), 'step_count = counted rows', told, id)
  }
  const of = (kind: string) => rows.filter((row) => row.kind === kind).length
  const { model_calls, actions } = view.counters
  const kept = model_calls === of('call_model') && actions === of('run_tool')
  tally.demand(kept, 'counters = rows', () => `${model_calls} calls, ${actions} actions`, id)
}

/** The charge of a task is the sum of its rows, and at no row more than was granted. */
function checkSpending(tally: Tally, { id, view, rows, events }: Story): void {
  const purses = openPurses(view)
  const reopened = reopenedBy(view, rows, events)
  const grants = Map.groupBy(
    events.filter(({ type }) => type === 'budget_added'),
    ({ payload }) => Number(payload['journal_seq']),
  )
  // A round of plan_execute may end one step above; elsewhere a round has one step.
  const over = view.mode === 'plan_execute' ? 1 : 0
  for (const row of rows) {
    for (const grant of grants.get(row.seq) ?? []) raise(purses, grant)
    if (reopened.has(row.seq)) reopen(purses, view)
    const before = { ...purses.steps }
    spend(purses, view, row)
    if (row.phase === null && row.charged_tokens === null) continue
    for (const [axis, { used, max }] of Object.entries(purses)) {
      const most = axis === 'steps' ? Math.max(max + over, before.used) : max
      tally.demand(used <= most, 'no budget is exceeded', () => `row ${row.seq}: ${axis} ${used} of ${max}`, id)
    }
  }
  const { budget } = view
  const kept = [budget.used, budget.tokens.used, micro(budget.cost_usd.used), budget.seconds.used]
  const { steps, tokens, cost, ms } = purses
  const sums = [steps.used, tokens.used, cost.used, Math.ceil(ms.used / 1000)]
  const shown = () => `steps, tokens, micro-dollars, seconds: kept ${kept.join()}, by the rows ${sums.join()}`
  tally.demand(kept.join() === sums.join(), 'a budget is the fold of its rows', shown, id)
  tally.demand(
    budget.max === steps.max,
    'a budget is the fold of its rows',
    () => `max ${budget.max} of ${steps.max}`,
    id,
  )
}

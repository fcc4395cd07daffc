/** The laws of schedules: each tick that has come has one run, a run has one task, and no task of a schedule is without a run. */
import * as z from 'zod'
import type { ScheduleRunView } from '../../../src/core/shown/schedule-view.ts'
import { ScheduleView } from '../../../src/core/shown/schedule-view.ts'
import { TaskEntry } from '../../../src/core/terms/view.ts'
import { get, type Bench } from '../ask.ts'
import { PLANNED } from '../clients/clients.ts'
import { allRuns } from '../clients/schedule-pages.ts'
import { isThere } from '../known.ts'
import { isPlanned, isTick, learnRun, ticksIn, type Plan, type Span } from '../plans.ts'

const TasksPage = z.object({ data: z.array(TaskEntry), next_cursor: z.string().nullable() })

export async function checkSchedules(bench: Bench): Promise<void> {
  for (const plan of bench.acks.plans.schedules.values()) {
    const tasks = await tasksOf(bench, plan.name)
    if (isPlanned(plan)) await checkRuns(bench, plan, tasks)
    else checkDropped(bench, plan, tasks)
  }
}

async function tasksOf(bench: Bench, name: string): Promise<TaskEntry[]> {
  const found: TaskEntry[] = []
  for (let after: string | null = ''; after !== null;) {
    const cursor: string = after === '' ? '' : `&after=${after}`
    const page = TasksPage.parse(await get(bench, PLANNED, `/tasks?metadata.schedule=${name}&limit=100${cursor}`))
    found.push(...page.data)
    after = page.next_cursor
  }
  return found
}

const labelOf = ({ metadata }: Pick<TaskEntry, 'metadata'>) => metadata['scheduled_at'] ?? ''

async function checkRuns(bench: Bench, plan: Plan, tasks: TaskEntry[]): Promise<void> {
  const { acks, tally } = bench
  const { name } = plan
  const runs = (await allRuns(bench, name)).toReversed()
  const demand = (holds: boolean, law: string, detail: () => string) =>
    tally.demand(holds, law, () => `${name}: ${detail()}`)
  for (const run of runs) learnRun(tally, plan, run)
  for (const { trigger, outcome } of runs) tally.seen(`${trigger === 'tick' ? 'tick' : 'requested run'} ${outcome}`)
  // A run that was refused to its client leaves no run.
  const dense = plan.refused > 0 || runs.every(({ seq }, index) => seq === index + 1)
  demand(dense, 'runs without gaps', () => runs.map(({ seq }) => seq).join())
  const kept = new Set(runs.map(({ seq }) => seq))
  for (const { seq } of plan.runs.values()) demand(kept.has(seq), 'what became of a tick stays', () => `run ${seq}`)
  const view = ScheduleView.parse(await get(bench, PLANNED, `/schedules/${name}`))
  checkTicks(bench, plan, runs, view.waiting)
  checkRequested(bench, plan, runs)
  const listed = new Map(tasks.map((task) => [task.id, task]))
  const made = runs.filter(({ outcome }) => outcome === 'created').map(({ at, task_id }) => ({ at, id: task_id ?? '' }))
  demand(new Set(made.map(({ id }) => id)).size === made.length, 'a run has one task', () => JSON.stringify(made))
  for (const { at, id } of made) {
    const task = listed.get(id)
    const known = acks.tasks.get(id)
    const was_deleted = known !== undefined && !isThere(known)
    const shown = () => `run at ${at}: ${id} ${task === undefined ? 'is missing' : labelOf(task)}`
    demand(was_deleted || (task !== undefined && labelOf(task) === at), 'a run has one task', shown)
  }
  const ids = new Set(made.map(({ id }) => id))
  for (const task of tasks)
    demand(ids.has(task.id), 'a task of a schedule has a run', () => `${task.id} at ${labelOf(task)}`)
}

/** Every tick that was decided has exactly one run, and no run is of a time that is no tick. */
function checkTicks({ tally }: Bench, plan: Plan, runs: ScheduleRunView[], waiting: string[]): void {
  const { name, spans } = plan
  const ticked = runs.filter(({ trigger }) => trigger === 'tick')
  const waits = new Set(waiting.map((at) => Date.parse(at)))
  const covering = (tick: number) =>
    ticked.filter(({ at, first_at }) => Date.parse(first_at) <= tick && tick <= Date.parse(at)).length
  for (const { rhythm, from, decided, paused } of spans)
    for (const tick of paused ? [] : ticksIn(rhythm, from, decided)) {
      const count = covering(tick) + (waits.has(tick) ? 1 : 0)
      const shown = () => `${name}: ${new Date(tick).toISOString()} has ${count}, spans ${JSON.stringify(spans)}`
      tally.demand(count === 1, count === 0 ? 'no tick is lost' : 'a tick has one run', shown)
      tally.seen('tick that has come')
    }
  for (const run of ticked) {
    const [first, last] = [Date.parse(run.first_at), Date.parse(run.at)]
    const may = (span: Span) => !span.paused && first >= span.sent && last <= span.over && isOf(span, run)
    tally.demand(spans.some(may), 'a run is of a tick', () => `${name}: ${JSON.stringify([run, spans])}`)
    tally.demand(covering(last) <= 1, 'a tick has one run', () => `${name}: ${JSON.stringify(run)}`)
  }
}

function isOf({ rhythm }: Span, { at, first_at, ticks }: ScheduleRunView): boolean {
  const [first, last] = [Date.parse(first_at), Date.parse(at)]
  return isTick(rhythm, first) && isTick(rhythm, last) && ticksIn(rhythm, first - 1, last + 1).length === ticks
}

/** Each key has made one run, however often it was sent. */
function checkRequested({ tally }: Bench, { name, requested, refused }: Plan, runs: ScheduleRunView[]): void {
  const asked = runs.filter(({ trigger }) => trigger === 'request')
  const counts = () => `${name}: ${asked.length} runs of ${requested.size} keys, and ${refused} refusals`
  tally.demand(asked.length === requested.size, 'a key has one run', counts)
  const bySeq = new Map(asked.map((run) => [run.seq, run]))
  for (const [key, { seq, at, task_id }] of requested) {
    const run = bySeq.get(seq)
    const same = run?.at === at && (task_id === null || task_id === run.task_id)
    tally.demand(
      same,
      'a key has one run',
      () => `${name} ${key}: ${seq} at ${at} ${task_id}, is ${JSON.stringify(run)}`,
    )
  }
}

/** A schedule that was deleted leaves its tasks: one for each tick, and none for a tick after it. */
function checkDropped({ tally }: Bench, { name, deleted, requested }: Plan, tasks: TaskEntry[]): void {
  const asked = new Set([...requested.values()].map(({ task_id }) => task_id))
  const ticks = tasks.filter(({ id }) => !asked.has(id)).map(labelOf)
  const shown = () => `${name}: ${ticks.join()}`
  tally.demand(new Set(ticks).size === ticks.length, 'a tick has one run', shown)
  const late = ticks.filter((at) => deleted !== null && Date.parse(at) > deleted)
  tally.demand(late.length === 0, 'a schedule that is gone makes no task', shown)
}

/** Laws of every run of orchestrator, drawn by fast-check: whenever a worker reports or is silent, each row is right, and each command is settled once. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OrchestratorState } from '../../../src/core/modes/orchestrator/state.ts'
import { taskMethods } from '../../../src/store/task/task-methods.ts'
import { checkShown, commandRows } from '../../sim/check-reports.ts'
import { checkRows, watch, type Watched } from '../../sim/check-rows.ts'
import { randomOf } from '../../sim/random.ts'
import { EQUAL, forkOf, replayOf, storedRows } from '../../support/forks.ts'
import { isWorkerMove, WORKER_MOVES, workerMove } from '../../support/random-worker.ts'
import {
  benchOf,
  CALLER,
  createTask,
  FREE,
  ONE,
  step as advance,
  UNBOUNDED,
  type Bench,
  type Line,
} from '../../support/scripted.ts'
import { judge, steps } from './support.ts'

const BAD: Line[] = ['', 'prose', '{"decision":"maybe","reason":"","adjusted_steps":[]}', '[]', new Error('down')]
const many = (good: Line[]) =>
  fc.array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...good) }, fc.constantFrom(...BAD)), {
    minLength: 60,
    maxLength: 60,
  })
const MOVES = [
  'step',
  'step',
  'step',
  'steps',
  'say',
  'continue',
  'yes',
  'skip',
  'abort',
  'pause',
  'resume',
  'edit',
  'top-up',
  'cancel',
  'jump',
]
const Run = fc.record({
  plan: many([steps('A'), steps('A', 'B'), steps('A', 'B', 'C')]),
  evaluate: many([
    judge('next'),
    judge('next'),
    judge('retry'),
    judge('retry'),
    judge('replan', 'so', 'D', 'A'),
    judge('abort'),
    { ...judge('ask', 'so'), question: 'Which port?', choices: ['80', '443'] },
    { ...judge('replan', 'so', 'D'), current_step: 'done' },
    { ...judge('next'), achieved: false },
  ]),
  summary: many(['all is done', { summary: 'all is done' }]),
  settings: fc.record({
    max_steps: fc.integer({ min: 1, max: 12 }),
    max_retries_per_step: fc.integer({ min: 0, max: 3 }),
    max_replans: fc.integer({ min: 0, max: 2 }),
    max_clarifications: fc.integer({ min: 0, max: 3 }),
    failure_limit: fc.integer({ min: 1, max: 3 }),
    report_timeout_s: fc.constantFrom(1, 60, 600),
    approve: fc.constantFrom('none', 'none', 'plan', 'actions'),
    max_tokens: fc.constantFrom(null, 60_000, 200_000),
    max_cost_usd: fc.constantFrom(null, '0.05'),
    max_seconds: fc.constantFrom(null, 70, 300),
    command_budget: fc.constantFrom(null, { tokens: 1_500 }, { tokens: 50_000, cost_usd: '0.02', seconds: 45 }),
  }),
  moves: fc.array(fc.constantFrom(...MOVES, ...WORKER_MOVES, ...WORKER_MOVES), { minLength: 8, maxLength: 40 }),
  seed: fc.nat(),
})
type Run = typeof Run extends fc.Arbitrary<infer R> ? R : never

const SAID: Record<string, string> = {
  say: 'by the way',
  continue: 'continue',
  yes: 'yes',
  skip: 'skip',
  abort: 'abort',
}

async function move(bench: Bench, id: string, next: string): Promise<void> {
  const { service, clock } = bench
  const said = SAID[next]
  if (next === 'step') await advance(bench, id)
  if (next === 'steps') await advance(bench, id, { rounds: 4, max_ms: 25_000 })
  if (said !== undefined) await service.inputTask(CALLER, id, said, null, ONE)
  if (next === 'pause') await service.tellTask(CALLER, id, { kind: 'pause' })
  if (next === 'resume') await service.tellTask(CALLER, id, { kind: 'resume' })
  if (next === 'edit') await service.editPlan(CALLER, id, [{ title: 'B' }, { title: 'E' }], null)
  if (next === 'top-up')
    await service.tellTask(CALLER, id, { kind: 'top_up', add: { steps: 2, tokens: 10_000, working_ms: 30_000 } })
  if (next === 'cancel' && clock.now % 7 === 0) await service.tellTask(CALLER, id, { kind: 'cancel' })
  if (next === 'jump') clock.now += 400_000
}

async function play({
  settings,
  moves,
  seed,
  ...script
}: Run): Promise<{ bench: Bench; id: string; watched: Watched }> {
  const bench = benchOf(script)
  const { id } = await createTask(bench, settings, ONE, { mode: 'orchestrator' })
  const worker = { bench, random: randomOf(seed), sent: new Map(), serial: 0 }
  const watched = watch(id, storedRows(bench, id))
  for (const next of moves) {
    bench.clock.now += 1_001
    if (isWorkerMove(next)) await workerMove(worker, id, next)
    else await move(bench, id, next)
    // Of steps, tokens, money and time, of settling, folding, ends and events.
    checkRows(watched)
  }
  return { bench, id, watched }
}

describe('laws of orchestrator', () => {
  it('F53 F54 every row keeps the accounting, with what workers have spent, and settles a command once', async () => {
    await fc.assert(
      fc.asyncProperty(Run, async (run) => {
        const { watched } = await play(run)
        const { rows } = watched
        for (let seq = 1; seq <= (rows.last()?.seq ?? 0); seq++) {
          const head = rows.closed(seq)?.head
          expect(OrchestratorState.parse(head?.state)).toEqual(head?.state)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('F53 each command is shown as what became of it, and nothing else is one', async () => {
    await fc.assert(
      fc.asyncProperty(Run, async (run) => {
        const { bench, watched } = await play(run)
        const { rows, settled } = watched
        const here = { now_ms: bench.clock.now, boot: 'boot', prices: FREE, daily: UNBOUNDED }
        const known = new Set(commandRows(rows))
        for (let seq = 1; seq <= rows.records.size; seq++) {
          const found = taskMethods(rows, () => here).ask({ kind: 'delegation', seq })
          expect(found.ok).toBe(known.has(seq))
          if (found.ok) checkShown(rows, settled, found.value, here.now_ms)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('S3-17 a replay is equal at each row, and so is one of a fork at any of them', async () => {
    await fc.assert(
      fc.asyncProperty(Run, fc.nat(), async (run, at) => {
        const { bench, id, watched } = await play(run)
        const last = watched.rows.last()?.seq ?? 0
        expect(await replayOf(bench, id)).toEqual(EQUAL(last))
        const row = 1 + (at % last)
        expect(await replayOf(bench, (await forkOf(bench, id, { at: row })).id)).toEqual(EQUAL(row))
      }),
      { numRuns: 100 },
    )
  })
})

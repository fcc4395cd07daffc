/** What one hostile reply, and the same reply for ever, must lead to: on every wire the same. */
import { expect } from 'vitest'
import type { TaskView } from '../../src/core/terms/view.ts'
import { drive, hostileBench, keep, shownOf, type HostileBench } from '../support/hostile-bench.ts'
import {
  expectAttempt,
  expectEnding,
  expectLedger,
  expectNothingLeaked,
  expectRest,
} from '../support/hostile-checks.ts'
import { PHASES, type Fate, type Hostile, type Phase } from '../support/hostile-kit.ts'
import { ALL, createTask, NONE, ONE, say, step } from '../support/scripted.ts'
import type { Case } from './hostile.ts'

/** What is not one JSON object is refused here; test/core/reply.test.ts has what a lenient reader makes of it. */
export const STRICT_REPLIES = { strict_replies: true }

/** A bench whose attempts at one phase are hostile as `choose` says. */
export const attackedAt = (phase: Phase, choose: (attempt: number) => Hostile | null) =>
  hostileBench((asked, attempt) => (asked === phase ? choose(attempt) : null))
export const started = async (bench: HostileBench) =>
  drive(bench, await keep(bench, createTask(bench, STRICT_REPLIES, ALL)))

/** The task of a client that meets the reply once, and goes on. */
export async function expectOneReply({ hostile, phase, fate }: Case): Promise<void> {
  const bench = attackedAt(phase, (attempt) => (attempt === 0 ? hostile : null))
  const task = await upTo(bench, phase)
  const waits = fate.outcome === 'model_error' && phase !== 'plan'
  expect(task).toMatchObject({
    status: statusAfter(phase, fate),
    step_count: stepsAfter(phase, fate),
    retry_after_ms: waits ? (fate.retry_after_ms ?? 1_000) : null,
    error: null,
    slice: { advanced: true },
  })
  if (waits) await expectRest(bench, task)
  const end = await drive(bench, task)
  expect(end).toMatchObject({ status: 'completed', stop_reason: 'done', step_count: stepsInAll(phase, fate) })
  const shown = await shownOf(bench, task.id)
  expectAttempt(bench, end, shown, { phase, fate })
  expectLedger(bench, end, shown)
  expectNothingLeaked(shown, [fate])
}

/** Up to the end of the slice that meets the reply. */
async function upTo(bench: HostileBench, phase: Phase): Promise<TaskView> {
  let task = await keep(bench, createTask(bench, STRICT_REPLIES, NONE))
  for (let slices = PHASES.indexOf(phase); slices > 0; slices--) task = await keep(bench, step(bench, task.id, ONE))
  return task
}

const acts = (fate: Fate) => fate.leads_to === 'act' || fate.leads_to === 'act_in_vain'

/** Planning is free; the attempt itself counts, and so does an action it chose (S0-28 to S0-31). */
const stepsAfter = (phase: Phase, fate: Fate) => PHASES.indexOf(phase) + (acts(fate) ? 1 : 0)

/** A bad plan is tried again in the same request; a bad thought or replan leaves the task where it was. */
function statusAfter(phase: Phase, fate: Fate): TaskView['status'] {
  if (fate.leads_to === 'ask') return 'input_required'
  return phase === 'replan' && fate.outcome === 'ok' && fate.leads_to !== 'list' ? 'completed' : 'running'
}

/** Steps of a whole task with one such reply in it: a good one needs a thought and a replan. */
function stepsInAll(phase: Phase, fate: Fate): number {
  if (phase === 'plan') return 2
  if (fate.outcome !== 'ok') return 3
  return acts(fate) || fate.leads_to === 'list' ? 4 : 2
}

export const STOPS = {
  contract_failures: { status: 'failed', stop_reason: 'contract_failures', error: { code: 'contract_failures' } },
  model_unavailable: { status: 'paused', stop_reason: 'model_unavailable', pending: { kind: 'resume' } },
  'budget_exhausted:steps': { status: 'paused', stop_reason: 'budget_exhausted:steps', pending: { kind: 'resume' } },
  done: { status: 'completed', stop_reason: 'done', error: null },
}

export function stopOf(fate: Fate): keyof typeof STOPS {
  if (fate.outcome === 'contract_error') return 'contract_failures'
  return fate.outcome === 'model_error' ? 'model_unavailable' : (fate.for_ever ?? 'done')
}

/** The sentence of such a task. */
export const endingOf = ({ hostile, phase, fate }: Case): string =>
  `row ${hostile.row} a ${phase} always answered with ${hostile.name} ends: ${stopOf(fate)}`

/** Attempts at a plan are 1 + plan_retries and free; elsewhere failure_limit of them, each a step. */
export const ATTEMPTS: Record<Phase, number> = { plan: 3, thought: 2, replan: 2 }
export const STEPS_OF_FAILURE: Record<Phase, number> = { plan: 0, thought: 2, replan: 3 }

/** The task of a client whose model gives this reply to every call. */
export async function expectReplyForEver({ hostile, phase, fate }: Case): Promise<void> {
  const stop = stopOf(fate)
  const bench = attackedAt(phase, () => hostile)
  const task = await started(bench)
  expect(task).toMatchObject({ ...STOPS[stop], retry_after_ms: null })
  const shown = await shownOf(bench, task.id)
  expectLedger(bench, task, shown)
  expectNothingLeaked(shown, [fate])
  if (fate.outcome !== 'ok') expectBounds(bench, task, phase, fate)
  if (stop === 'budget_exhausted:steps') expect([20, 21]).toContain(task.step_count)
  await expectEnding(bench, task)
  if (stop === 'contract_failures') await expectSameEndAgain(bench, task, phase)
}

/** U9: a continue text lets the task go on, for as many attempts as before. */
async function expectSameEndAgain(bench: HostileBench, { id, step_count }: TaskView, phase: Phase): Promise<void> {
  const before = bench.attacked.length
  const again = await drive(bench, await keep(bench, say(bench, id, 'continue', ALL)))
  expect(again).toMatchObject({ ...STOPS.contract_failures, retry_after_ms: null })
  expect(again.step_count - step_count).toBe(phase === 'plan' ? 0 : ATTEMPTS[phase])
  expect(bench.attacked.length - before).toBe(ATTEMPTS[phase])
  const shown = await shownOf(bench, id)
  expectLedger(bench, again, shown)
  expectNothingLeaked(shown, null)
}

/** U8 and U9: so many attempts and no more, each sent as often as its negotiation needs (F26). */
function expectBounds(bench: HostileBench, task: TaskView, phase: Phase, fate: Fate): void {
  expect(task.step_count).toBe(STEPS_OF_FAILURE[phase])
  expect(bench.attacked).toHaveLength(ATTEMPTS[phase])
  expect(bench.sent).toHaveLength(PHASES.indexOf(phase) + ATTEMPTS[phase] * (fate.sends ?? 1))
  expect(task.handover?.unfinished_reason).toContain(fate.reason ?? 'contract')
}

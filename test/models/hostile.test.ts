/**
 * Bad models through the real client and the real engine: each hostile reply in each phase once, and for ever. What is
 * checked: where the task stands, what the attempt was charged, what went over the wire, and what nobody may be shown.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { PlanReply } from '../../src/core/modes/plan-execute/contract.ts'
import { readReply } from '../../src/core/mode/reply.ts'
import { LENIENT } from '../support/readers.ts'
import { always, body, FINE, KEY, names, PHASES, refused, says, type Hostile } from '../support/hostile-kit.ts'
import {
  closeHostileWorld,
  drive,
  generator,
  hostileBench,
  keep,
  openHostileWorld,
  reservedOf,
  shownOf,
} from '../support/hostile-bench.ts'
import { expectLedger, expectNothingLeaked } from '../support/hostile-checks.ts'
import { ALL, createTask } from '../support/scripted.ts'
import {
  attackedAt,
  ATTEMPTS,
  endingOf,
  expectOneReply,
  expectReplyForEver,
  started,
  STEPS_OF_FAILURE,
  stopOf,
  STOPS,
  STRICT_REPLIES,
} from './hostile-laws.ts'
import { CASES, HOSTILE } from './hostile.ts'

/** Replies below which this file has silently stopped to do its work (F70). */
const REPLIES_MIN = 60
const ran = { once: 0, for_ever: 0, two_kinds: 0, everywhere: 0 }

beforeAll(() => openHostileWorld())
afterAll(async () => {
  await closeHostileWorld()
  console.log(JSON.stringify({ replies: HOSTILE.length, cases: CASES.length, ran }))
})
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.UTC(2026, 10, 21, 12, 0) })
})
afterEach(() => void vi.useRealTimers())

describe('one hostile reply', () => {
  it.each(CASES.map((one) => [one.sentence, one] as const))('%s', async (_, one) => {
    await expectOneReply(one)
    ran.once += 1
  })
})

describe('a hostile reply to every call', () => {
  it.each(CASES.map((one) => [endingOf(one), one] as const))('%s', async (_, one) => {
    await expectReplyForEver(one)
    ran.for_ever += 1
  })
})

describe('hostile replies of two kinds', () => {
  const failing = CASES.filter(({ fate }) => fate.outcome !== 'ok')
  /** Each failing case followed by one of the other kind, each time another one. */
  const pairs = failing.map((first, index) => {
    const turned = [...failing.slice(index), ...failing.slice(0, index)]
    const last = turned.find(({ phase, fate }) => phase === first.phase && fate.outcome !== first.fate.outcome) ?? first
    const name = `U9 the last kind decides: a ${first.phase} answered with ${first.hostile.name}, then ${last.hostile.name}`
    return [name, first, last] as const
  })
  it.each(pairs)('%s', async (_, first, last) => {
    const { phase } = first
    const bench = attackedAt(phase, (attempt) => (attempt < ATTEMPTS[phase] - 1 ? first : last).hostile)
    const task = await started(bench)
    expect(task).toMatchObject({ ...STOPS[stopOf(last.fate)], step_count: STEPS_OF_FAILURE[phase] })
    const shown = await shownOf(bench, task.id)
    expectLedger(bench, task, shown)
    expectNothingLeaked(shown, [first.fate, last.fate])
    ran.two_kinds += 1
  })
})

describe('hostile replies everywhere', () => {
  const SEEDS = Array.from({ length: 150 }, (_, index) => index + 1)
  it.each(SEEDS)('S0-24 seed %i: a model that is hostile in every phase still leads to a named end', async (seed) => {
    const random = generator(seed)
    const bench = hostileBench(() => (random(3) === 0 ? (HOSTILE[random(HOSTILE.length)] ?? null) : null))
    const task = await started(bench)
    expect(Object.keys(STOPS)).toContain(task.stop_reason)
    expect(task.step_count).toBeLessThanOrEqual(21)
    const shown = await shownOf(bench, task.id)
    expectLedger(bench, task, shown)
    expectNothingLeaked(shown, null)
    ran.everywhere += 1
  })
})

it('U11 usage above the reservation may exceed the maximum by that one call; no further call is made', async () => {
  const over = HOSTILE.find(({ name }) => name === 'more input than was sent') ?? null
  const bench = attackedAt('thought', () => over)
  const task = await drive(bench, await keep(bench, createTask(bench, { ...STRICT_REPLIES, max_tokens: 500_000 }, ALL)))
  expect(task).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:tokens', step_count: 1 })
  expect(task.budget.tokens).toMatchObject({ used: 150 + 900_030, max: 500_000 })
  expect(bench.sent).toHaveLength(2)
})

/** What the engine does not do yet: each turns red when it is mended, and then loses its `fails`. */
describe('bugs that the table has found', () => {
  const met = async (hostile: Hostile, settings = {}) => {
    const bench = attackedAt('thought', (attempt) => (attempt === 0 ? hostile : null))
    const task = await drive(bench, await keep(bench, createTask(bench, { ...STRICT_REPLIES, ...settings }, ALL)))
    const { journal } = await shownOf(bench, task.id)
    return { bench, task, row: journal.find(({ seq }) => seq === bench.attacked[0]) }
  }
  const completion = (more: Record<string, unknown>) => body(33, '', (ask) => says(ask.good, more), FINE)

  it('F33 usage of more tokens than can be counted leaves a task that can be read', async () => {
    const usage = { prompt_tokens: Number.MAX_SAFE_INTEGER, completion_tokens: 30 }
    expect((await met(completion({ usage }))).task.status).toBe('completed')
  })

  it('F50 the deepest reply that is accepted is also accepted with less stack left', () => {
    const nested = (levels: number) => `{"x":${'['.repeat(levels)}${']'.repeat(levels)},"status":"planned","plan":[]}`
    const read = (levels: number, calls: number): boolean =>
      calls === 0 ? readReply(PlanReply, nested(levels), LENIENT).ok : read(levels, calls - 1)
    let [accepted, refusedAt] = [1, 32_000]
    while (refusedAt - accepted > 1) {
      const middle = Math.floor((accepted + refusedAt) / 2)
      if (read(middle, 0)) accepted = middle
      else refusedAt = middle
    }
    expect(read(accepted, 500)).toBe(true)
  })

  it('U11 an unusable completion that reports its usage is charged as reported', async () => {
    const choices = [{ index: 0, message: { role: 'assistant', content: null, refusal: 'no' } }]
    expect((await met(completion({ choices }))).row).toMatchObject({ outcome: 'model_error', charged_tokens: 150 })
  })

  it('U11 an HTTP error with a body of more than 1 MiB keeps its status and costs no tokens', async () => {
    const answer = () => new Response('x'.repeat(2 ** 21), { status: 503 })
    const { row } = await met({ row: 22, name: '', answer, fate: always(refused(503)) })
    expect(row).toMatchObject({ charged_tokens: 0, reply: { reason: 'HTTP 503', status: 503 } })
  })

  it('U7 a negotiation is noted in its row even when the call fails afterwards', async () => {
    const answer: Hostile['answer'] = ({ resent }) =>
      resent === 0 ? Response.json(names('response_format'), { status: 400 }) : new Response('', { status: 500 })
    const { row } = await met({ row: 26, name: '', answer, fate: always(refused(500)) })
    expect(row?.reply).toMatchObject({ status: 500, negotiated: ['json_schema'] })
  })

  it('D5 the reservation bounds the bytes that are sent, for any name of the model', async () => {
    const { bench, task } = await met(completion({}), { model: '模'.repeat(200) })
    for (const one of bench.sent)
      expect(one.bytes).toBeLessThanOrEqual(reservedOf(bench, task.id, one.seq).input_tokens)
  })

  it('F66 a key that the endpoint repeats as the name of its model is not stored', async () => {
    expect((await met(completion({ model: KEY }))).row?.model).not.toContain(KEY)
  })
})

describe('the table of hostile replies', () => {
  it('has at least sixty replies for each of the three phases, each with its own name', () => {
    expect(new Set(HOSTILE.map(({ name }) => name)).size).toBe(HOSTILE.length)
    expect(HOSTILE.length).toBeGreaterThanOrEqual(REPLIES_MIN)
    expect(CASES).toHaveLength(HOSTILE.length * PHASES.length)
  })

  it('F70 was run completely', () => {
    expect(ran).toMatchObject({ once: CASES.length, for_ever: CASES.length, everywhere: 150 })
    expect(ran.two_kinds).toBeGreaterThanOrEqual(REPLIES_MIN * PHASES.length)
  })
})

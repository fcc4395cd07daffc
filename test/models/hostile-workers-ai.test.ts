/** The table of hostile replies over Workers AI: each reply in each phase once and for ever, and in the modes that call tools natively. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeHostileWorld, openHostileWorld } from '../support/hostile-bench.ts'
import { speak, streamedCount } from '../support/hostile-kit.ts'
import { WORKERS_AI, WORKERS_AI_STREAMED } from '../support/tongues/workers-ai.ts'
import { endingOf, expectOneReply, expectReplyForEver } from './hostile-laws.ts'
import { proveModesInTurn } from './hostile-mode-laws.ts'
import { casesOf, HOSTILE, tableOf } from './hostile.ts'

beforeAll(() => openHostileWorld(WORKERS_AI))
afterAll(closeHostileWorld)
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.UTC(2026, 10, 21, 12, 0) })
})
afterEach(() => void vi.useRealTimers())

const TABLE = tableOf(WORKERS_AI)
const CASES = casesOf(TABLE)

describe('one hostile reply over Workers AI', () => {
  it.each(CASES.map((one) => [one.sentence, one] as const))('%s', (_, one) => expectOneReply(one))
})

describe('a hostile reply to every call over Workers AI', () => {
  it.each(CASES.map((one) => [endingOf(one), one] as const))('%s', (_, one) => expectReplyForEver(one))
})

proveModesInTurn(['session', 'autonomous'], TABLE)

describe('hostile replies over Workers AI, streamed', () => {
  beforeAll(() => speak(WORKERS_AI_STREAMED))
  afterAll(() => speak(WORKERS_AI))
  const table = tableOf(WORKERS_AI_STREAMED)

  // Requests for a form, as other modes make them, are not streamed.
  proveModesInTurn(['autonomous', 'session'], table)

  it('F70 was spoken', () => {
    expect(streamedCount()).toBeGreaterThan(table.length)
  })
})

it('F70 nearly all of the table makes sense over Workers AI', () => {
  expect(TABLE.length).toBeGreaterThanOrEqual(HOSTILE.length - 5)
})

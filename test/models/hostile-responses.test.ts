/** The table of hostile replies over Responses: each reply in each phase once and for ever, and in the modes that call tools natively. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeHostileWorld, openHostileWorld } from '../support/hostile-bench.ts'
import { speak, streamedCount } from '../support/hostile-kit.ts'
import { RESPONSES, RESPONSES_STREAMED } from '../support/tongues/responses.ts'
import { endingOf, expectOneReply, expectReplyForEver } from './hostile-laws.ts'
import { proveModesInTurn } from './hostile-mode-laws.ts'
import { casesOf, HOSTILE, tableOf } from './hostile.ts'

beforeAll(() => openHostileWorld(RESPONSES))
afterAll(closeHostileWorld)
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.UTC(2026, 10, 21, 12, 0) })
})
afterEach(() => void vi.useRealTimers())

const TABLE = tableOf(RESPONSES)
const CASES = casesOf(TABLE)

describe('one hostile reply over Responses', () => {
  it.each(CASES.map((one) => [one.sentence, one] as const))('%s', (_, one) => expectOneReply(one))
})

describe('a hostile reply to every call over Responses', () => {
  it.each(CASES.map((one) => [endingOf(one), one] as const))('%s', (_, one) => expectReplyForEver(one))
})

proveModesInTurn(['session', 'autonomous'], TABLE)

describe('hostile replies over Responses, streamed', () => {
  beforeAll(() => speak(RESPONSES_STREAMED))
  afterAll(() => speak(RESPONSES))
  const table = tableOf(RESPONSES_STREAMED)

  describe('one hostile reply', () => {
    it.each(casesOf(table).map((one) => [one.sentence, one] as const))('%s', (_, one) => expectOneReply(one))
  })

  proveModesInTurn(['autonomous', 'session'], table)

  it('F70 was spoken', () => {
    expect(streamedCount()).toBeGreaterThan(table.length)
  })
})

it('F70 nearly all of the table makes sense over Responses', () => {
  expect(TABLE.length).toBeGreaterThanOrEqual(HOSTILE.length - 2)
})

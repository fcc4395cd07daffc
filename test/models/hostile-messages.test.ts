/** The table of hostile replies over Messages: each reply in each phase once and for ever, and between replies that mean well in every mode. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { MODE_NAMES } from '../../src/core/terms/mode-names.ts'
import { closeHostileWorld, openHostileWorld } from '../support/hostile-bench.ts'
import { speak, streamedCount } from '../support/hostile-kit.ts'
import { MESSAGES, MESSAGES_STREAMED } from '../support/tongues/messages.ts'
import { endingOf, expectOneReply, expectReplyForEver } from './hostile-laws.ts'
import { proveModesInTurn } from './hostile-mode-laws.ts'
import { casesOf, HOSTILE, tableOf } from './hostile.ts'

beforeAll(() => openHostileWorld(MESSAGES))
afterAll(closeHostileWorld)
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.UTC(2026, 10, 21, 12, 0) })
})
afterEach(() => void vi.useRealTimers())

const TABLE = tableOf(MESSAGES)
const CASES = casesOf(TABLE)

describe('one hostile reply over Messages', () => {
  it.each(CASES.map((one) => [one.sentence, one] as const))('%s', (_, one) => expectOneReply(one))
})

describe('a hostile reply to every call over Messages', () => {
  it.each(CASES.map((one) => [endingOf(one), one] as const))('%s', (_, one) => expectReplyForEver(one))
})

proveModesInTurn(MODE_NAMES, TABLE)

describe('hostile replies over Messages, streamed', () => {
  beforeAll(() => speak(MESSAGES_STREAMED))
  afterAll(() => speak(MESSAGES))
  const table = tableOf(MESSAGES_STREAMED)

  describe('one hostile reply', () => {
    it.each(casesOf(table).map((one) => [one.sentence, one] as const))('%s', (_, one) => expectOneReply(one))
  })

  proveModesInTurn(['session', 'autonomous'], table)

  it('F70 was spoken', () => {
    expect(streamedCount()).toBeGreaterThan(table.length)
  })
})

it('F70 each reply with another fate over Messages is one of the table, and all of the table makes sense there', () => {
  const names = HOSTILE.map(({ name }) => name)
  expect(Object.keys(MESSAGES.fates).filter((name) => !names.includes(name))).toEqual([])
  expect(TABLE).toHaveLength(HOSTILE.length)
})

/**
 * The table of hostile replies against every mode there is, by its line in the registry: between replies that mean well each of them
 * comes again and again, and the task still comes to a named end, with an exact ledger and nothing shown that nobody may see.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { modeOf } from '../../src/core/modes/index.ts'
import { MODE_NAMES } from '../../src/core/terms/mode-names.ts'
import { closeHostileWorld, openHostileWorld } from '../support/hostile-bench.ts'
import { ended, file_waits, proveModes, proveTyped, refused, typed } from './hostile-mode-laws.ts'
import { HOSTILE } from './hostile.ts'

beforeAll(() => openHostileWorld())
afterAll(closeHostileWorld)
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.UTC(2026, 10, 21, 12, 0) })
})
afterEach(() => void vi.useRealTimers())

proveModes(MODE_NAMES, HOSTILE)
proveTyped(MODE_NAMES, HOSTILE)

it('U54 in each mode tasks ended with data, and some said why they could not', () => {
  for (const mode of MODE_NAMES) expect(typed.get(mode) ?? 0, mode).toBeGreaterThan(9)
  expect(typed.get('result_unmet') ?? 0).toBeGreaterThan(0)
})

it.each(MODE_NAMES.filter((mode) => modeOf(mode).fileRequest !== undefined))(
  'F70 U36 tasks of mode %s waited for files',
  (mode) => expect(file_waits.get(mode) ?? 0).toBeGreaterThan(9),
)

it('F70 commands were handed out, reported and refused, and tasks of mode orchestrator reached each of their ends', () => {
  const codes = ['wrong_command', 'delegation_not_found', 'already_reported', 'delegation_expired']
  expect([...refused.keys()].toSorted()).toEqual(codes.toSorted())
  for (const end of ['done', 'aborted', 'step_failed', 'contract_failures', 'budget_exhausted:steps'])
    expect(ended.get(end) ?? 0, end).toBeGreaterThan(0)
})

/** A row of a journal for tests, closed and paid for unless they say otherwise. */
import type { JournalEntry } from '../../src/console/api/wire.ts'

export const journalRow = (row: Partial<JournalEntry> & { seq: number }): JournalEntry => ({
  kind: 'call_model',
  phase: 'thought',
  counted: true,
  outcome: 'ok',
  tokens: {
    input: 10,
    output: 5,
    kinds: { input: 10, cache_read: 0, cache_write: 0, image: 0, output: 5, reasoning: 0 },
  },
  charged_tokens: 15,
  cost_usd: '0.000100',
  price_version: null,
  endpoint: null,
  over_reserve: false,
  model: 'm',
  attempt: 1,
  started_at: '2026-03-02T09:00:00.000Z',
  finished_at: '2026-03-02T09:00:01.500Z',
  duration_ms: 1_500,
  request: null,
  request_exact: true,
  reply: null,
  ...row,
})

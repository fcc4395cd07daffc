/** What GET /limits answers, as an example: a tenant with totals, and a key that may spend a part of them. */
import type { LimitsView } from '../../core/shown/limits-view.ts'

const [DAY, MONTH] = ['2026-11-22T00:00:00.000Z', '2026-12-01T00:00:00.000Z']

export const LIMITS_EXAMPLE: LimitsView = {
  as_of: '2026-11-21T12:00:00.000Z',
  tenant: {
    rate_per_minute: 600,
    open_tasks: { max: 1_000, used: 12, remaining: 988 },
    stored_bytes: { max: 1_073_741_824, used: 5_242_880, remaining: 1_068_498_944 },
    tokens: {
      day: { max: 2_000_000, used: 350_000, remaining: 1_650_000, resets_at: DAY },
      month: { max: 30_000_000, used: 8_400_000, remaining: 21_600_000, resets_at: MONTH },
    },
    cost_usd: {
      day: null,
      month: { max: '500.000000', used: '123.450000', remaining: '376.550000', resets_at: MONTH },
    },
    models: null,
    hosts: ['api.example.com', '*.example.org'],
  },
  key: {
    name: 'key_5sQb0d3rXk2v',
    rate_per_minute: 60,
    open_tasks: { max: 10, used: 2, remaining: 8 },
    tokens: { day: { max: 100_000, used: 40_000, remaining: 60_000, resets_at: DAY }, month: null },
    cost_usd: { day: null, month: null },
    models: ['fast'],
  },
}

/** The limits of tenants and keys alone: which are in force, and what fits into all totals at once. */
import { describe, expect, it } from 'vitest'
import { commonModels, NO_RULES, rulesWithin, isAllowedModel } from '../../../src/core/engine/model-rules.ts'
import {
  KeyLimits,
  NO_KEY_LIMITS,
  NO_TENANT_LIMITS,
  TenantLimits,
  type TenantLimits as SetLimits,
} from '../../../src/core/registry/limits.ts'
import { limitedKey } from '../../../src/core/terms/values/limited-key.ts'
import {
  boundedTotals,
  chunkFor,
  fullAxis,
  lackingAxis,
  refuseSpent,
  type DailySpend,
  type SpendLimits,
} from '../../../src/core/workspace/daily-totals.ts'
import { isMoneyBounded, limitsInForce, spendLimitsOf, workLimitsOf } from '../../../src/core/workspace/limits.ts'

const CONFIGURED = {
  rate_per_minute: 600,
  open_tasks: 1_000,
  stored_bytes: 1_000_000,
  daily: { tokens: 50_000, cost: null },
  models: null,
}
const under = (tenant: Partial<SetLimits> | null, key: Partial<KeyLimits> | null = null) =>
  limitsInForce(
    CONFIGURED,
    tenant === null ? null : { ...NO_TENANT_LIMITS, ...tenant },
    key === null ? null : { name: 'key_a', limits: { ...NO_KEY_LIMITS, ...key } },
  )

describe('LIM-01 the limits in force', () => {
  it('LIM-01 are those of the configuration where the registry says nothing', () => {
    for (const limits of [under(null), under({})])
      expect(limits.tenant).toEqual({
        rate_per_minute: 600,
        open_tasks: 1_000,
        stored_bytes: 1_000_000,
        daily: { tokens: 50_000, cost: null },
        monthly: { tokens: null, cost: null },
        models: null,
        hosts: null,
      })
    expect([under(null).is_registered, under({}).is_registered, under(null, {}).is_registered]).toEqual([
      false,
      true,
      true,
    ])
  })

  it('LIM-01 of a tenant stand in place of the configuration, also where they are wider', () => {
    const limits = under({ rate_per_minute: 9_000, open_tasks: 5, tokens_per_day: 90_000, cost_usd_per_month: '12.50' })
    expect(limits.tenant).toMatchObject({
      rate_per_minute: 9_000,
      open_tasks: 5,
      daily: { tokens: 90_000, cost: null },
      monthly: { tokens: null, cost: 12_500_000 },
    })
    expect(isMoneyBounded(limits)).toBe(true)
  })

  it('LIM-01 of a key count beside those of its tenant, and are not widened by null', () => {
    const limits = under({ open_tasks: 5 }, { open_tasks: 9, tokens_per_month: 100 })
    expect(workLimitsOf(limits)).toEqual({
      open_max: 5,
      key_open_max: 9,
      daily: { tokens: 50_000, cost: null },
      monthly: { tokens: null, cost: null },
      key: { name: 'key_a', daily: { tokens: null, cost: null }, monthly: { tokens: 100, cost: null } },
    })
    expect(workLimitsOf(under({}, {}))).not.toHaveProperty('key_open_max')
    expect(spendLimitsOf(under({}))).not.toHaveProperty('key')
  })

  it('LIM-11 only a key of the registry is asked about and counted', () => {
    expect([limitedKey('key_1'), limitedKey('env_1'), limitedKey('me@example.com'), limitedKey(null)]).toEqual([
      'key_1',
      null,
      null,
      null,
    ])
  })

  it.each([
    ['rate_per_minute', [0, -1, 1.5, 1e12, '5', Number.NaN, Infinity]],
    ['open_tasks', [0, -1, 1.5, 1e12, true]],
    ['stored_bytes', [0, -1, 0.5, Number.MAX_SAFE_INTEGER + 1]],
    ['tokens_per_day', [0, -1, 0.5, 1e300]],
    ['tokens_per_month', [0, -1, 0.5, {}]],
    ['cost_usd_per_day', ['-1', '1e3', 1, '1.0000001', '']],
    ['cost_usd_per_month', ['-0.1', 'NaN', 0]],
    ['models', [[], [''], 'gpt', [1]]],
    ['hosts', [[], ['https://a.example'], ['A.example'], ['*'], ['a b']]],
  ])('LIM-01 %s that makes no sense is not taken', (name, values) => {
    for (const value of values)
      expect([name, value, TenantLimits.safeParse({ ...NO_TENANT_LIMITS, [name]: value }).success]).toEqual([
        name,
        value,
        false,
      ])
    expect(KeyLimits.safeParse({ ...NO_KEY_LIMITS, hosts: ['a.example'] }).success).toBe(false)
  })
})

const NOTHING: DailySpend = { tokens: 0, cost: 0 }
type Spent = Partial<Record<'tenant day' | 'tenant month' | 'key day' | 'key month', DailySpend>>
const totals = (limits: SpendLimits, spent: Spent = {}) =>
  boundedTotals(limits, (holder, period) => spent[`${holder} ${period}`] ?? NOTHING)
const tokens = (most: number | null) => ({ tokens: most, cost: null })
const DAY = '2026-11-21'
const ALL: SpendLimits = {
  daily: tokens(1_000),
  monthly: tokens(5_000),
  key: { name: 'key_a', daily: tokens(500), monthly: { tokens: 2_000, cost: 100 } },
}

describe('LIM-04 a chunk of several totals', () => {
  it('LIM-04 only totals with a bound are read', () => {
    const read: string[] = []
    boundedTotals({ ...ALL, daily: tokens(null) }, (holder, period) => {
      read.push(`${holder} ${period}`)
      return NOTHING
    })
    expect(read).toEqual(['tenant month', 'key day', 'key month'])
  })

  it.each([
    ['a sixteenth of the smallest rest', {}, 31],
    ['of what is left of the month of the tenant', { 'tenant month': { tokens: 4_900, cost: 0 } }, 10],
    ['of what is left of the day of the key', { 'key day': { tokens: 340, cost: 0 } }, 10],
    ['one call where just one is left of the month of the key', { 'key month': { tokens: 1_990, cost: 0 } }, 10],
    ['nothing where less is left of the month of the key', { 'key month': { tokens: 1_991, cost: 0 } }, null],
    ['nothing where less is left of the day of the tenant', { 'tenant day': { tokens: 991, cost: 0 } }, null],
    ['nothing for want of the money of the key', { 'key month': { tokens: 0, cost: 96 } }, null],
  ] satisfies [string, Spent, number | null][])('LIM-04 is %s', (_name, spent, given) => {
    expect(chunkFor({ tokens: 10, cost: 5 }, totals(ALL, spent), DAY)?.tokens ?? null).toBe(given)
  })

  it('LIM-04 never exceeds a total, whatever is spent of the others and whatever was lowered below what is spent', () => {
    for (let seed = 1; seed <= 2_000; seed++) {
      const draw = (most: number) => (seed * 7919 * (most + 13)) % most
      const spent: Spent = {
        'tenant day': { tokens: draw(1_200), cost: 0 },
        'tenant month': { tokens: draw(5_300), cost: 0 },
        'key day': { tokens: draw(600), cost: 0 },
        'key month': { tokens: draw(2_100), cost: draw(120) },
      }
      const want = { tokens: 1 + draw(90), cost: draw(9) }
      const all = totals(ALL, spent)
      const chunk = chunkFor(want, all, DAY)
      for (const { limits, spent: used } of all)
        for (const axis of ['tokens', 'cost'] as const)
          expect((limits[axis] ?? Infinity) - used[axis] >= (chunk?.[axis] ?? -Infinity)).toBe(true)
      if (chunk !== null) expect(chunk.tokens).toBeGreaterThanOrEqual(want.tokens)
      expect(chunk === null).toBe(lackingAxis(want, all, DAY) !== null)
    }
  })
})

describe('LIM-05 a total without room', () => {
  it('LIM-05 is named by its holder, its period and its axis, the one that lasts longest first', () => {
    const spent = { 'key day': { tokens: 500, cost: 0 }, 'key month': { tokens: 0, cost: 100 } }
    expect(fullAxis(totals(ALL, spent))).toEqual({ holder: 'key', period: 'month', axis: 'cost', limit: 100 })
    expect(fullAxis(totals(ALL, { 'tenant day': { tokens: 1_000, cost: 0 } }))).toEqual({
      holder: 'tenant',
      period: 'day',
      axis: 'tokens',
      limit: 1_000,
    })
    expect(fullAxis(totals(ALL, { 'tenant day': { tokens: 999, cost: 9e9 } }))).toBeNull()
  })

  it.each([
    ['day', Date.UTC(2026, 10, 30, 23, 59, 59), 1, '2026-12-01T00:00:00.000Z'],
    ['month', Date.UTC(2026, 10, 30, 23, 59, 59), 1, '2026-12-01T00:00:00.000Z'],
    ['month', Date.UTC(2026, 11, 31, 12), 43_200, '2027-01-01T00:00:00.000Z'],
    ['month', Date.UTC(2028, 1, 1), 29 * 86_400, '2028-03-01T00:00:00.000Z'],
    ['day', Date.UTC(2026, 0, 1), 86_400, '2026-01-02T00:00:00.000Z'],
  ] as const)('LIM-05 a %s begins anew as the calendar of UTC says', (period, now_ms, seconds, at) => {
    const spent = { holder: 'tenant', period, axis: 'tokens', limit: 1 } as const
    const { refusal } = refuseSpent(spent, now_ms)
    expect(refusal).toMatchObject({ reset_s: seconds, resets_ms: Date.parse(at) })
  })
})

describe('LIM-08 the models of a tenant and a key', () => {
  const rules = { ...NO_RULES, names: ['gpt-5', 'mini'], default_names: ['default', 'gpt-5'] }
  it.each([
    [null, null, null],
    [['mini'], null, ['mini']],
    [null, ['mini'], ['mini']],
    [['mini', 'gpt-5'], ['default'], ['gpt-5']],
    [['default', 'mini'], ['gpt-5', 'other'], ['default']],
    [['mini'], ['gpt-5'], []],
  ])('LIM-08 of %o and %o are %o', (tenant, key, both) => {
    expect(commonModels(rules, tenant, key)).toEqual(both)
  })

  it('LIM-08 are never more than tasks may name, and none where no name is left', () => {
    const within = (models: string[]) => rulesWithin(rules, 'acme', models)
    expect(isAllowedModel(within(['mini', 'unknown']), 'acme', 'unknown')).toBe(false)
    expect(isAllowedModel(within(['mini', 'unknown']), 'acme', 'mini')).toBe(true)
    expect(isAllowedModel(within([]), 'acme', null)).toBe(false)
    expect(isAllowedModel(within([]), 'other', null)).toBe(true)
    expect(rulesWithin(rules, 'acme', null)).toBe(rules)
  })
})

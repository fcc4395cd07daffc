/** Bodies with more members than any schema takes: refused by name, and soon. */
import { describe, expect, it } from 'vitest'
import { textErrors } from '../../src/http/gate/text-safety.ts'
import { checkFields } from '../../src/http/gate/field-check.ts'
import { CreateTask } from '../../src/http/shapes/task-requests.ts'
import { cpuWithin } from '../growth/measure.ts'

const BOUND_MS = 50
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]))

describe('a body of a megabyte', () => {
  it.each<[string, object, string, string]>([
    ['300,000 tools', { tools: Array(300_000).fill(1) }, '/tools', 'tools must be at most 32'],
    ['60,000 empty tools', { tools: Array.from({ length: 60_000 }, () => ({})) }, '/tools', 'tools must be at most 32'],
    ['60,000 unknown fields', keys(60_000), '/k0', expect.stringContaining('unknown field "k0"; known: goal,')],
    [
      '60,000 unknown settings',
      { settings: keys(60_000) },
      '/settings/k0',
      expect.stringContaining('unknown setting "k0"; known: max_steps,'),
    ],
    ['60,000 labels', { metadata: keys(60_000) }, '/metadata', 'metadata must have at most 1000 members'],
    [
      '300,000 templates',
      { settings: { plan_templates: Array(300_000).fill(1) } },
      '/settings/plan_templates',
      'settings.plan_templates must be a list of at most 20',
    ],
  ])('with %s is refused by the field within 50 ms', async (_, more, pointer, message) => {
    const body = { goal: 'x', ...more }
    const read = () => (textErrors(body).length > 0 ? null : checkFields(CreateTask, body))
    const outcome = read()
    expect(outcome).toMatchObject({ ok: false, refusal: { code: 'validation_failed' } })
    const errors = outcome?.ok === false && 'errors' in outcome.refusal ? outcome.refusal.errors : []
    expect(errors[0]).toEqual({ pointer, message })
    expect(errors.length).toBeLessThanOrEqual(20)
    expect(await cpuWithin(BOUND_MS, read)).toBeLessThanOrEqual(BOUND_MS)
  })

  it('with ninety fields too many has each of the first twenty named', () => {
    const outcome = checkFields(CreateTask, { goal: 'x', ...keys(90) })
    const errors = !outcome.ok && 'errors' in outcome.refusal ? outcome.refusal.errors : []
    expect(errors.map(({ pointer }) => pointer)).toEqual(Array.from({ length: 20 }, (_, at) => `/k${at}`))
  })
})

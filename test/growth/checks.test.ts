/** The arguments of all calls of one reply are held against their schemas in a bounded number of steps, whatever their shape. */
import { describe, expect, it } from 'vitest'
import { CHECK_STEPS_MAX, newCheckBudget } from '../../src/core/terms/schema/checks.ts'
import type { JsonSchema } from '../../src/core/terms/schema/json-schema.ts'
import type { ClientTool } from '../../src/core/terms/tools/client-tools.ts'
import { fits } from '../../src/store/fits.ts'
import { stepsWithin } from '../../src/store/schema-steps.ts'
import { httpTool } from '../../src/tools/http-tool.ts'
import { CALL, NEWER } from '../support/remote-tool.ts'
import { rowsIn } from '../core/session/support.ts'
import { benchOf, calling, clientToolsOf, createTask } from '../support/scripted.ts'
import { boundOf, cpuWithin } from './measure.ts'

const BOUND_MS = boundOf(50)
const CALLS = 32
const times = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at))
const record = (count: number, of: (at: number) => unknown) =>
  Object.fromEntries(times(count, (at) => [`k${at}`, of(at)]))
const within = (levels: number, leaf: JsonSchema): JsonSchema =>
  levels === 0 ? leaf : { anyOf: [{ const: 1 }, within(levels - 1, leaf)] }
const names = times(3_000, (at) => `n${at}`)

/** What is held against what, small enough that a task may bring it and a reply say it 32 times. */
const SHAPES: [string, JsonSchema, unknown][] = [
  ['a choice of 480 values', { items: { anyOf: times(480, (at) => ({ const: `p${at}` })) } }, times(120, () => 'p479')],
  [
    'a choice of 480 types',
    { items: { anyOf: times(480, () => ({ type: ['null', 'integer'] })) } },
    times(120, () => 1),
  ],
  ['choices in choices', { items: within(28, { type: 'string' }) }, times(250, () => 'x')],
  [
    'a list of types',
    { items: { anyOf: times(40, () => ({ type: [...times(70, () => 'null'), 'integer'] })) } },
    times(60, () => 1),
  ],
  ['3,000 names, none there', { anyOf: times(19, () => ({ required: names })) }, {}],
  ['3,000 names far down', within(28, { required: names }), {}],
  ['lists of values in a choice', { items: { anyOf: times(20, () => ({ enum: names })) } }, ['x']],
  [
    'objects to compare with',
    { anyOf: times(4, () => ({ enum: times(100, (at) => ({ at })) })) },
    record(200, () => 1),
  ],
  ['a long name', { anyOf: times(90, () => ({ additionalProperties: {} })) }, { ['~/'.repeat(1_000)]: 1 }],
  [
    'many names that do not fit',
    { anyOf: times(240, () => ({ additionalProperties: { type: 'null' } })) },
    record(70, () => 1),
  ],
  ['a long text', { anyOf: times(480, () => ({ minLength: 3 })) }, 'x'.repeat(1_900)],
  [
    'points in time',
    { items: { anyOf: times(480, () => ({ format: 'date-time' })) } },
    times(35, () => '2026-11-23T09:00:00Z'),
  ],
  ['lists that fit', { anyOf: times(240, () => ({ items: { type: 'string' } })) }, times(120, () => 'x')],
]

const toolOf = (schema: object, name = 'place'): ClientTool => ({
  name,
  description: '',
  parameters: { type: 'object', properties: { list: schema } },
  url: 'https://example.com/tools',
  idempotent: false,
})
const answered = async () => Response.json({ status: 'success' })
const remote = (tool: ClientTool) =>
  httpTool({ fetch: answered, secrets: new Map([['acme', [NEWER]]]), loopback: false, fits, now_ms: () => 0 }, tool)

/** The arguments of the calls of one reply: only what is computed for them, nothing is sent. */
function check(tools: ClientTool[], list: unknown) {
  const checks = newCheckBudget()
  const unsigned = { fetch: answered, secrets: new Map(), loopback: false, fits, now_ms: () => 0 }
  const input = JSON.stringify({ list })
  return Promise.all(tools.map((tool) => httpTool(unsigned, tool).run(input, { ...CALL, checks })))
}

describe('32 calls of one reply', () => {
  it.each(SHAPES)('are checked in a moment: %s', async (_, schema, list) => {
    // Each call comes with a copy of the tool, as from the object of the task.
    const calls = () => check(structuredClone(times(CALLS, () => toolOf(schema))), list)
    expect((await calls()).at(-1)?.text).toMatch(/ it is too large for its schema: /)
    expect(await cpuWithin(BOUND_MS, calls, 8)).toBeLessThanOrEqual(BOUND_MS)
  })

  it('of 32 tools with many parts each are checked in a moment', async () => {
    const shared = { anyOf: times(240, () => ({ $ref: '#/$defs/a' })) }
    const tools = times(CALLS, (at) => toolOf(shared, `place_${at}`)).map((tool) => ({
      ...tool,
      parameters: { ...tool.parameters, $defs: { a: { type: 'string' } } },
    }))
    const calls = () => check(structuredClone(tools), 'x')
    expect((await calls()).at(-1)?.text).toMatch(/ it is too large for its schema: /)
    expect(await cpuWithin(BOUND_MS, calls, 8)).toBeLessThanOrEqual(BOUND_MS)
  })

  it('have the steps together: those beyond are failed actions by the name of the limit, and the next reply has all again', async () => {
    const schema = { type: 'array', items: { anyOf: times(100, (at) => ({ const: `p${at}` })) } }
    const call = (at: number): [string, object] => ['place', { list: times(100 + at, () => 'p99') }]
    const bench = benchOf(
      { turn: [calling('', ...times(CALLS, call)), calling('', call(0)), 'Done.'] },
      { client_tools: clientToolsOf(remote) },
    )
    const more = { mode: 'session', tools: [toolOf(schema)] }
    const task = await createTask(bench, {}, { rounds: 9, max_ms: 25_000 }, more)
    const rows = rowsIn(bench, task.id)
    const events = times(rows.records.size, (at) => rows.closed(at + 1)?.event)
    const told = events.flatMap((event) => (event?.kind === 'tool_returned' ? [event] : []))
    expect(told.map(({ ok }) => ok)).toEqual([...times(CALLS, (at) => at < 4), true])
    for (const { code, text } of told.slice(4, CALLS)) {
      expect(code).toBe('usage_error')
      expect(text).toBe(
        'not called: the arguments do not fit the parameters: it is too large for its schema: checking it takes more than 60000 steps, with the calls before it in the same reply; send less at a time',
      )
    }
  })

  it('of ordinary size are all made, and one that is too large stops only itself', async () => {
    const schema = {
      type: 'array',
      items: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    }
    const checks = newCheckBudget()
    const input = JSON.stringify({ list: times(80, (id) => ({ id })) })
    const call = (text: string) => remote(toolOf(schema)).run(text, { ...CALL, checks })
    expect(await call(JSON.stringify({ list: times(30_000, (id) => ({ id })) }))).toMatchObject({ ok: false })
    for (const _ of times(CALLS, () => 0)) expect(await call(input)).toMatchObject({ ok: true, code: 'success' })
  })
})

it('no step takes longer than the others may: a check that uses all of them stays within the bound', async () => {
  for (const [name, schema, value] of SHAPES) {
    // As many of the value as the steps allow.
    const steps = stepsWithin(CHECK_STEPS_MAX, schema, value) ?? CHECK_STEPS_MAX
    const all = () => times(Math.floor(CHECK_STEPS_MAX / steps), () => fits(schema, value))
    expect(await cpuWithin(BOUND_MS, all, 8), name).toBeLessThanOrEqual(BOUND_MS)
  }
})

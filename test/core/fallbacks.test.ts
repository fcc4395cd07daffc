/** Fallback lists: which endpoint is asked after which, what it costs, when the first is asked again, and that the lists are frozen. */
import { describe, expect, it } from 'vitest'
import { fallbacksFor } from '../../src/core/engine/model-choice.ts'
import { modelsWithoutPrice } from '../../src/core/engine/budgetable.ts'
import { NO_RULES, type ModelRules } from '../../src/core/engine/model-rules.ts'
import { forecast } from '../../src/core/engine/forecast/forecast.ts'
import { Job } from '../../src/core/protocol/alarm-times.ts'
import type { PriceTable } from '../../src/core/terms/money.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import { runJob } from '../../src/shell/jobs/jobs.ts'
import { complaint, EQUAL, forkOf, recordsOf, replayOf, storedRows } from '../support/forks.ts'
import {
  ALL,
  benchOf,
  calling,
  CALLER,
  closed,
  createTask,
  done,
  FREE,
  journalOf,
  MANUAL,
  NONE,
  ONE,
  planned,
  rowsOf,
  say,
  step,
  taken,
  types,
  type Bench,
  type Script,
} from '../support/scripted.ts'

/** A million tokens of `strong` cost ten times as much as those of `fast`. */
const PRICES: PriceTable = {
  version: 'v1',
  default_model: 'mini',
  models: { mini: { input: 1_000_000, output: 1_000_000 } },
  every: null,
  endpoints: {
    default: { model: 'mini', rates: null },
    fast: { model: 'mini', rates: null },
    strong: { model: 'large', rates: { input: 10_000_000, output: 10_000_000 } },
    last: { model: 'mini', rates: null },
  },
}
const LISTS = { fast: ['strong', 'last'] }
const down = (count: number) => Array.from({ length: count }, () => new Error('HTTP 503'))

const begin = (script: Script, settings: Partial<Settings> = {}, fallbacks: Record<string, string[]> = LISTS) => {
  const bench = benchOf(script, {}, PRICES)
  return { bench, made: createTask(bench, { model: 'fast', ...settings }, NONE, { fallbacks }) }
}
const asked = (bench: Bench) => bench.requests.map(({ model, metadata }) => `${metadata.phase} ${model}`)
const guards = (task: { slice: { events: { type: string; payload: unknown }[] } | null }) =>
  task.slice?.events.flatMap(({ type, payload }) => (type === 'loop_guard' ? [payload] : [])) ?? []
const headOf = (bench: Bench, id: string) => storedRows(bench, id).last()?.head

describe('a fallback list', () => {
  it('U9 after as many failures in a row as pause a task, the next name is asked at once, with a streak of its own', async () => {
    const { bench, made } = begin({ plan: [planned('A')], thought: [...down(3), done()], replan: [closed()] })
    const { id } = await made
    const first = await step(bench, id)
    expect([first.status, first.retry_after_ms]).toEqual(['running', 1_000])
    const second = await step(bench, id, { rounds: 2, max_ms: 25_000 })
    expect(asked(bench)).toEqual(['plan fast', 'thought fast', 'thought fast', 'thought strong'])
    expect(guards(second)).toMatchObject([
      { guard: 'model_fallback', count: 2, evidence: 'fast: HTTP 503', from: 'fast', to: 'strong' },
    ])
    expect(headOf(bench, id)).toMatchObject({ given_up: ['fast'], streak: { count: 1, max: null }, unavailable: 0 })
    const last = await step(bench, id, ALL)
    expect(last.status).toBe('completed')
    expect(asked(bench).slice(4)).toEqual(['thought strong', 'replan strong'])
    expect((await journalOf(bench, id)).map(({ endpoint }) => endpoint)).toEqual([
      null,
      null,
      null,
      null,
      'strong',
      'strong',
      'strong',
    ])
    bench.spent()
  })

  it('U9 the task pauses after the last name, whose names the text tells, and a "continue" begins with the first', async () => {
    const { bench, made } = begin({
      plan: [planned('A')],
      thought: [...down(6), done()],
      replan: [closed()],
    })
    const { id } = await made
    let task = await step(bench, id, ALL)
    for (let left = 6; left > 0 && task.status === 'running'; left--) task = await step(bench, id, ALL)
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'model_unavailable' })
    expect(task.handover?.unfinished_reason).toBe('The model is unavailable (fast, strong, last): HTTP 503')
    expect(asked(bench)).toEqual([
      'plan fast',
      ...['fast', 'fast', 'strong', 'strong', 'last', 'last'].map((name) => `thought ${name}`),
    ])
    expect(headOf(bench, id)).toMatchObject({ given_up: [], unavailable: 1 })
    expect((await say(bench, id, 'continue', ALL)).status).toBe('completed')
    expect(asked(bench).slice(-2)).toEqual(['thought fast', 'replan fast'])
    bench.spent()
  })

  it('U9 a pause for another reason begins with the first name again, too', async () => {
    const { bench, made } = begin({ plan: [planned('A')], thought: [...down(2), done()], replan: [closed()] })
    const { id } = await made
    await step(bench, id)
    await step(bench, id)
    expect(headOf(bench, id)?.given_up).toEqual(['fast'])
    await bench.service.tellTask(CALLER, id, { kind: 'pause' })
    await bench.service.tellTask(CALLER, id, { kind: 'resume' })
    expect(headOf(bench, id)?.given_up).toEqual([])
    await step(bench, id, ALL)
    expect(asked(bench).slice(-2)).toEqual(['thought fast', 'replan fast'])
  })

  it('U14 a top-up of what paused the task begins with the first name, too', async () => {
    const { bench, made } = begin(
      { plan: [planned('A')], thought: [...down(2), done()], replan: [closed()] },
      { max_steps: 2 },
    )
    const { id } = await made
    await step(bench, id)
    await step(bench, id)
    expect(await step(bench, id)).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:steps' })
    expect(headOf(bench, id)?.given_up).toEqual(['fast'])
    await bench.service.tellTask(CALLER, id, { kind: 'top_up', add: { steps: 5 } })
    expect(headOf(bench, id)).toMatchObject({ given_up: [], pause_reason: null })
    expect((await step(bench, id, ALL)).status).toBe('completed')
    expect(asked(bench).slice(-2)).toEqual(['thought fast', 'replan fast'])
  })

  it('U20 a driven task tries again by itself, and begins with the first name', async () => {
    const bench = benchOf({ plan: [...down(6), planned('A')], thought: [done()], replan: [closed()] }, {}, PRICES)
    const settings = Settings.parse({ model: 'fast', plan_retries: 2 })
    const about = { goal: 'g', mode: 'plan_execute', settings, locale: 'en' as const, timezone: 'UTC', metadata: {} }
    const task = { ...about, ...MANUAL, drive: 'background' as const, fallbacks: { fast: ['strong'] } }
    const { id } = taken(await bench.service.createTask(CALLER, task, NONE))
    const drive = (kind: 'drive' | 'tend') =>
      runJob(bench.ports, Job.parse({ kind, tenant: CALLER.tenant, task: id, version: 1, asked_ms: bench.clock.now }))
    await drive('drive')
    expect(headOf(bench, id)?.pause_reason).toEqual({ kind: 'model_unavailable' })
    bench.clock.now += 60_000
    await drive('tend')
    await drive('drive')
    const names = ['fast', 'fast', 'fast', 'strong', 'strong', 'strong', 'fast']
    expect(asked(bench).slice(0, 7)).toEqual(names.map((name) => `plan ${name}`))
  })

  it('U8 the attempts at a plan go on at the next name in the same request', async () => {
    const { bench, made } = begin({ plan: [...down(3), planned('A')] }, { plan_retries: 2 })
    const task = await made
    expect([task.status, task.retry_after_ms]).toEqual(['running', null])
    expect(asked(bench)).toEqual(['plan fast', 'plan fast', 'plan fast', 'plan strong'])
    expect(types(task).slice(0, 3)).toEqual(['task_created', 'loop_guard', 'plan_created'])
  })

  it('U9 a reply that breaks its contract gives up no endpoint, and ends the task as before', async () => {
    const { bench, made } = begin({ plan: [planned('A')], thought: ['bad', 'bad'] })
    const { id } = await made
    expect(await step(bench, id, ALL)).toMatchObject({ status: 'failed', stop_reason: 'contract_failures' })
    expect(asked(bench)).toEqual(['plan fast', 'thought fast', 'thought fast'])
  })

  it('U9 failures at two endpoints are never added up: a good reply between them ends the streak', async () => {
    const { bench, made } = begin(
      { plan: [planned('A')], thought: [new Error('x'), done()], replan: [new Error('x'), closed()] },
      { models: { replan: 'last' } },
    )
    const { id } = await made
    await step(bench, id, ALL)
    await step(bench, id, ALL)
    expect((await step(bench, id, ALL)).status).toBe('completed')
    expect(asked(bench)).toEqual(['plan fast', 'thought fast', 'thought fast', 'replan last', 'replan last'])
  })

  it('an endpoint that was given up in one phase is not asked in another', async () => {
    const { bench, made } = begin(
      { plan: [...down(1), ...down(1), planned('A')], thought: [done()], replan: [closed()] },
      { plan_retries: 0, models: { thought: 'strong' } },
      { fast: ['strong', 'last'], strong: ['last'] },
    )
    const { id } = await made
    expect((await step(bench, id, ALL)).status).toBe('completed')
    expect(asked(bench)).toEqual(['plan fast', 'plan strong', 'plan last', 'thought last', 'replan last'])
  })

  it('of the default is used where the task names none', async () => {
    const { bench, made } = begin({ plan: [...down(3), planned('A')] }, { model: null }, { default: ['strong'] })
    await made
    expect(asked(bench)).toEqual(['plan null', 'plan null', 'plan null', 'plan strong'])
  })

  it('is looked up by name, and a name of every object has none', async () => {
    const { bench, made } = begin({ plan: down(3) }, { model: 'constructor' })
    expect(await made).toMatchObject({ status: 'paused', stop_reason: 'model_unavailable' })
    expect(asked(bench)).toEqual(Array.from({ length: 3 }, () => 'plan constructor'))
  })

  it('U14 a failed side turn gives up nothing', async () => {
    const bench = benchOf({ turn: [calling('[Step] A', ['todo', { command: '/todo list' }]), ...down(1)] }, {}, PRICES)
    const { id } = await createTask(bench, { model: 'fast', failure_limit: 1 }, ONE, {
      mode: 'session',
      fallbacks: LISTS,
    })
    await bench.service.tellTask(CALLER, id, { kind: 'pause' })
    await say(bench, id, 'why?', ONE)
    bench.spent()
    expect(headOf(bench, id)).toMatchObject({ given_up: [], pause_reason: { kind: 'user' } })
  })

  it('U20 the next run of a session begins with the first name', async () => {
    const bench = benchOf({ turn: [...down(1), 'It is done.', 'Again.'] }, {}, PRICES)
    const settings = { model: 'fast', failure_limit: 1 }
    const { id } = await createTask(
      bench,
      settings,
      { rounds: 2, max_ms: 25_000 },
      { mode: 'session', fallbacks: LISTS },
    )
    expect(headOf(bench, id)).toMatchObject({ given_up: ['fast'], end: { status: 'completed' } })
    await say(bench, id, 'and now?', ONE)
    expect(asked(bench)).toEqual(['turn fast', 'turn strong', 'turn fast'])
  })
})

describe('what a fallback costs', () => {
  it('U11 is reserved and charged at the price of the endpoint that is asked', async () => {
    const { bench, made } = begin({ plan: [...down(3), planned('A')] })
    const { id } = await made
    const rows = recordsOf(bench, id).map(({ reserved }) => JSON.parse(reserved ?? 'null') as null | { price: object })
    expect(rows.map((reserved) => reserved?.price)).toEqual([
      undefined,
      ...[1, 2, 3].map(() => ({ version: 'v1', input: 1_000_000, output: 1_000_000 })),
      { version: 'v1', input: 10_000_000, output: 10_000_000 },
    ])
    // An HTTP error costs nothing; 15 tokens of `strong` cost 150 micro-dollars.
    expect(headOf(bench, id)?.budget).toMatchObject({ tokens: { used: 15 }, cost: { used: 150 } })
    expect((await journalOf(bench, id)).at(-1)).toMatchObject({
      cost_usd: '0.000150',
      endpoint: 'strong',
      model: 'scripted',
    })
  })

  it('D5 that does not fit into what is left of the money pauses the task, although the first endpoint would fit', async () => {
    const { bench, made } = begin({ plan: down(3) }, { max_cost_usd: '0.02', max_output_tokens: 1_000 })
    expect(await made).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:cost_usd' })
    expect(asked(bench)).toHaveLength(3)
  })

  it('D5 has to be known of every name of the lists, if the money of the task is bounded', () => {
    const prices = { ...PRICES, models: {}, every: null }
    const task = { mode: 'plan_execute', settings: Settings.parse({ model: 'strong', max_cost_usd: '1' }) }
    expect(modelsWithoutPrice({ ...task, fallbacks: {} }, prices, false)).toEqual([])
    expect(modelsWithoutPrice({ ...task, fallbacks: { strong: ['fast', 'last'] } }, prices, false)).toEqual([
      'fast',
      'last',
    ])
  })

  it('U26 the worst case of a forecast counts the calls of all names, at the dearest price', () => {
    const settings = Settings.parse({ model: 'fast', plan_retries: 4 })
    const task = { mode: 'plan_execute', settings, tools: [] }
    const [one, all] = [{}, LISTS].map(
      (fallbacks) => forecast({ ...task, fallbacks }, 1, [], { prices: PRICES, now_ms: 0 }).worst_case,
    )
    // Each of the two other names may fail five times, and its calls cost ten times as much.
    expect(one?.seconds).toBe((25 + 1) * 60 + 10 * 55)
    expect(all?.seconds).toBe((25 + 1 + 10) * 60 + 10 * 55)
    expect(Number(all?.cost_usd) / Number(one?.cost_usd)).toBeCloseTo((10 * 36) / 26, 3)
  })
})

describe('frozen lists', () => {
  const RULES: ModelRules = {
    names: ['fast', 'strong', 'last'],
    default_names: ['default', 'fast'],
    tenants: { acme: ['fast', 'last'] },
    fallbacks: { default: ['strong', 'last'], fast: ['strong', 'last'], strong: ['last'] },
  }

  it('name only what the task uses, and only what its tenant may use', () => {
    const lists = (settings: Partial<Settings>, tenant: string) =>
      fallbacksFor({ mode: 'plan_execute', settings: Settings.parse(settings) }, RULES, tenant)
    expect(lists({}, 'beta')).toEqual({ default: ['strong', 'last'] })
    expect(lists({ model: 'last' }, 'beta')).toEqual({})
    expect(lists({ model: 'last', models: { plan: 'strong' } }, 'beta')).toEqual({ strong: ['last'] })
    // A phase that the mode does not have calls no model.
    expect(lists({ model: 'last', models: { turn: 'strong' } }, 'beta')).toEqual({})
    expect(lists({ model: 'fast' }, 'acme')).toEqual({ fast: ['last'] })
    expect(lists({ model: 'fast' }, 'constructor')).toEqual({ fast: ['strong', 'last'] })
  })

  it('U26 a task with fallbacks is replayed equal, and so are its forks at every row', async () => {
    const { bench, made } = begin({
      plan: [...down(3), planned('A')],
      thought: [...down(2), 'bad', done()],
      replan: [...down(1), closed()],
    })
    const { id } = await made
    for (let left = 8; left > 0; left--) await step(bench, id, ALL)
    const rows = rowsOf(bench, id)
    expect(rows.at(-1)?.head.end?.status).toBe('completed')
    expect(await replayOf(bench, id)).toEqual(EQUAL(rows.length))
    for (let at = 1; at <= rows.length; at++) {
      const fork = await forkOf(bench, id, { at })
      expect(headOf(bench, fork.id)?.given_up).toEqual(rows[at - 1]?.head.given_up)
      expect(await replayOf(bench, fork.id)).toEqual(EQUAL(at))
    }
  })

  it('U26 a replay tells that a call went to another endpoint than the rows before it say', async () => {
    const { bench, made } = begin({ plan: [...down(3), planned('A')] })
    const { id } = await made
    const records = storedRows(bench, id).records
    const last = [...records.values()].at(-1)
    if (last?.effect === undefined || last.effect === null) throw new Error('the last row has no effect')
    records.set(last.seq, { ...last, effect: last.effect.replace('"strong"', '"last"') })
    expect(await replayOf(bench, id)).toMatchObject({
      equal: false,
      first_difference: { seq: last.seq, path: '/effect/endpoint', expected: 'strong', found: 'last' },
    })
  })

  it('U26 a fork keeps the lists of its parent, whatever is configured since, and gets those of a model that it adds', async () => {
    const rules = { ...NO_RULES, fallbacks: { fast: ['last'], strong: ['last'] } }
    const bench = benchOf({ plan: [planned('A')], thought: [...down(4), done()] }, { model_rules: rules }, PRICES)
    const { id } = await createTask(bench, { model: 'fast' }, NONE, { fallbacks: { fast: ['strong'] } })
    const briefOf = (task: string) =>
      rowsOf(bench, task).flatMap(({ event }) => ('brief' in event ? event.brief : []))[0]
    const plain = await forkOf(bench, id, { at: 2 })
    expect(briefOf(plain.id)?.fallbacks).toEqual({ fast: ['strong'] })
    const other = await forkOf(bench, id, { at: 2, settings: { model: 'strong' } })
    expect(briefOf(other.id)?.fallbacks).toEqual({ strong: ['last'] })
    const both = await forkOf(bench, id, { at: 2, settings: { models: { replan: 'strong' } } })
    expect(briefOf(both.id)?.fallbacks).toEqual({ fast: ['strong'], strong: ['last'] })
    await step(bench, other.id, ALL)
    await step(bench, other.id, ALL)
    expect(asked(bench).slice(-3)).toEqual(['thought strong', 'thought strong', 'thought last'])
  })

  it('U26 a fork whose model has no fallback cannot repeat calls that a fallback answered', async () => {
    const { bench, made } = begin({ plan: [...down(3), planned('A')] })
    const { id } = await made
    expect(await complaint(bench, id, { at: 5, settings: { model: 'x' } })).toMatch(
      /^\/settings settings do not go with row 5/,
    )
    expect((await forkOf(bench, id, { at: 3, settings: { model: 'x' } })).status).toBe('running')
  })

  it('a fallback that its tenant may not use any more pauses the task before it is called', async () => {
    const rules = { ...NO_RULES, names: ['fast', 'strong'] }
    const bench = benchOf({ plan: down(3) }, { model_rules: { ...rules, tenants: { acme: ['fast'] } } }, PRICES)
    const made = await createTask(bench, { model: 'fast' }, NONE, { fallbacks: { fast: ['strong'] } })
    expect(made).toMatchObject({ status: 'paused', stop_reason: 'model_not_allowed' })
    expect(asked(bench)).toEqual(['plan fast', 'plan fast', 'plan fast'])
    expect(taken(await bench.service.getTask(CALLER, made.id)).stop_reason).toBe('model_not_allowed')
  })
})

describe('U7 the reply form that an endpoint has accepted', () => {
  const form = (bench: Bench) => bench.requests.map((request) => request.form)
  const asText = (said: object) => (request: { form: string }) => {
    request.form = 'text'
    return said
  }

  it('is asked for again at the same endpoint, and says nothing of another', async () => {
    const one = benchOf({ plan: [asText(planned('A'))], thought: [done()] }, {}, FREE)
    await step(one, (await createTask(one)).id)
    expect(form(one)).toEqual(['text', 'text'])
    const two = benchOf({ plan: [asText(planned('A'))], thought: [done()] }, {}, FREE)
    await step(two, (await createTask(two, { models: { thought: 'strong' } })).id)
    expect(form(two)).toEqual(['text', 'json_schema'])
    const other = benchOf({ plan: [asText(new Error('x')), planned('A')] }, {}, FREE)
    await createTask(other, { plan_retries: 0, model: 'fast' }, NONE, { fallbacks: LISTS })
    expect(form(other)[1]).toBe('json_schema')
  })
})

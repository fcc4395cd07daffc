/** The operator's list of models: what a create and a fork may name, and what becomes of a task that named another before. */
import { describe, expect, it } from 'vitest'
import { modelErrors, NO_RULES } from '../../../src/core/engine/model-rules.ts'
import { nameHint } from '../../../src/core/terms/values/known-names.ts'
import { Settings } from '../../../src/core/terms/settings.ts'
import { memoryRows } from '../../../src/store/task/rows/memory-rows.ts'
import { taskMethods } from '../../../src/store/task/task-methods.ts'
import { fixture } from '../../support/http-fixture.ts'
import {
  act,
  benchOf,
  CALLER,
  createTask,
  FREE,
  MANUAL,
  NONE,
  ONE,
  planned,
  step,
  UNBOUNDED,
} from '../../support/scripted.ts'

const ALLOWED = ['gpt-5', 'gpt-5-mini', 'qwen3']
const only = (...names: string[]) => ({ ...NO_RULES, names })

describe('allowed models', () => {
  it('a create that names another is 422: the field, what was given, what is allowed and the nearest name', async () => {
    const { post, asked } = fixture({ env: { ALLOWED_MODELS: 'gpt-5, gpt-5-mini,qwen3' } })
    const settings = { model: 'gpt5', models: { plan: 'gpt-5-mini', thought: 'claude' } }
    const response = await post('/tasks', { goal: 'g', settings })
    expect([response.status, await response.json()]).toMatchObject([
      422,
      {
        errors: [
          {
            pointer: '/settings/model',
            message:
              'settings.model "gpt5" is not allowed: leave it out, or take gpt-5, gpt-5-mini, qwen3; did you mean "gpt-5"?',
          },
          { pointer: '/settings/models/thought', message: expect.stringContaining('settings.models.thought "claude"') },
        ],
      },
    ])
    expect(asked).toEqual([])
    expect((await post('/tasks', { goal: 'g', settings: { model: 'qwen3' } })).status).toBe(201)
    expect((await post('/tasks', { goal: 'g' })).status).toBe(201)
  })

  it('without a list every name is allowed', () => {
    expect(modelErrors(Settings.parse({ model: 'any' }), NO_RULES, 'acme')).toEqual([])
  })

  it.each([
    ['GPT-5', 'gpt-5'],
    ['gpt-5-mni', 'gpt-5-mini'],
    ['llama', null],
    ['x'.repeat(100_000), null],
  ])('the nearest name of %s is %s', (given, near) => {
    expect(nameHint(given, ALLOWED)).toBe(near === null ? '' : `; did you mean "${near}"?`)
  })

  it('a fork that inherits or names another is refused', async () => {
    const bench = benchOf({ plan: [planned('A')] }, { model_rules: only('gpt-5') })
    const { id, version } = await createTask(bench, { model: 'old' }, NONE)
    const fork = (settings: Partial<Settings>) =>
      bench.service.forkTask(CALLER, id, { at: version, settings, outcome: null })
    expect(await fork({})).toMatchObject({ refusal: { errors: [{ pointer: '/settings/model' }] } })
    expect(await fork({ model: 'gpt-5' })).toMatchObject({ ok: true })
  })

  it('a stored task pauses before it calls a model that is no longer allowed, and goes on when the model is allowed again', () => {
    const here = { now_ms: 0, boot: 'boot', prices: FREE, daily: UNBOUNDED, model_rules: only(...ALLOWED) }
    const task = taskMethods(memoryRows(), () => here)
    const settings = Settings.parse({ models: { plan: 'old' } })
    const brief = { goal: 'g', mode: 'plan_execute', locale: 'en' as const, timezone: 'UTC', metadata: {}, ...MANUAL }
    const ticket = { slice: 's', boot: 'boot', more: 'new_round' as const, rounds: 9, wall_ms: 0, key: null }
    const made = task.create({ id: 'task_1', tenant: 'acme', brief: { ...brief, settings } }, ticket)
    const reason = { status: 'paused', task: { stop_reason: 'model_not_allowed' } }
    expect(made).toMatchObject({ value: { assignment: null, ...reason } })
    here.model_rules = only(...ALLOWED, 'old')
    expect(task.tell({ kind: 'resume' }, { ...ticket, slice: 's2' })).toMatchObject({
      value: { assignment: { work: { model: 'old' } } },
    })
  })

  it('of a tenant are checked in its forks and before each of its calls, and those of another tenant stay as they are', async () => {
    const rules = { ...only('fast', 'strong'), default_names: ['default', 'fast'], tenants: { acme: ['fast'] } }
    const tenants: Record<string, string[]> = rules.tenants
    const plans = Array.from({ length: 4 }, () => planned('A'))
    const bench = benchOf({ plan: plans, thought: [act(), act()] }, { model_rules: { ...rules, tenants } })
    const BETA = { ...CALLER, tenant: 'beta' }
    const acme = await createTask(bench, { model: 'fast' }, NONE)
    const beta = await createTask(bench, { model: 'strong' }, NONE, { caller: BETA })
    const fork = (caller: typeof CALLER, id: string, settings: Record<string, unknown>) =>
      bench.service.forkTask(caller, id, { at: 2, settings, outcome: null })
    const refused = await fork(CALLER, acme.id, { model: 'strong' })
    expect(refused).toMatchObject({ refusal: { code: 'validation_failed', errors: [{ pointer: '/settings/model' }] } })
    expect(JSON.stringify(refused)).toContain('or take fast')
    expect(await fork(CALLER, acme.id, { models: { thought: 'strong' } })).toMatchObject({
      refusal: { errors: [{ pointer: '/settings/models/thought' }] },
    })
    // Whoever names a task of another tenant finds none.
    expect(await fork(CALLER, beta.id, { model: 'fast' })).toMatchObject({ refusal: { code: 'task_not_found' } })
    expect(await fork(BETA, beta.id, {})).toMatchObject({ ok: true })
    const plain = await createTask(bench, {}, NONE)
    tenants['acme'] = ['strong']
    for (const { id } of [acme, plain])
      expect(await step(bench, id)).toMatchObject({ status: 'paused', stop_reason: 'model_not_allowed' })
    expect(await fork(CALLER, plain.id, {})).toMatchObject({
      refusal: { errors: [{ pointer: '/settings/model', message: 'settings.model must name one of strong' }] },
    })
    expect(await step(bench, beta.id, ONE, BETA)).toMatchObject({ status: 'running' })
    expect(bench.requests.map(({ model, metadata }) => `${metadata.phase} ${model}`)).toEqual([
      'plan fast',
      'plan strong',
      'plan null',
      'thought strong',
    ])
  })
})

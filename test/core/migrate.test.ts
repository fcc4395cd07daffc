/** Stored tasks of earlier releases (D6): every fixture under test/fixtures/journals is read, shown as before, and goes on. */
import { OrchestratorState, startState } from '../../src/core/modes/orchestrator/state.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Head, SCHEMA_VERSION, stopReasonOf } from '../../src/core/terms/head.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import { DEFAULT_SETTINGS } from '../../src/core/terms/settings.ts'
import { readJournal } from '../../src/store/task/journal-file.ts'
import { memoryRows } from '../../src/store/task/rows/memory-rows.ts'
import { migrateEvent, migrateHead, type Migrations } from '../../src/store/task/rows/migrate.ts'
import { withoutLinks } from '../../src/core/protocol/view/stored-task-view.ts'
import { taskMethods } from '../../src/store/task/task-methods.ts'
import { FIXTURE_TASKS, JOURNALS, journalNames, versionOf } from '../support/journals.ts'
import { FREE, UNBOUNDED, planned, replanned } from '../support/scripted.ts'

/** Beside its rows, the task as the release of its time showed it. */
const Fixture = z.object({ task: z.looseObject({ id: z.string(), version: z.int(), tools: z.array(z.string()) }) })
const names = journalNames.filter((name) => name.endsWith('.json'))

function load(name: string) {
  const content = readFileSync(join(JOURNALS, name), 'utf8')
  const { task } = Fixture.parse(JSON.parse(content))
  const records = readJournal(content)
  const rows = memoryRows()
  for (const record of records) rows.records.set(record.seq, record)
  const now_ms = Math.max(...records.map((record) => record.at)) + 3_600_000
  const methods = taskMethods(rows, () => ({ now_ms, boot: 'another', prices: FREE, daily: UNBOUNDED }))
  return { task, records, rows, methods }
}
const ticket = { slice: 'new', boot: 'another', more: 'new_round' as const, wall_ms: 0, rounds: 9, key: null }

/** The members that this release shows in another way than the releases of a version did. */
const SHOWN_OTHERWISE: Readonly<Record<number, readonly string[]>> = {
  // A question had no end.
  1: ['handover', 'pending'],
  // Until version 4 a handover named actions twice, and an obstacle where there was none.
  2: ['handover', 'pending'],
  3: ['handover'],
  4: ['handover'],
}
function known(task: object, version: number): Record<string, unknown> {
  const otherwise = SHOWN_OTHERWISE[version] ?? []
  return Object.fromEntries(Object.entries(task).filter(([name]) => !otherwise.includes(name)))
}

/** The members that a task was shown without before version 9, and before version 11. */
const NOT_TOLD_BEFORE = { forked_from: null, title: null, agent: null }

/** The members that this release shows with more members than before version 5. */
function grown({ plan, result, budget }: Record<string, unknown>, version: number): object {
  if (version >= 5) return {}
  const withMore = (value: unknown) => (value === null ? null : expect.objectContaining(Object(value)))
  const { tokens } = z.looseObject({ tokens: z.unknown() }).parse(budget)
  return { plan: withMore(plan), result: withMore(result), budget: { ...Object(budget), tokens: withMore(tokens) } }
}

describe('stored state outlives releases', () => {
  it('there is a fixture of every version and state', () => {
    const versions = Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1)
    const wanted = versions.flatMap((version) => Object.keys(FIXTURE_TASKS).map((state) => `v${version}-${state}.json`))
    const missing = wanted.filter((name) => !names.includes(name))
    expect(missing, 'A fixture is missing. `npm run fixture -- completed` writes that of the present version').toEqual(
      [],
    )
  })

  it.each(names)('D6 F58 %s is read and shown as it was', (name) => {
    const { methods, task } = load(name)
    const seen = methods.ask({ kind: 'view' })
    if (!seen.ok) throw new Error(seen.refusal.code)
    const version = versionOf(name)
    // Later releases have more settings, tell more of a question, and offer more tools.
    const settings = expect.objectContaining(Object(task['settings']))
    const shown = known(task, version)
    const { pending: waits } = shown as { pending?: object | null }
    const pending = waits ? { pending: expect.objectContaining(waits) } : {}
    const tools = expect.arrayContaining(task.tools)
    const expected = { ...NOT_TOLD_BEFORE, ...shown, ...grown(task, version), settings, ...pending, tools }
    expect(known(withoutLinks(seen.value), version)).toEqual(expected)
    expect(methods.ask({ kind: 'journal', after: 0, limit: 100 }).ok).toBe(true)
    expect(methods.ask({ kind: 'events', after: 0, limit: 100 }).ok).toBe(true)
  })

  it('D6 what a task of version 1 used is used in the present release, on every axis', () => {
    const { records } = load('v1-completed.json')
    const head = z.looseObject({ budget: z.looseObject({}) }).parse(JSON.parse(records.at(-1)?.head ?? ''))
    const used = { steps: { used: 8, max: 20 }, tokens: { used: 120 }, working_ms: { used: 1_500 } }
    expect(migrateHead({ ...head, budget: used }).head).toMatchObject({ schema_version: SCHEMA_VERSION, budget: used })
  })

  it.each([
    ['paused_by_user', { kind: 'user' }],
    ['budget_exhausted:steps', { kind: 'budget', axis: 'steps' }],
    ['budget_exhausted:cost_usd', { kind: 'budget', axis: 'cost_usd' }],
    ['budget_exhausted:tenant', { kind: 'budget', axis: 'tenant' }],
    ['iteration_limit', { kind: 'budget', axis: 'iterations' }],
    ['model_unavailable', { kind: 'model_unavailable' }],
    ['model_not_allowed', { kind: 'model_not_allowed' }],
    ['question_expired', { kind: 'question_expired' }],
    ['storage_full', { kind: 'storage_full' }],
  ])('D6 a pause of version 3 keeps its stop reason: %s', (hold, pause_reason) => {
    const { records } = load('v3-limit.json')
    const head = z.looseObject({}).parse(JSON.parse(records.at(-1)?.head ?? ''))
    const migrated = Head.parse(migrateHead({ ...head, hold }).head)
    expect(migrated.pause_reason).toEqual(pause_reason)
    expect(stopReasonOf({ ...migrated, end: null })).toBe(hold)
    expect(() => migrateHead({ ...head, hold: 'some other reason' })).toThrow('hold')
  })

  it('D6 what plan_execute had finished before version 5 is finished, with its title, and its number and the row of its result are guessed', () => {
    const { records } = load('v4-limit.json')
    const head = z.looseObject({ state: z.looseObject({}) }).parse(JSON.parse(records.at(-1)?.head ?? ''))
    const plan = {
      row: 9,
      revision: 2,
      cursor: 1,
      items: [
        [4, 9, 0],
        [5, 9, 1],
      ],
      ends: [['completed', 11]],
      next_id: 6,
      left: 2,
    }
    const finished = [
      [2, 0],
      [2, 1],
      [9, 0],
    ]
    const { head: migrated, guessed } = migrateHead({ ...head, state: { ...head.state, plan, finished } })
    const { state } = Head.parse(migrated)
    expect(state).toMatchObject({
      plan: {
        ...plan,
        gone: [
          [2, 2, 0, 'completed', null],
          [3, 2, 1, 'completed', null],
        ],
      },
    })
    expect(state).not.toHaveProperty('finished')
    expect(guessed.filter((pointer) => pointer.startsWith('/state/plan/'))).toEqual([
      '/state/plan/gone',
      '/state/plan/left',
      '/state/plan/ends',
    ])
  })

  it.each(['session', 'autonomous'])('D6 mode %s had asked nothing and seen no call before version 5', (mode) => {
    const { records } = load('v4-limit.json')
    const head = z.looseObject({ state: z.looseObject({}) }).parse(JSON.parse(records.at(-1)?.head ?? ''))
    const { clarifications: _, seen: __, ...state } = modeOf(mode).start(DEFAULT_SETTINGS) as Record<string, unknown>
    const { head: migrated, guessed } = migrateHead({ ...head, mode, state })
    const restored = modeOf(mode).state.parse(z.looseObject({ state: z.unknown() }).parse(migrated).state)
    expect(restored).toMatchObject({ clarifications: [], seen: [] })
    expect(guessed).toContain('/state/seen')
  })

  it('D6 the reports that an orchestrated task of before version 5 names are its reports', () => {
    const { records } = load('v4-limit.json')
    const head = z.looseObject({}).parse(JSON.parse(records.at(-1)?.head ?? ''))
    const { reports, report_count, seen, ...before } = startState()
    const { sent, ...step } = { ...before.step, report: 9, session: 7 }
    const state = { ...before, step, session: 9, pitfalls: [5, 7] }
    const { head: migrated } = migrateHead({ ...head, mode: 'orchestrator', state })
    expect([reports, report_count, seen, sent]).toEqual([[], 0, [], null])
    expect(OrchestratorState.parse(Head.parse(migrated).state)).toEqual({
      ...state,
      step: { ...step, sent: null },
      reports: [5, 7, 9],
      report_count: 3,
      seen: [],
    })
  })

  it('D6 mode autonomous had waited for no file before version 5, and may end with open tasks at once', () => {
    const { records } = load('v4-limit.json')
    const head = z.looseObject({ state: z.looseObject({}) }).parse(JSON.parse(records.at(-1)?.head ?? ''))
    const added = ['kept', 'missing', 'waits', 'declined', 'arrived']
    const started = Object.entries(modeOf('autonomous').start(DEFAULT_SETTINGS))
    const state = Object.fromEntries(started.filter(([name]) => !added.includes(name)))
    const { head: migrated } = migrateHead({ ...head, mode: 'autonomous', state })
    const restored = modeOf('autonomous').state.parse(z.looseObject({ state: z.unknown() }).parse(migrated).state)
    expect(restored).toMatchObject({ kept: null, missing: null, waits: 0, declined: false, arrived: null })
  })

  it.each(['dynamic', 'session'])('D6 mode %s had waited for no file before version 6', (mode) => {
    const { records } = load('v5-limit.json')
    const head = z.looseObject({ state: z.looseObject({}) }).parse(JSON.parse(records.at(-1)?.head ?? ''))
    const waits = { missing: null, waits: 0, declined: false, arrived: null }
    const started = Object.entries(modeOf(mode).start(DEFAULT_SETTINGS))
    const state = Object.fromEntries(started.filter(([name]) => !Object.hasOwn(waits, name)))
    const { head: migrated, guessed } = migrateHead({ ...head, mode, state })
    expect(Head.parse(migrated).state).toEqual({ ...state, ...waits })
    expect(modeOf(mode).state.safeParse(Head.parse(migrated).state).success).toBe(true)
    expect(guessed).toEqual(mode === 'dynamic' ? ['/state/decisions'] : [])
  })

  it.each(names)('D6 %s goes on in the present release', (name) => {
    const { methods, rows } = load(name)
    const before = methods.ask({ kind: 'view' })
    if (!before.ok) throw new Error('unreadable')
    if (before.value.status === 'input_required')
      methods.tell({ kind: 'input', text: 'an answer', request_id: null }, { ...ticket, more: 'nothing' })
    if (before.value.status === 'paused')
      methods.tell({ kind: 'input', text: 'continue', request_id: null }, { ...ticket, more: 'nothing' })
    const begun = methods.begin(ticket)
    if (before.value.status === 'completed') {
      expect(begun.ok && begun.value.advanced).toBe(false)
      return
    }
    const seq = begun.ok ? begun.value.assignment?.seq : undefined
    expect(seq).toBeGreaterThan(before.value.version)
    const reply = {
      kind: 'model_replied',
      usage: { input_tokens: 1, output_tokens: 1 },
      model: 'm',
      form: 'text',
    } as const
    const answer =
      begun.ok && begun.value.assignment?.work.kind === 'call_model' ? begun.value.assignment.work.phase : ''
    const text = JSON.stringify(
      answer === 'replan' ? replanned('A', 'B') : answer === 'plan' ? planned('A') : { status: 'done' },
    )
    const committed = methods.commit(seq ?? 0, { ...reply, text }, { ...ticket, more: 'nothing' })
    expect(committed.ok && committed.value.task?.step_count).toBeGreaterThan(before.value.step_count)
    expect(rows.last()?.head.schema_version).toBe(SCHEMA_VERSION)
  })

  it('F59 a head of a newer release, or without a version, is left as it is', () => {
    for (const value of [null, 7, {}, { schema_version: SCHEMA_VERSION + 1 }, { schema_version: 0 }]) {
      expect(migrateHead(value)).toEqual({ head: value, guessed: [] })
    }
  })

  it('F59 a head of an earlier release with an unknown shape is refused', () => {
    expect(() => migrateHead({ schema_version: 1, budget: 'x' })).toThrow('budget')
  })

  it('D6 a head goes through each migration from its version on, which names what it has guessed', () => {
    const migrations: Migrations = {
      1: { guessed: ['/thought_row'], migrate: (head) => ({ ...head, one: true }) },
      2: { guessed: [], migrate: (head) => ({ ...head, two: true }) },
      3: { guessed: ['/state/paused_at', '/form'], migrate: (head) => ({ ...head, three: true }) },
    }
    const migrated = (schema_version: number) => migrateHead({ schema_version }, migrations)
    expect(migrated(1)).toEqual({
      head: { schema_version: 4, one: true, two: true, three: true },
      guessed: ['/thought_row', '/state/paused_at', '/form'],
    })
    expect(migrated(2).guessed).toEqual(['/state/paused_at', '/form'])
    expect(migrated(4)).toEqual({ head: { schema_version: 4 }, guessed: [] })
  })
})

it('ruling 32 a task that was created before replies were read out of prose goes on reading them strictly', () => {
  const created = (settings: object) => migrateEvent({ kind: 'task_created', brief: { goal: 'g', settings } })
  expect(created({})).toMatchObject({ brief: { goal: 'g', settings: { strict_replies: true }, drive: 'manual' } })
  expect(created({ strict_replies: false })).toMatchObject({ brief: { settings: { strict_replies: false } } })
})

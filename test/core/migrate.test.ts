/** Stored tasks of earlier releases (D6): every fixture under test/fixtures/journals is read, shown as before, and goes on. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Head, SCHEMA_VERSION, stopReasonOf } from '../../src/core/terms/head.ts'
import { readJournal } from '../../src/store/task/journal-file.ts'
import { memoryRows } from '../../src/store/task/rows/memory-rows.ts'
import { migrateHead } from '../../src/store/task/rows/migrate.ts'
import { withoutLinks } from '../../src/core/protocol/view/stored-task-view.ts'
import { taskMethods } from '../../src/store/task/task-methods.ts'
import { FREE, UNBOUNDED, planned, replanned } from '../support/scripted.ts'

const FIXTURES = 'test/fixtures/journals'
/** Beside its rows, the task as the release of its time showed it. */
const Fixture = z.object({ task: z.looseObject({ id: z.string(), version: z.int() }) })
const names = readdirSync(FIXTURES).filter((name) => /^v\d+-.+\.json$/.test(name))

function load(name: string) {
  const content = readFileSync(`${FIXTURES}/${name}`, 'utf8')
  const { task } = Fixture.parse(JSON.parse(content))
  const records = readJournal(content)
  const rows = memoryRows()
  for (const record of records) rows.records.set(record.seq, record)
  const now_ms = Math.max(...records.map((record) => record.at)) + 3_600_000
  const methods = taskMethods(rows, () => ({ now_ms, boot: 'another', prices: FREE, daily: UNBOUNDED }))
  return { task, records, rows, methods }
}
const ticket = { slice: 'new', boot: 'another', more: 'new_round' as const, wall_ms: 0, rounds: 9, key: null }

/** What later releases added to the answer, or count differently for rows without a reservation. */
function known(task: Record<string, unknown>): Record<string, unknown> {
  const { settings: _settings, handover: _handover, pending: _pending, ...rest } = task
  return rest
}

describe('stored state outlives releases', () => {
  it('there is a fixture of every version so far', () => {
    const versions = names.map((name) => Number(/^v(\d+)-/.exec(name)?.[1]))
    expect([...new Set(versions)].sort((a, b) => a - b)).toEqual(
      Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1),
    )
  })

  it.each(names)('D6 F58 %s is read and shown as it was', (name) => {
    const { methods, task } = load(name)
    const seen = methods.ask({ kind: 'view' })
    expect(seen.ok && known(withoutLinks(seen.value))).toEqual(known(task))
    expect(methods.ask({ kind: 'journal', after: 0, limit: 100 }).ok).toBe(true)
    expect(methods.ask({ kind: 'events', after: 0, limit: 100 }).ok).toBe(true)
  })

  it('D6 what a task of version 1 used is used in the present release, on every axis', () => {
    const { records } = load('v1-completed.json')
    const head = z.looseObject({ budget: z.looseObject({}) }).parse(JSON.parse(records.at(-1)?.head ?? ''))
    const used = { steps: { used: 8, max: 20 }, tokens: { used: 120 }, working_ms: { used: 1_500 } }
    expect(migrateHead({ ...head, budget: used })).toMatchObject({ schema_version: SCHEMA_VERSION, budget: used })
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
    const migrated = Head.parse(migrateHead({ ...head, hold }))
    expect(migrated.pause_reason).toEqual(pause_reason)
    expect(stopReasonOf({ ...migrated, end: null })).toBe(hold)
    expect(migrateHead({ ...head, hold: 'some other reason' })).toMatchObject({ schema_version: 3 })
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

  it('F59 a head of a newer release, or of no known shape, is left as it is', () => {
    for (const value of [
      null,
      7,
      {},
      { schema_version: SCHEMA_VERSION + 1 },
      { schema_version: 0 },
      { schema_version: 1, budget: 'x' },
    ]) {
      expect(migrateHead(value)).toEqual(value)
    }
  })
})

/**
 * Journals as files (S3-17): every file under test/fixtures/journals, as `GET /tasks/:id/export` gives it, is replayed equal – an export
 * of a run that went wrong becomes a test by being put there – and `npm run replay` says the same of files anywhere.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { readJournal, replayRecords } from '../../src/store/task/journal-file.ts'
import { EQUAL, recordsOf } from '../support/forks.ts'
import { JOURNALS, journalNames } from '../support/journals.ts'
import { SCHEMA_VERSION } from '../../src/core/terms/head.ts'
import { playMany } from '../support/scripted.ts'

const ADVICE = 'if a row differs at /effect/hash, a prompt has changed: raise VERSION in prompt.ts of its mode'
const closedIn = (content: string) => readJournal(content).filter(({ head }) => head !== null).length

describe('S3-17 the journals that are kept', () => {
  it('S3-17 are many, and one of them has more than 200 rows', () => {
    const rows = journalNames.map((name) => closedIn(readFileSync(join(JOURNALS, name), 'utf8')))
    expect(journalNames.length).toBeGreaterThanOrEqual(17)
    expect(Math.max(...rows)).toBeGreaterThan(200)
  })

  it.each(journalNames)('S3-17 %s is replayed equal at each row', (name) => {
    const content = readFileSync(join(JOURNALS, name), 'utf8')
    expect(replayRecords(readJournal(content)), ADVICE).toEqual({ ok: true, value: EQUAL(closedIn(content)) })
  })

  it.each([
    ['v3-session.jsonl', ['user_asked_aside', 'resumed', 'model_failed', 'paused', 'budget_spent', 'user_remarked']],
    ['v3-dynamic.jsonl', ['user_remarked', 'resumed', 'model_failed', 'paused']],
  ])('D6 %s has what its mode can store: files, tools that fail, pauses, words', (name, kinds) => {
    const content = readFileSync(join(JOURNALS, name), 'utf8')
    const rows = readJournal(content)
    const events = rows.map(({ event }): { kind: string; code?: string } => JSON.parse(event ?? ''))
    expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(kinds))
    expect(events.map(({ code }) => code)).toEqual(expect.arrayContaining(['file_written', 'not_found']))
    expect(rows.length).toBeGreaterThanOrEqual(40)
    expect(content.length).toBeLessThan(150_000)
  })
})

describe('S3-17 the journal of a task whose work is done outside', () => {
  const content = readFileSync(join(JOURNALS, 'v3-orchestrator.jsonl'), 'utf8')
  const rows = readJournal(content)
  const events = rows.map(({ event }): { kind: string; delegation?: number; charged?: object; ok?: boolean } =>
    JSON.parse(event ?? ''),
  )
  const head = (seq: number): Record<'counters' | 'state' | 'budget' | 'end', never> =>
    JSON.parse(rows[seq - 1]?.head ?? '')

  it('D6 has what its mode can store: reports, one on the way of its command, silence, what was spent, all decisions, the end command', () => {
    const kinds = ['report_arrived', 'report_expired', 'user_answered', 'user_remarked', 'plan_edited', 'model_failed']
    expect(events.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining([...kinds, 'paused', 'resumed', 'budget_added']),
    )
    expect(events.filter(({ kind, ok }) => kind === 'tool_returned' && ok === false)).toHaveLength(1)
    expect(events.filter(({ charged }) => JSON.stringify(charged ?? {}) !== '{}').length).toBeGreaterThan(5)
    const queued = rows.filter(({ slice }) => slice === 'queued').map(({ kind }) => kind)
    expect(queued).toEqual(['report_arrived'])
    expect(head(rows.length)).toMatchObject({
      counters: { replans: 1 },
      state: { failures: 5, questions: 1, plan: { replans: 1 } },
      end: { status: 'completed', row: rows.length - 1 },
    })
    expect(events.at(-1)).toMatchObject({ kind: 'report_arrived', delegation: rows.length - 1 })
    expect(content.length).toBeLessThan(150_000)
  })
})

const place = mkdtempSync(join(tmpdir(), 'journals-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))
const run = promisify(execFile)

/** What `npm run replay` says of files of this content, and its exit code. */
async function replayFiles(...contents: string[]): Promise<{ code: number; lines: string[] }> {
  const paths = contents.map((content, index) => {
    const path = join(place, `${index}.json`)
    writeFileSync(path, content)
    return path
  })
  const done = await run(process.execPath, ['scripts/replay.mjs', ...paths]).catch((error: unknown) => error)
  const { code = 0, stdout } = done as { code?: number; stdout: string } // both the answer and the error of execFile have it
  const lines = stdout.split('\n').filter((line) => line !== '')
  return { code, lines: lines.map((line) => line.replaceAll(`${place}/`, '')) }
}
const rows = recordsOf(...(await playMany().then(({ bench, task }) => [bench, task.id] as const)))
const altered = rows.map((row) =>
  row.seq === 4 ? { ...row, effect: (row.effect ?? '').replace('"todo"', '"x"') } : row,
)
const lines = (values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n')
const page = (data: unknown[]) => ({ data, has_more: false, next_cursor: null })

describe('S3-17 npm run replay', () => {
  it.each([
    ['a page', JSON.stringify(page(rows))],
    ['a page that is laid out for people', JSON.stringify(page(rows), null, 2)],
    ['all pages one after the other', lines([page(rows.slice(0, 7)), page(rows.slice(7))])],
    ['a list', JSON.stringify(rows)],
    ['one row a line', `${lines(rows)}\n`],
  ])('S3-17 reads %s', (_name, content) => {
    expect(readJournal(content)).toEqual(rows)
  })

  it('S3-17 says of each file what it found, without a key or a network, and ends with 1 at a difference', async () => {
    const { code, lines: said } = await replayFiles(JSON.stringify(rows), JSON.stringify(page(altered)))
    expect(said).toEqual([
      '0.json: equal, 15 rows',
      '1.json: differs at row 4, /effect/tool: expected "todo", found "x"',
    ])
    expect(code).toBe(1)
    expect(await replayFiles(JSON.stringify(rows))).toEqual({ code: 0, lines: ['0.json: equal, 15 rows'] })
  })

  it.each([
    ['nothing', '', 'is no journal: there are no rows in it'],
    ['an empty page', JSON.stringify(page([])), 'is no journal: there are no rows in it'],
    ['a page from the middle', JSON.stringify(page(rows.slice(5))), 'is no journal: row 1 is missing: all pages'],
    ['pages with a gap', lines([page(rows.slice(0, 3)), page(rows.slice(4))]), 'is no journal: row 4 is missing'],
    ['a task', '{"id":"task_1"}', 'is no journal: '],
    ['no JSON', 'rows', 'is no journal: '],
    [
      'a head of another release',
      JSON.stringify(rows.map((row) => ({ ...row, head: '{"schema_version":99}' }))),
      `cannot be read: the head of row 15 has an unknown shape: /schema_version: Invalid input: expected ${SCHEMA_VERSION}`,
    ],
  ])('S3-17 ends with 1 where nothing was compared: %s', async (_name, content, said) => {
    const {
      code,
      lines: [line],
    } = await replayFiles(content)
    expect(line).toContain(`0.json: ${said}`)
    expect(code).toBe(1)
  })

  it('S3-17 without a file ends with 1', async () => {
    expect((await replayFiles()).code).toBe(1)
  })
})

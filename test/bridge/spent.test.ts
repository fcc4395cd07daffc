/** What the worker reports as spent: the seconds it has measured, and what its program states of tokens and money. */
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { delegationOf } from '../../scripts/lib/delegations/pending.mjs'
import { statedIn, withSpent } from '../../scripts/lib/worker/spent.mjs'
import { readReportFile } from '../../src/delegations/report-file.ts'
import { startApi, type Api } from './api.ts'
import { problem } from './api-table.ts'
import { newDirectory, removeDirectories, textOf } from './bench.ts'
import { newWorkerBench, type WorkerBench } from './worker-bench.ts'

const SHARE = { tokens: 5000, cost_usd: '0.25', seconds: 600 }
let api: Api
let dir: string
let bench: WorkerBench
beforeEach(async () => {
  api = await startApi()
  dir = newDirectory()
  bench = newWorkerBench(api.url, dir)
})
afterEach(async () => {
  bench.stop()
  await api.close()
  removeDirectories()
})
/** A program that takes so long by the clock of the worker. */
const lasting = (ms: number) => {
  const times = [1_000, 1_000 + ms]
  return { now: () => times.shift() ?? 0 }
}
const spentOf = (text: string | null) => (JSON.parse(text ?? 'null') as { spent?: unknown }).spent

it.each([
  ['rounded up', 2_001, 3],
  ['at least one', 0, 1],
])('the seconds that a program took are reported, %s: its share is not charged in full', async (_, ms, seconds) => {
  const row = api.add({ budget: SHARE })
  expect(await bench.once('echo done', lasting(ms))).toBe(true)
  expect(spentOf(row.report)).toEqual({ seconds })
})

it.each([
  ['without a budget', null],
  ['with one of other axes', { tokens: 5000, cost_usd: null, seconds: null }],
])('a command %s says nothing of seconds', async (_, budget) => {
  const row = api.add({ budget })
  await bench.once('echo done')
  expect([row.report, spentOf(row.report)]).toEqual(['{"status":"SUCCESS","text":"done"}', undefined])
})

it('a program is told its share in the environment: only what is there, and nothing that the worker was given itself', async () => {
  api.add({ budget: { tokens: null, cost_usd: '0.25', seconds: 600 } })
  await bench.once('env > env', { env: { PATH: process.env['PATH'], BUDGET_TOKENS: '7' } })
  const lines = textOf(dir, 'env').split('\n')
  expect(lines.filter((line) => line.startsWith('BUDGET_')).toSorted()).toEqual([
    'BUDGET_COST_USD=0.25',
    'BUDGET_SECONDS=600',
  ])
})

it('what of a budget is no amount counts as missing', () => {
  const named = { id: 'delegation_x', command_id: 'task-00000001-0000-4000-8000-000000000000' }
  const budgetOf = (budget: unknown) => delegationOf({ ...named, budget })?.budget
  const none = { tokens: null, cost_usd: null, seconds: null }
  expect([undefined, null, 'x', { tokens: '5', cost_usd: '1\n', seconds: -1 }].map(budgetOf)).toEqual([
    none,
    none,
    none,
    none,
  ])
  expect(budgetOf(SHARE)).toEqual(SHARE)
})

const STATING = `echo '{"tokens": 1200, "cost_usd": "0.02"}' > "$SPENT_FILE"; `
it('what a program states in SPENT_FILE is reported beside what was measured, in JSON and in the front matter', async () => {
  const [plain, file] = [api.add({ budget: SHARE }), api.add({ budget: SHARE })]
  await bench.once(`${STATING}echo done`, lasting(3_000))
  expect(spentOf(plain.report)).toEqual({ seconds: 3, tokens: 1200, cost_usd: '0.02' })
  const report = String.raw`printf -- '---\nstatus: SUCCESS\nTokens: 7\n---\n\nBody\n' > "$REPORT_FILE"`
  await bench.once(STATING + report, lasting(3_000))
  expect(file.report).toBe('---\nstatus: SUCCESS\nTokens: 7\nseconds: 3\ncost_usd: 0.02\n---\n\nBody\n')
  const { spent, report: read } = readReportFile(file.report ?? '')
  expect([spent, read.status, read.text]).toEqual([{ tokens: 7, cost: 20_000, working_ms: 3_000 }, 'SUCCESS', 'Body'])
})

it('a statement of seconds by the program itself wins over the measured ones', async () => {
  const row = api.add({ budget: SHARE })
  await bench.once(`echo '{"seconds": 90}' > "$SPENT_FILE"`, lasting(3_000))
  expect(spentOf(row.report)).toEqual({ seconds: 90 })
})

it.each([
  ['is no JSON', 'echo lots', 'it is no JSON object'],
  ['is a list', 'echo [1]', 'it is no JSON object'],
  ['has half a token', `echo '{"tokens": 1.5}'`, 'tokens is not'],
  ['has a number for money', `echo '{"cost_usd": 0.02}'`, 'cost_usd is not'],
  ['has more money than is true', `echo '{"cost_usd": "1000001"}'`, 'cost_usd is not'],
  ['has a member that nobody knows', `echo '{"cost": "1"}'`, 'cost is not'],
  ['is as long as a log', 'head -c 20000 /dev/zero', 'it is too long'],
])('a SPENT_FILE that %s is told and not sent; the measured seconds are', async (_, print, reason) => {
  const row = api.add({ budget: SHARE })
  expect(await bench.once(`${print} > "$SPENT_FILE"; echo done`, lasting(3_000))).toBe(true)
  expect(spentOf(row.report)).toEqual({ seconds: 3 })
  expect(bench.told.find(({ event }) => event === 'trouble')?.['reason']).toContain(`SPENT_FILE: ${reason}`)
})

it('a SPENT_FILE that cannot be read does not cost the report', async () => {
  const row = api.add({ budget: SHARE })
  expect(await bench.once('mkdir "$SPENT_FILE"; echo done')).toBe(true)
  expect([row.status, bench.events()]).toEqual(['reported', ['taken', 'finished', 'trouble', 'reported']])
})

it('a report file without front matter is sent as it is, and it is told that its seconds are not', async () => {
  const row = api.add({ budget: SHARE })
  await bench.once('printf "# Report\\nStatus: done\\n" > "$REPORT_FILE"')
  expect([row.report, bench.events()]).toEqual([
    '# Report\nStatus: done\n',
    ['taken', 'finished', 'trouble', 'reported'],
  ])
})

it('a refused report that is told as a failure still says what was spent', async () => {
  const row = api.add({ budget: SHARE })
  let reports = 0
  api.fault = ({ path }) =>
    path.endsWith('/report') && ++reports === 1 ? problem(422, 'validation_failed', 'x') : null
  await bench.once('echo done', lasting(3_000))
  expect([JSON.parse(row.report ?? ''), spentOf(row.report)]).toMatchObject([{ status: 'FAILED' }, { seconds: 3 }])
})

it.each([
  ['ends of lines of Windows', '---\r\nstatus: FAILED\r\n---\r\nx', { working_ms: 3000 }],
  ['nothing in it', '---\n---\nx', { working_ms: 3000 }],
  ['nothing behind it', '\n\n---\nstatus: FAILED\n---', { working_ms: 3000 }],
  ['a mark of byte order', '\ufeff---\nstatus: FAILED\n---\nx', { working_ms: 3000 }],
  ['a block of text', '---\nnote: |\n  two\n  lines\n---\nx', { working_ms: 3000 }],
  ['seconds of its own', '---\nseconds : 9\n---\nx', { working_ms: 9000 }],
  ['seconds under their other name', '---\nspent_seconds: 9\n---\nx', { working_ms: 9000 }],
])('seconds are added to a front matter with %s, and the service reads them', (_, markdown, spent) => {
  const [before, after] = [readReportFile(markdown), readReportFile(withSpent(markdown, { seconds: 3 }) ?? '')]
  expect(after).toEqual({ ...before, spent })
})

it.each([
  'no front matter\n---\nseconds here\n---\n',
  '---\nnever: closed\n',
  ' ---\nindented: 1\n ---\n',
  '---\rold: mac\r---\r',
])('nothing is added to a text that has no plain front matter: %j', (markdown) =>
  expect(withSpent(markdown, { seconds: 3 })).toBeNull(),
)

it('docs/workers.md has a SPENT_FILE that is taken', () => {
  const [, example = ''] = /`(\{"tokens[^`]*\})`/.exec(readFileSync('docs/workers.md', 'utf8')) ?? []
  expect(statedIn(example)).toMatchObject({ ok: true })
})

it.each(['mkdir "$REPORT_FILE"', 'ln -s /etc/hostname "$REPORT_FILE"', 'mkfifo "$REPORT_FILE"'])(
  'a report file that is none costs neither the worker nor the report: %s',
  async (make) => {
    const row = api.add({})
    expect(await bench.once(`${make}; echo done`)).toBe(true)
    expect([row.status, row.report?.includes('done'), bench.events()]).toEqual([
      'reported',
      true,
      ['taken', 'finished', 'trouble', 'reported'],
    ])
  },
)

/** Commands step by step: which are taken, what is written where, and what becomes of those that are settled elsewhere. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { recover, renewUnreported, takePending } from '../../scripts/lib/bridge/bridge.mjs'
import { openFolders } from '../../scripts/lib/bridge/folders.mjs'
import nodeFs from 'node:fs/promises'
import { startApi, type Api } from './api.ts'
import { problem } from './api-table.ts'
import { filesOf, isThere, newBench, newDirectory, put, removeDirectories, textOf, type Bench } from './bench.ts'

let api: Api
let bench: Bench
beforeEach(async () => {
  api = await startApi({ waits: false, page: 2 })
  bench = await newBench(api.url)
})
afterEach(async () => {
  bench.stop()
  await api.close()
  removeDirectories()
})
const claims = () => api.asked.filter(({ path }) => path.endsWith('/claim')).length
const restarted = async (worker = 'one') => {
  bench.stop()
  bench = await newBench(api.url, { dir: bench.dir, worker })
  await recover(bench.bridge)
  return bench
}

it('S2-12 every pending command of all pages is claimed and written, the oldest first', async () => {
  const rows = Array.from({ length: 5 }, () => api.add())
  await takePending(bench.bridge)
  expect(bench.told.map(({ command_id }) => command_id)).toEqual(rows.map(({ command_id }) => command_id))
  expect(rows.every(({ claim }) => claim?.worker === 'one')).toBe(true)
  for (const { command_id, file } of rows) expect(textOf(bench.dir, `commands/pending/${command_id}.md`)).toBe(file)
  expect(filesOf(bench.dir)).toHaveLength(10)
})

it('what a bridge must know is written before its claim is made', async () => {
  const row = api.add()
  let known: unknown = null
  api.fault = ({ path }) => {
    if (path.endsWith('/claim')) known = JSON.parse(textOf(bench.dir, `.bridge/${row.command_id}.json`))
    return null
  }
  await takePending(bench.bridge)
  const { id: delegation_id, command_id, deadline } = row
  expect(known).toEqual({ delegation_id, command_id, command_type: 'new', deadline, written: false })
})

it('a command that another worker was faster with leaves nothing behind', async () => {
  const row = api.add()
  api.fault = ({ path }) =>
    path.endsWith('/claim') ? problem(409, 'delegation_claimed', 'Other works on it.', { 'retry-after': '30' }) : null
  expect(await takePending(bench.bridge)).toBe(false)
  expect([filesOf(bench.dir), bench.told]).toEqual([
    [],
    [{ event: 'passed_over', delegation_id: row.id, code: 'delegation_claimed', reason: 'Other works on it.' }],
  ])
})

it.each([
  ['expired', 'its deadline has passed'],
  ['canceled', 'it was withdrawn'],
  ['reported', 'its report was recorded'],
] as const)(
  'S2-14 a command that is %s elsewhere is taken from commands/pending at the next renewal',
  async (status, reason) => {
    const row = api.add()
    await takePending(bench.bridge)
    api.change(row, { status })
    await renewUnreported(bench.bridge, row.command_id)
    expect(filesOf(bench.dir)).toEqual([`commands/processed/${row.command_id}.md`])
    expect(bench.told.at(-1)).toMatchObject({ event: 'settled', command_id: row.command_id, reason })
  },
)

it('a command whose task was deleted while the bridge was down is cleared away at its start', async () => {
  const row = api.add()
  await takePending(bench.bridge)
  api.rows.length = 0
  await restarted()
  expect(filesOf(bench.dir)).toEqual([`commands/processed/${row.command_id}.md`])
  expect(bench.told).toMatchObject([{ event: 'settled', reason: 'its task was deleted' }])
})

it('an agent that takes a command away for good is not handed it again after a restart', async () => {
  const row = api.add()
  await takePending(bench.bridge)
  unlinkSync(join(bench.dir, `commands/pending/${row.command_id}.md`))
  await restarted()
  expect(bench.events()).toEqual(['resumed'])
  expect(filesOf(bench.dir)).toEqual([`.bridge/${row.command_id}.json`])
})

it('a command that was claimed but not written is written at the next start', async () => {
  const row = api.add()
  api.fault = ({ path, headers }) => (headers.accept === 'text/markdown' && path.endsWith(row.id) ? 'drop' : null)
  await takePending(bench.bridge)
  expect(isThere(bench.dir, `commands/pending/${row.command_id}.md`)).toBe(false)
  api.fault = null
  await restarted()
  expect(textOf(bench.dir, `commands/pending/${row.command_id}.md`)).toBe(row.file)
})

it('a command that was withdrawn between a kill and the next start leaves nothing behind', async () => {
  const row = api.add()
  const { id: delegation_id, command_id, deadline } = row
  const record = { delegation_id, command_id, command_type: 'new', deadline, written: false }
  put(bench.dir, `.bridge/${command_id}.json`, JSON.stringify(record))
  put(bench.dir, `commands/pending/.${command_id}.md.tmp`, '---\nid: half of i')
  api.change(row, { status: 'canceled' })
  await restarted()
  expect(filesOf(bench.dir)).toEqual([])
})

it('one command whose file cannot be had does not keep the bridge from the others, and is written at a renewal', async () => {
  const [bad, good] = [api.add(), api.add()]
  api.fault = ({ path, headers }) =>
    headers.accept === 'text/markdown' && path.endsWith(bad.id) ? problem(500, 'internal_error', 'Sorry.') : null
  await takePending(bench.bridge)
  expect(isThere(bench.dir, `commands/pending/${good.command_id}.md`)).toBe(true)
  api.fault = null
  await renewUnreported(bench.bridge, bad.command_id)
  expect(textOf(bench.dir, `commands/pending/${bad.command_id}.md`)).toBe(bad.file)
})

it('a claim that was made but whose answer was lost is not lost', async () => {
  const row = api.add()
  api.fault = ({ path }) => {
    if (path.endsWith('/claim') && claims() === 1) {
      api.change(row, { claim: { worker: 'one', until: '2099-01-01T00:00:00Z' } })
      return 'drop'
    }
    return null
  }
  expect(await takePending(bench.bridge)).toBe(true)
  expect(textOf(bench.dir, `commands/pending/${row.command_id}.md`)).toBe(row.file)
})

it('a claim that had run out during an outage is made again, and its file is left as it is', async () => {
  const row = api.add()
  await takePending(bench.bridge)
  api.change(row, { claim: null })
  await takePending(bench.bridge)
  expect([row.claim, bench.events(), claims()]).toEqual([expect.objectContaining({ worker: 'one' }), ['taken'], 2])
})

it('a command that somebody else has claimed by now is kept, for an agent may be at work on it; that is said once', async () => {
  const row = api.add()
  await takePending(bench.bridge)
  api.change(row, { claim: { worker: 'other', until: '2099-01-01T00:00:00Z' } })
  await renewUnreported(bench.bridge, row.command_id)
  await renewUnreported(bench.bridge, row.command_id)
  expect([bench.events(), isThere(bench.dir, `commands/pending/${row.command_id}.md`)]).toEqual([
    ['taken', 'claim_lost'],
    true,
  ])
})

it('a renewal that fails is said and made again next time', async () => {
  const row = api.add()
  await takePending(bench.bridge)
  api.fault = () => (claims() === 2 ? 'drop' : null)
  await renewUnreported(bench.bridge, row.command_id)
  await renewUnreported(bench.bridge, row.command_id)
  expect([bench.events(), claims()]).toEqual([['taken', 'trouble'], 3])
})

it.each([
  ['a path', { command_id: '../../../etc/passwd' }],
  ['a path behind a good beginning', { command_id: 'task-00000001-0000-4000-8000-000000000000/../../x' }],
  ['a drive and a stream', { command_id: 'C:task-00000001-0000-4000-8000-000000000000:x' }],
  ['capital letters', { command_id: 'task-ABCDEF01-0000-4000-8000-000000000000' }],
  ['a line behind', { command_id: 'task-00000001-0000-4000-8000-000000000000\n' }],
  ['no text', { command_id: JSON.parse('["task-00000001-0000-4000-8000-000000000000"]') as string }],
  ['a delegation id that is a path', { id: '../tasks' }],
  ['a delegation id that is a query', { id: 'a?b' }],
])('a name of the service that is %s is never used, and that is said once', async (_, names) => {
  api.add(names)
  await takePending(bench.bridge)
  await takePending(bench.bridge)
  expect([filesOf(bench.dir), claims(), bench.events()]).toEqual([[], 0, ['trouble']])
})

it.each(['not json', '[]', '{"delegation_id":"x"}', 'null'])(
  'a record that somebody has spoilt is left alone: %s',
  async (text) => {
    const name = 'task-00000009-0000-4000-8000-000000000000.json'
    put(bench.dir, `.bridge/${name}`, text)
    await restarted()
    expect(bench.told).toEqual([{ event: 'left', file: name, reason: 'it is no record of a command' }])
    expect(textOf(bench.dir, `.bridge/${name}`)).toBe(text)
  },
)

it('a link in place of a folder is refused, and nothing is written through it', async () => {
  const [dir, elsewhere] = [newDirectory(), newDirectory()]
  mkdirSync(join(dir, 'commands'))
  symlinkSync(elsewhere, join(dir, 'commands/pending'))
  await expect(openFolders(nodeFs, dir)).rejects.toThrow('follows no links')
  rmSync(join(bench.dir, 'commands/pending'), { recursive: true })
  symlinkSync(elsewhere, join(bench.dir, 'commands/pending'))
  api.add()
  await expect(takePending(bench.bridge)).rejects.toThrow('follows no links')
  expect(filesOf(elsewhere)).toEqual([])
})

it('a folder that was removed is made again', async () => {
  const row = api.add()
  rmSync(join(bench.dir, 'commands'), { recursive: true })
  await takePending(bench.bridge)
  expect(readFileSync(join(bench.dir, `commands/pending/${row.command_id}.md`), 'utf8')).toBe(row.file)
})

/** `npm run bridge` as a process: its command line, its lock, its ends. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startApi, type Api } from './api.ts'
import { problem } from './api-table.ts'
import { filesOf, isThere, newDirectory, put, removeDirectories, REPORT, reportPath, textOf } from './bench.ts'
import { endPrograms, startProgram } from './programs.ts'

let api: Api
let dir: string
beforeEach(async () => {
  api = await startApi()
  dir = newDirectory()
})
afterEach(async () => {
  await endPrograms()
  await api.close()
  removeDirectories()
})
const startBridge = (...more: string[]) =>
  startProgram('bridge', ['--dir', dir, '--url', api.url, '--quiet', '5', '--json', ...more])

it('S2-14 a command goes out and its report comes in; SIGTERM ends the bridge with 0', async () => {
  const bridge = startBridge()
  const row = api.add()
  expect(await bridge.next('taken')).toMatchObject({ command_id: row.command_id, delegation_id: row.id })
  put(dir, reportPath(row.command_id), REPORT)
  await bridge.next('settled')
  bridge.kill('SIGTERM')
  expect([await bridge.ended, row.report]).toEqual([0, REPORT])
  expect(bridge.told.map(({ event }) => event)).toEqual(['ready', 'taken', 'reported', 'settled', 'stopped'])
  expect(filesOf(dir)).toEqual([
    `commands/processed/${row.command_id}.md`,
    `reports/processed/report-${row.command_id}.md`,
  ])
})

it('SIGINT lets the request under way come to its end', async () => {
  const bridge = startBridge('--max', '2')
  const row = api.add()
  await bridge.next('taken')
  let answer: () => void = () => undefined
  const answered = new Promise<null>((resolve) => {
    answer = () => resolve(null)
  })
  api.fault = ({ path }) => (path.endsWith('/report') ? answered : null)
  put(dir, reportPath(row.command_id), REPORT)
  await api.until(() => api.asked.some(({ path }) => path.endsWith('/report')))
  bridge.kill('SIGINT')
  // It has given up its wait for work.
  await api.until(() => api.hungUp === 1)
  answer()
  expect([await bridge.ended, row.status]).toEqual([0, 'reported'])
  expect(isThere(dir, `reports/processed/report-${row.command_id}.md`)).toBe(true)
})

it('kill -9 with a report on its way: the next bridge takes the lock over, sends it again, and it stands', async () => {
  const first = startBridge()
  const row = api.add()
  await first.next('taken')
  const hanging = new Promise<null>(() => undefined)
  api.fault = ({ path }) => {
    if (!path.endsWith('/report')) return null
    api.change(row, { status: 'reported', report: REPORT })
    return hanging
  }
  put(dir, reportPath(row.command_id), REPORT)
  await api.until(() => row.status === 'reported')
  first.kill('SIGKILL')
  expect(await first.ended).toBe('SIGKILL')
  expect(isThere(dir, '.bridge/lock')).toBe(true)
  api.fault = null
  const second = startBridge()
  expect((await second.next('ready'))['worker']).toBe(first.told[0]?.['worker'])
  await second.next('settled')
  second.kill('SIGTERM')
  expect([await second.ended, isThere(dir, '.bridge/lock')]).toEqual([0, false])
  expect(isThere(dir, `reports/processed/report-${row.command_id}.md`)).toBe(true)
})

it('a second bridge on the same directory is refused, and does not harm the first', async () => {
  const first = startBridge()
  await first.next('ready')
  const lock = textOf(dir, '.bridge/lock')
  const second = startBridge()
  expect(await second.ended).toBe(1)
  expect(second.printed()).toMatch(new RegExp(`^error: .*${dir} has a bridge already: process ${first.pid} on `))
  expect(textOf(dir, '.bridge/lock')).toBe(lock)
})

it.each([
  [401, 'unauthorized', 'The key was refused (401: Say who you are.)'],
  [403, 'forbidden', 'The key may not be used for this (403: Say who you are.)'],
])('a key that is answered with %i ends the bridge with 1 and a sentence', async (status, code, sentence) => {
  api.fault = () => problem(status, code, 'Say who you are.')
  const bridge = startBridge()
  expect(await bridge.ended).toBe(1)
  expect(bridge.printed().split('\n').at(-1)).toBe(
    `error: ${sentence}. Set --key or LOOP_AGENT_KEY to a key of API_KEYS.`,
  )
  expect(isThere(dir, '.bridge/lock')).toBe(false)
})

it('address and key come from the environment too; without --json it says in words what happens', async () => {
  const env = { LOOP_AGENT_URL: `${api.url}/`, LOOP_AGENT_KEY: 'dev-key' }
  const bridge = startProgram('bridge', ['--dir', dir, '--worker', 'here', '--max', '2'], env)
  const row = api.add({ deadline: '2030-05-06T07:08:09Z' })
  await api.until(() => row.claim !== null && api.asked.at(-1)?.path.includes('status=pending') === true)
  bridge.kill('SIGTERM')
  expect(await bridge.ended).toBe(0)
  const lines = bridge
    .printed()
    .split('\n')
    .map((line) => line.replace(/^\S+Z /, ''))
  expect(lines).toEqual([
    `ready: work of ${api.url}/ for ${dir}, as here`,
    `taken: ${row.command_id} (new), report wanted by 2030-05-06T07:08:09Z`,
    'stopped',
  ])
})

it.each([
  [[], '--dir is missing'],
  [['--dir', 'x', '--colour'], "Unknown option '--colour'"],
  [['--dir', 'x', 'y'], 'Unexpected argument'],
  [['--dir', 'x', '--url', 'ftp://x'], '--url is not'],
  [['--dir', 'x', '--lease', '0'], '--lease is not'],
  [['--dir', 'x', '--quiet', 'soon'], '--quiet is'],
  [['--dir', 'x', '--max', '0'], '--max is'],
  [['--dir', 'x', '--steal', '-1'], "Option '--steal' argument is ambiguous"],
  [['--dir', 'x', '--steal', '1e9'], '--steal is not'],
  [['--dir', 'x', '--key', 'a b'], '--key is'],
  [['--dir', 'x', '--worker', 'a\nb'], '--worker is'],
])('the command line %j ends with 2, the reason and the help', async (args, reason) => {
  const bridge = startProgram('bridge', args)
  expect(await bridge.ended).toBe(2)
  expect(bridge.printed()).toContain(`error: ${reason}`)
  expect(bridge.printed()).toContain('usage: npm run bridge -- --dir <directory>')
})

it('package.json has both programs', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  expect([scripts['bridge'], scripts['worker']]).toEqual(['node scripts/bridge.mjs', 'node scripts/worker.mjs'])
})

it.runIf(process.platform === 'linux')(
  'a lock of a process that had the number of a living one is taken over',
  async () => {
    const first = startBridge()
    await first.next('ready')
    first.kill('SIGKILL')
    await first.ended
    const lock = JSON.parse(textOf(dir, '.bridge/lock')) as Record<string, unknown>
    // This very process lives, but has not begun when that one had.
    writeFileSync(join(dir, '.bridge/lock'), JSON.stringify({ ...lock, pid: process.pid }))
    const second = startBridge()
    await second.next('ready')
    second.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  },
)

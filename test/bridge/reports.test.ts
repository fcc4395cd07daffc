/** Reports step by step: what is taken, what is refused, and what is tried again. */
import nodeFs from 'node:fs/promises'
import { renameSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { recover, renewUnreported, takePending } from '../../scripts/lib/bridge/bridge.mjs'
import { notice } from '../../scripts/lib/bridge/notices.mjs'
import { startApi, type Api } from './api.ts'
import { problem, type Row } from './api-table.ts'
import {
  filesOf,
  isThere,
  newBench,
  put,
  QUIET_MS,
  removeDirectories,
  REPORT,
  reportPath,
  textOf,
  type Bench,
} from './bench.ts'

let api: Api
let bench: Bench
let row: Row
beforeEach(async () => {
  api = await startApi({ waits: false })
  bench = await newBench(api.url)
  row = api.add()
  await takePending(bench.bridge)
})
afterEach(async () => {
  bench.stop()
  await api.close()
  removeDirectories()
})
const reports = () => filesOf(bench.dir).filter((name) => name.startsWith('reports/'))
const sent = () => api.asked.filter(({ path }) => path.endsWith('/report')).length

it.each([
  ['empty', (path: string) => put(bench.dir, path, '')],
  ['hidden', (path: string) => put(bench.dir, path.replace('report-task', '.report-task'), REPORT)],
  ['.tmp', (path: string) => put(bench.dir, `${path}.tmp`, REPORT)],
  ['.part', (path: string) => put(bench.dir, `${path}.part`, REPORT)],
  ['.swp', (path: string) => put(bench.dir, `${path}.swp`, REPORT)],
  ['~', (path: string) => put(bench.dir, `${path}~`, REPORT)],
])('S2-13 a report file that is %s is not taken', async (_, write) => {
  write(reportPath(row.command_id))
  const before = filesOf(bench.dir)
  await bench.settleReports()
  expect([filesOf(bench.dir), sent(), bench.events()]).toEqual([before, 0, ['taken']])
})

it('S2-13 a report that grew, or was touched, since it was last looked at is left alone for another quiet time', async () => {
  const path = reportPath(row.command_id)
  put(bench.dir, path, '---\nstatus: SUCC')
  bench.clock.hold(QUIET_MS)
  const settled = bench.settleReports()
  await bench.clock.asked(QUIET_MS)
  put(bench.dir, path, REPORT)
  await bench.clock.pass(QUIET_MS)
  await bench.clock.asked(QUIET_MS)
  utimesSync(join(bench.dir, path), 1, 1)
  await bench.clock.pass(QUIET_MS)
  await bench.clock.asked(QUIET_MS)
  expect(sent()).toBe(0)
  await bench.clock.pass(QUIET_MS)
  await settled
  expect(row.report).toBe(REPORT)
})

it.each(['delegation_expired', 'delegation_canceled', 'already_reported'])(
  'U19 a report that is refused as %s is kept with the reason, and its command is over',
  async (code) => {
    api.change(row, {
      status: code === 'already_reported' ? 'reported' : code === 'delegation_expired' ? 'expired' : 'canceled',
      report: 'of somebody else',
    })
    put(bench.dir, reportPath(row.command_id), REPORT)
    await bench.settleReports()
    const stem = `reports/processed/report-${row.command_id}.refused`
    expect(filesOf(bench.dir)).toEqual([`commands/processed/${row.command_id}.md`, `${stem}.md`, `${stem}.txt`])
    expect(textOf(bench.dir, `${stem}.md`)).toBe(REPORT)
    expect(textOf(bench.dir, `${stem}.txt`)).toMatch(new RegExp(`^${code}: [A-Z].+\\.\n$`))
    expect(bench.events()).toEqual(['taken', 'refused', 'settled'])
  },
)

it.each([
  [413, 'payload_too_large'],
  [422, 'validation_failed'],
  [409, 'wrong_command'],
])(
  'a report that is refused with %i %s is kept with the reason, and a corrected one is taken',
  async (status, code) => {
    api.fault = ({ path }) => (path.endsWith('/report') && sent() < 3 ? problem(status, code, 'Mend it.') : null)
    for (const text of ['one', 'two']) {
      put(bench.dir, reportPath(row.command_id), text)
      await bench.settleReports()
    }
    expect(bench.bridge.open.has(row.command_id)).toBe(true)
    put(bench.dir, reportPath(row.command_id), REPORT)
    await bench.settleReports()
    expect(row.report).toBe(REPORT)
    const name = `report-${row.command_id}`
    expect(reports()).toEqual(
      [`${name}.md`, `${name}.refused-2.md`, `${name}.refused-2.txt`, `${name}.refused.md`, `${name}.refused.txt`].map(
        (one) => `reports/processed/${one}`,
      ),
    )
    expect(textOf(bench.dir, `reports/processed/${name}.refused.md`)).toBe('one')
  },
)

it.each(['report-task-99999999-0000-4000-8000-000000000000.md', 'report-nonsense.md', `report-${'ä'.repeat(120)}.md`])(
  'a report of a command that nobody knows is kept as refused, and that is said: %s',
  async (name) => {
    put(bench.dir, `reports/pending/${name}`, REPORT)
    await bench.settleReports()
    const [kept = '', reason = ''] = reports()
    expect([kept, reason]).toEqual([expect.stringMatching(/\.refused\.md$/), expect.stringMatching(/\.refused\.txt$/)])
    expect(textOf(bench.dir, reason)).toMatch(/^unknown_command: No open command/)
    expect(bench.told.at(-1)).toMatchObject({ event: 'refused', code: 'unknown_command', file: name })
    expect(sent()).toBe(0)
  },
)

it('a report that comes after its command was settled is told why', async () => {
  api.change(row, { status: 'expired' })
  await renewUnreported(bench.bridge, row.command_id)
  put(bench.dir, reportPath(row.command_id), REPORT)
  await bench.settleReports()
  const reason = textOf(bench.dir, `reports/processed/report-${row.command_id}.refused.txt`)
  expect(reason).toBe('unknown_command: The command was settled before this report came: its deadline has passed.\n')
})

it('S2-13 a report may carry the bare uuid of its command', async () => {
  put(bench.dir, reportPath(row.command_id.slice('task-'.length)), REPORT)
  await bench.settleReports()
  expect([row.report, bench.events()]).toEqual([REPORT, ['taken', 'reported', 'settled']])
})

it('a lost network, a 429 and a 503 keep the report, and Retry-After is waited for', async () => {
  const faults = [
    'drop' as const,
    problem(503, 'unavailable', 'Later.', { 'retry-after': '7' }),
    problem(429, 'rate_limited', 'Later.', { 'retry-after': '11' }),
    problem(409, 'task_busy', 'Later.', { 'retry-after': '13' }),
    { status: 502, body: '<html>bad gateway</html>' },
    { status: 404, body: '<html>no such page</html>' },
  ]
  api.fault = ({ path }) => (path.endsWith('/report') ? (faults.shift() ?? null) : null)
  put(bench.dir, reportPath(row.command_id), REPORT)
  await bench.settleReports()
  const waits = bench.clock.waited.filter((ms) => ms !== QUIET_MS)
  expect(waits.slice(1, 4)).toEqual([7_000, 11_000, 13_000])
  // Each pause of our own is at most double the one before, and at least half of that.
  expect([waits.length, waits[0], waits[4], waits[5]]).toEqual([
    6,
    expect.toSatisfy((ms: number) => ms >= 250 && ms <= 500),
    expect.toSatisfy((ms: number) => ms >= 4_000 && ms <= 8_000),
    expect.toSatisfy((ms: number) => ms >= 8_000 && ms <= 16_000),
  ])
  expect([row.report, sent()]).toEqual([REPORT, 7])
})

it('a report that is changed during an outage is sent as it is then', async () => {
  api.fault = ({ path }) => {
    if (!path.endsWith('/report') || sent() > 1) return null
    put(bench.dir, reportPath(row.command_id), REPORT)
    return 'drop'
  }
  put(bench.dir, reportPath(row.command_id), 'first thoughts')
  await bench.settleReports()
  expect(row.report).toBe(REPORT)
})

it('a report that is written to while it is read is not sent as half of both', async () => {
  let reads = 0
  const open = async (...given: Parameters<typeof nodeFs.open>) => {
    const file = await nodeFs.open(...given)
    const read = file.readFile.bind(file)
    const readFile = () => {
      reads += 1
      if (reads === 1) put(bench.dir, reportPath(row.command_id), REPORT)
      return read()
    }
    return String(given[0]).includes('reports') ? Object.assign(file, { readFile }) : file
  }
  bench.bridge.fs = { ...nodeFs, open }
  put(bench.dir, reportPath(row.command_id), 'torn')
  await bench.settleReports()
  expect([sent(), row.report]).toEqual([1, REPORT])
})

it('what is written to a report while it is sent is not put away as if it had been sent', async () => {
  api.fault = ({ path }) => {
    if (path.endsWith('/report') && sent() === 1) put(bench.dir, reportPath(row.command_id), 'more')
    return null
  }
  put(bench.dir, reportPath(row.command_id), REPORT)
  await bench.settleReports()
  expect([row.report, bench.events()]).toEqual([REPORT, ['taken', 'trouble', 'refused', 'settled']])
  expect(textOf(bench.dir, `reports/processed/report-${row.command_id}.refused.md`)).toBe('more')
})

it('a report that was recorded by an earlier life of the bridge is sent again and stands', async () => {
  put(bench.dir, reportPath(row.command_id), REPORT)
  api.change(row, { status: 'reported', report: REPORT })
  const next = await newBench(api.url, { dir: bench.dir })
  await recover(next.bridge)
  await next.settleReports()
  expect(next.events()).toEqual(['resumed', 'reported', 'settled'])
  expect(isThere(bench.dir, `reports/processed/report-${row.command_id}.md`)).toBe(true)
})

it('a renewal that hears of the very report that is on its way leaves it alone', async () => {
  put(bench.dir, reportPath(row.command_id), REPORT)
  const renewal = renewUnreported(bench.bridge, row.command_id)
  await Promise.all([renewal, bench.settleReports()])
  await Promise.all([...bench.bridge.deliveries.values()].map(({ done }) => done))
  expect(bench.events()).toEqual(['taken', 'reported', 'settled'])
})

it('a mount whose watch is silent: the report is found at the next renewal', async () => {
  put(bench.dir, reportPath(row.command_id), REPORT)
  await renewUnreported(bench.bridge, row.command_id)
  await Promise.all([...bench.bridge.deliveries.values()].map(({ done }) => done))
  expect(row.report).toBe(REPORT)
})

it('a report that is written while the one before it is put away is not overlooked', async () => {
  const name = `report-${row.command_id}.md`
  const tell = bench.bridge.tell
  bench.bridge.tell = (one) => {
    tell(one)
    if (one.event !== 'refused') return
    put(bench.dir, reportPath(row.command_id), REPORT)
    notice(bench.bridge, name)
  }
  api.fault = ({ path }) =>
    path.endsWith('/report') && sent() === 1 ? problem(422, 'validation_failed', 'Mend it.') : null
  put(bench.dir, reportPath(row.command_id), 'of no use')
  await bench.settleReports()
  expect([row.report, bench.events()]).toEqual([REPORT, ['taken', 'refused', 'reported', 'settled']])
})

it('a link in place of a report is neither read nor moved, and that is said once', async () => {
  put(bench.dir, 'secret.md', REPORT)
  symlinkSync(join(bench.dir, 'secret.md'), join(bench.dir, reportPath(row.command_id)))
  await bench.settleReports()
  await bench.settleReports()
  expect([sent(), bench.events(), reports()]).toEqual([0, ['taken', 'left'], [reportPath(row.command_id)]])
})

it('a link in place of a folder stops deliveries, and they go on when it is a folder again', async () => {
  const pending = join(bench.dir, 'reports/pending')
  put(bench.dir, reportPath(row.command_id), REPORT)
  let turns = 0
  const wait = bench.bridge.wait
  bench.bridge.wait = async (ms, stop) => {
    turns += 1
    // It has looked, and reads when the quiet time is over.
    if (turns === 1) {
      renameSync(pending, `${pending}-real`)
      symlinkSync(`${pending}-real`, pending)
    }
    if (turns === 2) {
      expect(sent()).toBe(0)
      renameSync(pending, `${pending}-link`)
      renameSync(`${pending}-real`, pending)
    }
    return wait(ms, stop)
  }
  await bench.settleReports()
  expect(bench.told).toContainEqual(
    expect.objectContaining({ event: 'trouble', reason: expect.stringContaining('no links') }),
  )
  expect(row.report).toBe(REPORT)
})

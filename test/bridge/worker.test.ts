/** The worker with programs of its own: what they are given, what becomes of what they print, and when they are killed. */
import { execFileSync } from 'node:child_process'
import { readFileSync, watch } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runWorker, type Worker } from '../../scripts/lib/worker/worker.mjs'
import { startApi, type Api } from './api.ts'
import { problem } from './api-table.ts'
import { isThere, LEASE_S, newDirectory, removeDirectories, RENEWAL_MS, textOf } from './bench.ts'
import { DEADLINE_MS, newWorkerBench, type WorkerBench } from './worker-bench.ts'

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

const newWorker = (exec: string, changes?: Partial<Worker>) => bench.worker(exec, changes)
const once = (exec: string, changes?: Partial<Worker>) => bench.once(exec, changes)
const events = () => bench.events()
const reportOf = (text: string | null) => JSON.parse(text ?? 'null') as { status: string; text: string }

it('a program is given the command on stdin, by path and in its environment, and not the key', async () => {
  const row = api.add({ command_type: 'continue', session_id: '5e5e' })
  const seen = 'cat > stdin; cat "$COMMAND_FILE" > file; env > env; basename "$COMMAND_FILE"'
  expect(await once(seen)).toBe(true)
  expect([textOf(dir, 'stdin'), textOf(dir, 'file')]).toEqual([row.file, row.file])
  const env = textOf(dir, 'env').split('\n')
  for (const line of [
    'MINE=yes',
    `COMMAND_ID=${row.command_id}`,
    'COMMAND_TYPE=continue',
    'SESSION_ID=5e5e',
    `DELEGATION_ID=${row.id}`,
    `DEADLINE=${row.deadline}`,
  ])
    expect(env).toContain(line)
  expect(env.filter((line) => line.includes('dev-key'))).toEqual([])
  expect(reportOf(row.report)).toEqual({ status: 'SUCCESS', text: `${row.command_id}.md` })
  expect(events()).toEqual(['taken', 'finished', 'reported'])
  // Nothing of it is left on the disk.
  const [, command = ''] = /^COMMAND_FILE=(.*)$/m.exec(textOf(dir, 'env')) ?? []
  expect(() => readFileSync(command)).toThrow('ENOENT')
})

it.each([
  ['exit 0', 'echo done', 'SUCCESS', 'done'],
  ['exit 3 and words on stderr', 'echo half; echo why >&2; exit 3', 'FAILED', 'half\n\nstderr:\nwhy\n\nexit code 3'],
  ['silence', 'true', 'SUCCESS', 'The program printed nothing.'],
  ['a signal', 'kill -9 $$', 'FAILED', 'The program printed nothing.\n\nended by SIGKILL'],
  ['no such program', 'no-such-program-here', 'FAILED', expect.stringContaining('exit code 127')],
  ['colours and NULs', String.raw`printf '\033[31mred\033[0m\000\tand\n'`, 'SUCCESS', 'red\tand'],
])('S2-13 what a program prints is the text of its report: %s', async (_, exec, status, text) => {
  const row = api.add()
  expect(await once(exec)).toBe(true)
  expect(reportOf(row.report)).toEqual({ status, text })
  expect(api.asked.at(-1)?.headers['content-type']).toBe('application/json')
})

const MARKDOWN = '---\nstatus: PARTIAL_SUCCESS\n---\n\nBody\n'
it.each([
  [
    'stdout that begins with front matter',
    String.raw`printf -- '\n---\nstatus: PARTIAL_SUCCESS\n---\n\nBody\n'; exit 1`,
  ],
  [
    'a report file',
    String.raw`echo chatter; printf -- '---\nstatus: PARTIAL_SUCCESS\n---\n\nBody\n' > "$REPORT_FILE"; exit 1`,
  ],
])('S2-13 %s is the report as it is', async (_, exec) => {
  const row = api.add()
  await once(exec)
  expect([row.report, api.asked.at(-1)?.headers['content-type']]).toEqual([MARKDOWN, 'text/markdown'])
})

it('an empty report file is none', async () => {
  const row = api.add()
  await once('echo said; : > "$REPORT_FILE"')
  expect(reportOf(row.report).text).toBe('said')
})

it('a program that prints without end is cut in the middle, its beginning and end stay', async () => {
  const row = api.add()
  await once(`echo first; head -c 900000 /dev/zero | tr '\\0' x; echo; echo last`)
  const { text } = reportOf(row.report)
  expect(text).toMatch(/^first\nx+\n\[… \d+ characters left out …\]\nx+\nlast$/)
  expect(text.length).toBeLessThanOrEqual(200_000)
})

it('a report that is refused is told as a failure, so that the task need not wait for its deadline', async () => {
  const row = api.add()
  let reports = 0
  api.fault = ({ path }) =>
    path.endsWith('/report') && ++reports === 1 ? problem(422, 'validation_failed', 'Mend it.') : null
  expect(await once('echo x')).toBe(true)
  expect(reportOf(row.report)).toEqual({
    status: 'FAILED',
    text: 'The report of the worker was refused (validation_failed): Mend it.',
  })
  expect(events()).toEqual(['taken', 'finished', 'report_refused', 'reported'])
})

it('a report that comes too late is refused once, and that is said', async () => {
  const row = api.add()
  api.fault = ({ path }) => {
    if (path.endsWith('/report')) api.change(row, { status: 'expired' })
    return null
  }
  expect(await once('echo x')).toBe(false)
  expect(bench.told.at(-1)).toMatchObject({ event: 'report_refused', code: 'delegation_expired' })
  expect(api.asked.filter(({ path }) => path.endsWith('/report'))).toHaveLength(1)
})

it('a lost network keeps the report, and it is sent again', async () => {
  const row = api.add()
  let reports = 0
  api.fault = ({ path }) => (path.endsWith('/report') && ++reports < 4 ? 'drop' : null)
  expect(await once('echo x')).toBe(true)
  expect([row.status, events()]).toEqual([
    'reported',
    ['taken', 'finished', 'retrying', 'retrying', 'retrying', 'reported'],
  ])
})

/** Says that it runs by a file, ignores SIGTERM together with a child of its own, and would never end. */
const STUBBORN = `trap '' TERM; (trap '' TERM; echo $$ > started; sleep 1000) & wait; sleep 1000`
/** Ends at SIGTERM, and tells of it. */
const TIDY = `trap 'echo tidied > tidied; exit 1' TERM; echo $$ > started; sleep 1000 & wait`
/** A command whose program runs. */
async function running(exec: string) {
  const row = api.add()
  const done = once(exec)
  await new Promise<void>((resolve) => {
    const watcher = watch(dir, () => {
      if (!isThere(dir, 'started') || textOf(dir, 'started') === '') return
      watcher.close()
      resolve()
    })
  })
  return { row, done }
}
/** Whether anybody is left in the group of the program. Who is dead and waits to be buried is nobody. */
function groupLives(): boolean {
  const group = textOf(dir, 'started').trim()
  const processes = execFileSync('ps', ['-e', '-o', 'pgid=,stat='], { encoding: 'utf8' }).split('\n')
  return processes.some((line) => line.trim().split(/\s+/)[0] === group && !/\sZ/.test(line))
}

it('the claim is renewed while the program runs', async () => {
  const { row, done } = await running(TIDY)
  await bench.clock.pass(RENEWAL_MS)
  await bench.clock.pass(RENEWAL_MS)
  await bench.clock.asked(RENEWAL_MS)
  const claims = api.asked.filter(({ path }) => path.endsWith('/claim'))
  expect(claims).toHaveLength(3)
  for (const { body } of claims) expect(JSON.parse(body)).toEqual({ worker: 'w', lease_s: LEASE_S })
  expect(row.status).toBe('pending')
  bench.stop()
  await done
})

it('S2-18 at the deadline the program is ended, and nothing is reported', async () => {
  const { row, done } = await running(TIDY)
  await bench.clock.pass(DEADLINE_MS)
  expect(await done).toBe(false)
  expect([isThere(dir, 'tidied'), groupLives(), row.report]).toEqual([true, false, null])
  expect(bench.told.at(-1)).toEqual({ event: 'killed', command_id: row.command_id, reason: 'its deadline has passed' })
})

it('a program that ignores SIGTERM is killed with all that it has started', async () => {
  const { done } = await running(STUBBORN)
  await bench.clock.pass(DEADLINE_MS)
  expect(await done).toBe(false)
  expect([events().at(-1), groupLives()]).toEqual(['killed', false])
})

it.each(['expired', 'canceled', 'reported'] as const)(
  'a program whose command is %s elsewhere is ended at the next renewal',
  async (status) => {
    const { row, done } = await running(TIDY)
    api.change(row, { status })
    await bench.clock.pass(RENEWAL_MS)
    expect(await done).toBe(false)
    expect([isThere(dir, 'tidied'), events().at(-1), groupLives()]).toEqual([true, 'killed', false])
  },
)

it('a program whose claim went to another worker is ended: two are not at work on one command', async () => {
  const { row, done } = await running(TIDY)
  api.change(row, { claim: { worker: 'other', until: '2099-01-01T00:00:00Z' } })
  await bench.clock.pass(RENEWAL_MS)
  expect([await done, bench.told.at(-1)?.['reason']]).toEqual([false, 'delegation_claimed: other works on it.'])
})

it('a renewal that is lost does not end the program, and is made again soon', async () => {
  const { row, done } = await running(TIDY)
  const before = api.asked.length
  api.fault = () => (api.asked.length <= before + 2 ? 'drop' : null)
  await bench.clock.pass(RENEWAL_MS)
  await api.until(() => api.asked.length >= before + 3)
  expect([row.status, events().filter((event) => event === 'trouble').length, groupLives()]).toEqual([
    'pending',
    2,
    true,
  ])
  bench.stop()
  await done
})

it('a worker that is stopped ends its program and reports nothing; when its claim has run out another one gets the command', async () => {
  const { row, done } = await running(TIDY)
  bench.stop()
  await done
  expect([isThere(dir, 'tidied'), groupLives(), row.status, row.report]).toEqual([true, false, 'pending', null])
  expect(bench.told.at(-1)).toMatchObject({ event: 'killed', reason: 'the worker was stopped' })
  bench = newWorkerBench(api.url, dir)
  const next = once('echo mine', { worker: 'next' })
  await api.until(() => api.asked.at(-1)?.path.includes('status=pending') === true)
  expect(row.claim?.worker).toBe('w')
  api.change(row, { claim: null })
  expect([await next, reportOf(row.report).text]).toEqual([true, 'mine'])
})

it.each([
  ['is past by our own clock', '2001-01-01T00:00:00Z'],
  ['is further away than a timer can be', '2099-01-01T00:00:00Z'],
  ['cannot be read', 'soon'],
])('a deadline that %s is left to the service', async (_, deadline) => {
  const row = api.add({ deadline })
  expect(await once('echo in time')).toBe(true)
  expect([reportOf(row.report).text, bench.clock.waited.includes(DEADLINE_MS)]).toEqual(['in time', false])
})

it('what a program leaves running in the background does not hold up its report', async () => {
  const row = api.add()
  expect(await once('sleep 1000 & echo $! > left; echo done')).toBe(true)
  process.kill(Number(textOf(dir, 'left')), 'SIGKILL')
  expect(reportOf(row.report).text).toBe('done')
})

it('of two workers that see one command one runs it, and the other waits for the next', async () => {
  const [first, second] = [api.add(), api.add()]
  bench.clock.hold(DEADLINE_MS)
  const where = { cwd: dir }
  const both = ['one', 'other'].map((worker) =>
    runWorker(newWorker(`echo ${worker} >> ran; echo ok`, { ...where, worker }), { once: true }),
  )
  expect(await Promise.all(both)).toEqual([true, true])
  expect(textOf(dir, 'ran').trim().split('\n').toSorted()).toEqual(['one', 'other'])
  expect([first.status, second.status]).toEqual(['reported', 'reported'])
})

it('without once a worker goes on to the next command, oldest first, also `end`', async () => {
  const rows = [api.add(), api.add({ command_type: 'end' })]
  bench.clock.hold(DEADLINE_MS)
  const done = runWorker(newWorker('echo "$COMMAND_TYPE $COMMAND_ID" >> ran'), { once: false })
  await api.until(() => rows.every(({ status }) => status === 'reported'))
  bench.stop()
  await done
  expect(textOf(dir, 'ran')).toBe(`new ${rows[0]?.command_id}\nend ${rows[1]?.command_id}\n`)
})

const LEAVES_SOMETHING = 'sleep 1000 & echo $! > left; echo done'
it.each([
  ['the worker is stopped', () => bench.stop()],
  ['its deadline passes by our own clock', () => bench.clock.release(DEADLINE_MS)],
])(
  'a program that has ended is reported, though %s before its output is read: only the answer to the report decides',
  async (_, happen) => {
    const row = api.add()
    let times = 0
    // The worker looks at its clock when the program begins, and at its end.
    const now = () => {
      times += 1
      if (times === 2) happen()
      return 0
    }
    expect(await once(LEAVES_SOMETHING, { now })).toBe(true)
    process.kill(Number(textOf(dir, 'left')), 'SIGKILL')
    expect([reportOf(row.report).text, events()]).toEqual(['done', ['taken', 'finished', 'reported']])
  },
)

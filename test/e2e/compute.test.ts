/** The compute Worker of `npm start`: a process of its own, whose end costs nobody but the job that it ran (U44). */
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import { cpuOf_ms } from '../../bench/machine.ts'
import { workerdProcess } from '../../scripts/lib/compute-workerd.mjs'
import { DOOR_HEADER } from '../../scripts/lib/door.mjs'
import { NODE } from '../../scripts/lib/node.mjs'
import type { Service } from '../../scripts/lib/service.mjs'
import { TaskView } from '../../src/core/terms/view.ts'
import { calling } from '../support/scripted.ts'
import { openaiAt, startScriptedOpenai, type ScriptedOpenai } from '../support/scripted-openai.ts'
import { newPlace, type Place } from './support.ts'

let place: Place
let model: ScriptedOpenai | undefined
afterEach(async () => {
  await place.leave()
  await model?.close()
})

const CONFIG = 'dist/compute/config.capnp'
/** Read and then computed over it takes longer than the second that a job has here, on any machine. */
const LARGE = `day,region,amount\n${'2024-01-01,North,12.5\n'.repeat(1_400_000)}`
const SMALL = 'day,amount\n2024-01-01,42\n'
const endless = calling('<tasks>\n- [ ] a\n</tasks>', ['run_code', { code: 'for (;;) {}', dataset: 'large.csv' }])
const small = calling('<tasks>\n- [ ] a\n</tasks>', [
  'run_code',
  { code: 'print(data.numbers("amount"))', dataset: 'small.csv' },
])

const client = (service: Service, key: string) => async (method: string, path: string, body?: object | string) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const init = { method, headers, body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null) }
  const response = await fetch(`${service.url}${path}`, init)
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}
type Client = ReturnType<typeof client>

async function newTask(call: Client, files: Record<string, string>): Promise<string> {
  const body = { goal: 'sum it', mode: 'autonomous', rounds: 0 }
  const { id } = TaskView.parse(await call('POST', '/tasks', body))
  for (const [name, content] of Object.entries(files)) await call('PUT', `/tasks/${id}/files/${name}`, content)
  return id
}
/** One turn of the model, with the tool that it calls: what that told. */
async function turn(call: Client, id: string): Promise<string> {
  const task = TaskView.parse(await call('POST', `/tasks/${id}/step`, { rounds: 1 }))
  const told = task.slice?.events.find(({ type }) => type === 'action_finished')
  return JSON.stringify(told)
}

/** The process of the compute Worker that belongs to a service. */
function computeOf({ pid }: Service): number {
  const lines = execFileSync('ps', ['axww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  const found = lines.map((line) => line.trim().split(/\s+/)).filter(([, parent]) => Number(parent) === pid)
  return Number(found.find((words) => words.join(' ').includes(CONFIG))?.[0] ?? 0)
}

const groupOf = (pid: number) => Number(execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' }))

/** Empty: it has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

it(
  'U44 only the job that takes too long fails: health is answered meanwhile, and the next job, of another tenant, is done',
  { timeout: 120_000 },
  async () => {
    place = newPlace()
    model = await startScriptedOpenai({ turn: [small, endless, small] })
    const keys = { API_KEYS: 'acme:acme-key,other:other-key', COMPUTE_SECONDS: '1' }
    const service = await place.start({ ...openaiAt(model.base_url), ...keys })
    const [acme, other] = [client(service, 'acme-key'), client(service, 'other-key')]
    const [mine, theirs] = [await newTask(acme, { 'large.csv': LARGE }), await newTask(other, { 'small.csv': SMALL })]
    // Nobody has needed it yet.
    expect(computeOf(service)).toBe(0)
    expect(await turn(other, theirs)).toContain('[42]')
    const first = computeOf(service)
    expect(readFileSync(`/proc/${first}/environ`, 'utf8')).not.toMatch(/acme-key|sk-test/)

    const { calls } = model
    const watched = { health: true }
    const watching = watchHealth(service, watched)
    const slow = turn(acme, mine)
    await expect.poll(() => calls.length).toBe(2)
    const behind = turn(other, theirs)
    expect(await slow).toContain('not done after 1 s')
    watched.health = false
    expect(await behind).toContain('[42]')
    const { answered, worst_ms } = await watching
    expect(answered).toBeGreaterThan(5)
    // Of a job that computes for 1 s without end.
    expect(worst_ms).toBeLessThan(1_000)
    expect(computeOf(service)).not.toBe(first)
  },
)

it(
  'U44 a kill -9 of the compute process fails only its current job: the API keeps running, and the next job gets a new process',
  { timeout: 120_000 },
  async () => {
    place = newPlace()
    model = await startScriptedOpenai({ turn: [endless, small] })
    const service = await place.start({ ...openaiAt(model.base_url), API_KEYS: 'acme:acme-key' })
    const call = client(service, 'acme-key')
    const id = await newTask(call, { 'large.csv': LARGE, 'small.csv': SMALL })
    const killed = turn(call, id)
    // Far more than a start takes, far less than the job.
    await expect.poll(() => cpuOf_ms(computeOf(service)) ?? 0, { timeout: 20_000, interval: 20 }).toBeGreaterThan(400)
    process.kill(computeOf(service), 'SIGKILL')
    expect(await killed).toContain('was restarted in the middle')
    expect(await turn(call, id)).toContain('[42]')
    const task = TaskView.parse(await call('GET', `/tasks/${id}`))
    expect(task.counters).toMatchObject({ actions: 2, failed_actions: 1 })
    const next = computeOf(service)
    // Ctrl-C in a terminal goes to the process group of the service.
    expect(groupOf(next)).toBe(next)
    await service.stop()
    await expect.poll(() => commandOf(next)).toBe('')
  },
)

async function watchHealth({ url }: Service, watched: { health: boolean }) {
  let [answered, worst_ms] = [0, 0]
  while (watched.health) {
    const begun = performance.now()
    const response = await fetch(`${url}/health`)
    await response.arrayBuffer()
    worst_ms = Math.max(worst_ms, performance.now() - begun)
    answered += response.status === 200 ? 1 : 0
  }
  return { answered, worst_ms }
}

it('U44 a request to the compute process without its secret is refused', async () => {
  place = newPlace()
  const compute = workerdProcess(CONFIG)
  try {
    const at = await compute.running()
    const statusOf = async (secret: string) =>
      (await fetch(`http://127.0.0.1:${at?.port}/code`, { headers: { [DOOR_HEADER]: secret } })).status
    expect(await Promise.all([statusOf(''), statusOf('x'), statusOf(at?.secret ?? '')])).toEqual([403, 403, 400])
  } finally {
    compute.stop()
  }
})

/** Has the process once and kills it, opens all files that it may, asks for the process, closes them and asks again. */
const WITHOUT_DESCRIPTORS = `
  import { closeSync, openSync } from 'node:fs'
  import { workerdProcess } from './scripts/lib/compute-workerd.mjs'
  const compute = workerdProcess('${CONFIG}')
  setInterval(() => {}, 1_000)
  const opened = []
  ;(await compute.running()).kill()
  try { for (;;) opened.push(openSync('/dev/null')) } catch {}
  const answers = [await compute.running()]
  for (const one of opened) closeSync(one)
  answers.push(await compute.running())
  compute.stop()
  console.log(JSON.stringify(answers.map((at) => at !== null)))
  process.exit(0)`

it('U44 a compute process that cannot start because descriptors are missing is started by a later job', async () => {
  place = newPlace()
  const args = ['-c', 'ulimit -n 100; exec "$0" --input-type=module -e "$1"', NODE, WITHOUT_DESCRIPTORS]
  const { stdout } = await promisify(execFile)('sh', args)
  expect(stdout).toBe('[false,true]\n')
})

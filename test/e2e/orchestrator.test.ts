/**
 * The story of the requirements S2 through the real bundle: a goal is led to its end by way of a bridge and an agent that only knows two folders, with a
 * failure and its retry, a replan, a time-out, a person, and a kill -9 of the service in between.
 */
import { fork, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Service } from '../../scripts/lib/service.mjs'
import type { TaskView } from '../../src/core/terms/view.ts'
import { call, callTask, newPlace, untilFound, type Place } from './support.ts'

const LONG = { timeout: 120_000 }

let place: Place
let children: ChildProcess[]
beforeEach(() => {
  place = newPlace()
  children = []
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await place.leave()
})

/** The program, speaking to one service; what it says goes to the test's own output when that fails. */
function program(script: string, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  return child
}
const bridge = ({ url }: Service, dir: string) =>
  program('scripts/bridge.mjs', '--dir', dir, '--url', url, '--key', 'dev-key', '--quiet', '50', '--lease', '5')

const reached = (service: Service, id: string, ...statuses: string[]) =>
  untilFound(`task that is ${statuses.join(' or ')}`, async () => {
    const task = await callTask(service, 'GET', `/tasks/${id}`)
    return statuses.includes(task.status) ? task : null
  })

const Line = z.object({
  id: z.string(),
  command_type: z.string(),
  session_id: z.string(),
  title: z.string(),
  status: z.string().nullable(),
})
/** The agent may be writing its next line, so only lines that have ended are read. */
const journalIn = (dir: string) =>
  existsSync(join(dir, 'journal.jsonl'))
    ? readFileSync(join(dir, 'journal.jsonl'), 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => Line.parse(JSON.parse(line)))
    : []

const GOAL = '1. Reproduce the project\n2. Measure the accuracy\n3. Wait for the data\n4. Raise the accuracy'

describe('an agent that works by files', LONG, () => {
  it('S2-14 F54 comes to the end through a failure, a replan, a time-out, an answer of a person and a kill -9', async () => {
    const dir = join(place.dataDir, 'volumes')
    const first = await place.start()
    const port = new URL(first.url).port
    const settings = { report_timeout_s: 15, max_retries_per_step: 1 }
    const { id } = await callTask(first, 'POST', '/tasks', {
      goal: GOAL,
      mode: 'orchestrator',
      drive: 'background',
      settings,
    })
    bridge(first, dir)
    await untilFound('folders', () => (existsSync(join(dir, 'reports/pending')) ? true : null))
    children.push(fork('test/e2e/agents/coding-agent.mjs', [dir]))
    await untilFound('second command', () => (journalIn(dir).length >= 2 ? true : null))
    await first.kill()
    // The bridge goes on when the service does.
    const service = await place.start({ PORT: port })

    const asked = await reached(service, id, 'input_required', 'failed')
    if (asked.pending?.kind !== 'question') throw new Error(`no question: ${JSON.stringify(asked)}`)
    expect(asked.pending.question).toContain('The step "Raise the accuracy" has failed 2 times.')
    await callTask(service, 'POST', `/tasks/${id}/input`, { input: 'Use the cached copy', rounds: 0 })
    const done = await reached(service, id, 'completed', 'failed')
    await untilFound('end of the session', () =>
      journalIn(dir).some(({ command_type }) => command_type === 'end') ? true : null,
    )

    expect(outline(done)).toEqual({ status: 'completed', items: STEPS, replans: 1 })
    expect(done.result?.text).toContain('Steps: 4 (4 completed, 0 failed, 0 skipped)')
    const worked = journalIn(dir)
    // Each command was read once, whatever was killed meanwhile; only the session that a report has named is continued.
    expect(new Set(worked.map((line) => line.id)).size).toBe(worked.length)
    expect(
      worked
        .filter(({ command_type }) => command_type !== 'end')
        .map(({ title, command_type, status }) => [title, command_type, status]),
    ).toEqual(COMMANDS)
    expect(done.budget.used).toBe(COMMANDS.length)
    await untilFound(
      'last report',
      async () =>
        (await delegations(service)).every(({ status }) => status !== 'pending' && status !== 'claimed') || null,
    )
    expect(
      (await delegations(service)).map(({ status }) => status).filter((status) => status === 'expired'),
    ).toHaveLength(1)
    expect(await call(service, 'POST', `/tasks/${id}/replay`)).toMatchObject({ equal: true })
    const mission = await fetch(`${service.url}/tasks/${id}/files/MISSION.md`, {
      headers: { authorization: 'Bearer dev-key' },
    })
    expect(await mission.text()).toMatch(/no report came in time[^]*answered: Use the cached copy/)
  })
})

const STEPS = ['Reproduce the project', 'Clean the labels', 'Wait for the data', 'Raise the accuracy'].map((title) => [
  title,
  'completed',
])
const COMMANDS = [
  ['Reproduce the project', 'new', 'FAILED'],
  ['Reproduce the project', 'continue', 'SUCCESS'],
  ['Measure the accuracy', 'new', 'PARTIAL_SUCCESS'],
  ['Clean the labels', 'new', 'SUCCESS'],
  ['Wait for the data', 'new', null],
  ['Wait for the data', 'new', 'SUCCESS'],
  ['Raise the accuracy', 'new', 'FAILED'],
  ['Raise the accuracy', 'continue', 'FAILED'],
  ['Raise the accuracy', 'continue', 'SUCCESS'],
]
const outline = ({ status, plan, counters }: TaskView) => ({
  status,
  items: plan.items.map((item) => [item.title, item.status]),
  replans: counters.replans,
})

const Page = z.object({
  data: z.array(z.looseObject({ id: z.string(), status: z.string(), command_type: z.string() })),
})
const delegations = async (service: Service, query = '') =>
  Page.parse(await call(service, 'GET', `/delegations?limit=100${query}`)).data

const claim = async ({ url }: Service, id: string, worker: string) => {
  const headers = { authorization: 'Bearer dev-key', 'content-type': 'application/json' }
  const response = await fetch(`${url}/delegations/${id}/claim`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ worker, lease_s: 60 }),
  })
  return response.status
}

describe('workers', LONG, () => {
  const posted = async (service: Service) => {
    const task = await callTask(service, 'POST', '/tasks', { goal: 'Reproduce the project', mode: 'orchestrator' })
    const [delegation] = await delegations(service, '&status=pending')
    if (delegation === undefined) throw new Error('nothing was handed out')
    return { task, id: delegation.id }
  }

  it('exactly one of ten workers that race for a command gets it', async () => {
    const service = await place.start()
    const { id } = await posted(service)
    const statuses = await Promise.all(Array.from({ length: 10 }, (_, n) => claim(service, id, `worker-${n}`)))
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
  })

  it('a worker that is killed during a command loses it when its lease ends, and another one does it', async () => {
    const service = await place.start()
    const { task, id } = await posted(service)
    const marker = join(place.dataDir, 'began')
    const options = ['--url', service.url, '--key', 'dev-key', '--lease', '2']
    const doomed = program('scripts/worker.mjs', '--exec', `touch '${marker}'; sleep 1000`, ...options)
    await untilFound('start of the program', () => (existsSync(marker) ? true : null))
    doomed.kill('SIGKILL')
    program('scripts/worker.mjs', '--once', '--exec', 'echo all of it; exit 0', ...options)
    await untilFound('report', async () =>
      (await delegations(service, '&status=reported')).some((one) => one.id === id) ? true : null,
    )
    const done = await callTask(service, 'POST', `/tasks/${task.id}/step`, { rounds: 5 })
    expect(done.status).toBe('completed')
  })
})

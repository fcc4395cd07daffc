/** A client that leaves work to schedules and agents: it puts, replaces, pauses, runs and deletes them while their ticks come. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { AgentView } from '../../../src/core/shown/agent-view.ts'
import { ScheduleRunView, ScheduleView } from '../../../src/core/shown/schedule-view.ts'
import type { Random } from '../../sim/random.ts'
import { codeOf, headersOf, type Bench } from '../ask.ts'
import { listed } from '../calm.ts'
import { isOpen, isThere } from '../known.ts'
import { isPlanned, isTick, learnRun, learnSchedule, type Plan, type Rhythm } from '../plans.ts'
import type { Reply } from '../service.ts'
import { asking, say, send, view, type Client } from './asking.ts'
import { PLANNED } from './clients.ts'
import { toolsOf } from './making.ts'
import { allRuns, runsPage } from './schedule-pages.ts'
import { remove } from './steering.ts'

const SCHEDULES = 7
/** The newest 100 versions are kept, and the newest 200 runs. */
const VERSIONS_MAX = 90
const REQUESTED_MAX = 60
const OPEN_MAX = 8
const AGENTS = ['miller', 'baker'] as const
/** It is one client beside sixteen, and most of what it looks at happens by the clock. */
const REST_MS = { least: 100, most: 400 }
const TICKER_MS = 5

export function newPlanner(bench: Bench, random: Random, origin: string): Client {
  let count = 0
  return { bench, random, tenant: PLANNED, origin, serial: () => `p-${(count += 1)}` }
}

export async function plan(client: Client, over: () => boolean): Promise<void> {
  const { random } = client
  for (const name of AGENTS) await putAgent(client, name)
  while (live(client).length < SCHEDULES) await put(client, newPlan(client))
  while (!over()) {
    await move(client)
    await sleep(random.between(REST_MS.least, REST_MS.most))
  }
}

/** Tells each tick at its time, so that a kill may be aimed at it. */
export async function watchTicks({ acks, moments }: Bench, over: () => boolean): Promise<void> {
  for (let seen = Date.now(); !over(); await sleep(TICKER_MS)) {
    const now = Date.now()
    const running = [...acks.plans.schedules.values()].filter(isPlanned).flatMap(({ spans }) => spans.slice(-1))
    for (let at = seen + 1; at <= now; at++)
      if (running.some(({ rhythm, paused }) => !paused && isTick(rhythm, at))) moments.tell('tick')
    seen = now
  }
}

const live = ({ bench }: Client): Plan[] => [...bench.acks.plans.schedules.values()].filter(isPlanned)

async function move(client: Client): Promise<unknown> {
  const { random } = client
  const all = live(client)
  const dice = random.below(100)
  if (all.length < SCHEDULES) return put(client, newPlan(client))
  const one = random.pick(all)
  if (dice < 20) return run(client, one)
  // One at a time is paused, so that most ticks come.
  if (dice < 24) return hold(client, all.find(({ spans }) => spans.at(-1)?.paused) ?? one)
  if (dice < 27) return put(client, one)
  if (dice < 28) return drop(client, one)
  if (dice < 32) return putAgent(client, random.pick(AGENTS))
  if (dice < 36) return createByAgent(client)
  if (dice < 50) return tend(client)
  if (dice < 75) return read(client, one)
  return look(client, one)
}

/** The answer, however often the request is lost before. All of these may be repeated. */
async function told({ bench, tenant }: Client, method: string, path: string, body: object | null, key?: string) {
  const headers = {
    ...headersOf(tenant),
    ...(body === null ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  for (;;) {
    bench.requests += 1
    const reply = await bench.service.send({ method, path, headers, body: body === null ? null : JSON.stringify(body) })
    if (reply !== null && reply.status !== 503) return reply
    bench.retries += 1
    if (reply !== null) await sleep(1_000)
  }
}

function demandFine({ bench }: Client, what: string, reply: Reply, also: readonly string[] = []): boolean {
  const fine = reply.status < 300 || also.includes(codeOf(reply))
  const shown = () => `${what}: ${reply.status} ${reply.text.slice(0, 500)}`
  bench.tally.demand(fine, 'a good request is answered or refused by name', shown)
  return reply.status < 300
}

function newPlan({ serial }: Client): Plan {
  const fresh = { spans: [], runs: new Map(), requested: new Map(), refused: 0, deleting: null, deleted: null }
  return { name: `plan-${serial()}`, ...fresh }
}

/** The task of a schedule: by an agent, or with a goal of its own. */
function templateOf({ random, serial, origin, tenant }: Client) {
  if (random.chance(0.5))
    return { agent: random.pick(AGENTS), input: { what: `bread ${serial()} of {{scheduled_at}}` } }
  const mode = random.pick(['plan_execute', 'dynamic', 'session'])
  return { goal: `goal ${serial()} at {{scheduled_at}}`, mode, tools: toolsOf(`${origin}/tools/${tenant}`) }
}

const CRONS: readonly [string, number][] = [
  ['* * * * *', 60_000],
  ['* * * * *', 60_000],
  ['*/2 * * * *', 120_000],
]

/** Puts a schedule, or another one in its place: with the same timing the ticks go on. */
async function put(client: Client, one: Plan): Promise<void> {
  const { bench, random } = client
  const { acks, tally } = bench
  const before = one.spans.at(-1)
  const [cron, every_ms] = random.pick(CRONS)
  const timing = random.chance(0.4) ? { cron, timezone: random.pick(['UTC', 'Europe/Berlin']) } : { every_s: 60 }
  const body = {
    ...timing,
    task: templateOf(client),
    overlap: random.pick(['skip', 'skip', 'queue', 'replace']),
    missed: random.pick(['skip', 'once']),
  }
  acks.plans.schedules.set(one.name, one)
  const sent = Date.now()
  const reply = await told(client, 'PUT', `/schedules/${one.name}`, body)
  if (!demandFine(client, `PUT ${one.name}`, reply)) return
  tally.seen(before === undefined ? 'schedule put' : 'schedule replaced')
  const shown = ScheduleView.parse(JSON.parse(reply.text))
  const fresh = 'cron' in timing ? { every_ms, phase_ms: 0 } : { every_ms: 60_000, phase_ms: null }
  const rhythm = { timing: JSON.stringify(timing), ...fresh }
  // With the same timing the ticks go on, and those of an interval come as before.
  const stays = before?.rhythm.timing === rhythm.timing
  if (!stays || before.paused)
    begin(one, { sent, rhythm: stays ? before.rhythm : rhythm, paused: before?.paused ?? false })
  learnSchedule(tally, one, shown)
}

function begin({ spans }: Plan, { sent, rhythm, paused }: { sent: number; rhythm: Rhythm; paused: boolean }): void {
  const from = Date.now()
  const last = spans.at(-1)
  // What has come before a change is not lost by it.
  if (last !== undefined) Object.assign(last, { over: from, decided: Math.max(last.decided, sent) })
  spans.push({ rhythm: { ...rhythm }, paused, sent, from, decided: 0, over: Infinity })
}

export async function hold(client: Client, one: Plan): Promise<void> {
  const { bench } = client
  const span = one.spans.at(-1)
  if (span === undefined) return
  const paused = !span.paused
  const sent = Date.now()
  const reply = await told(client, 'POST', `/schedules/${one.name}/${paused ? 'pause' : 'resume'}`, {})
  if (!demandFine(client, `pause ${one.name}`, reply)) return
  bench.tally.seen(paused ? 'schedule paused' : 'schedule resumed')
  begin(one, { sent, rhythm: span.rhythm, paused })
  learnSchedule(bench.tally, one, ScheduleView.parse(JSON.parse(reply.text)))
}

async function drop(client: Client, one: Plan): Promise<void> {
  one.deleting = Date.now()
  const reply = await told(client, 'DELETE', `/schedules/${one.name}`, null)
  demandFine(client, `DELETE ${one.name}`, reply, ['schedule_not_found'])
  one.deleted = Date.now()
  client.bench.tally.seen('schedule deleted')
}

/** Asks for a run under a new key, or once more under the key of an earlier one. */
async function run(client: Client, one: Plan): Promise<void> {
  const { bench, random, serial } = client
  const { tally } = bench
  const again = random.chance(0.3) && one.requested.size > 0
  if (!again && (one.requested.size >= REQUESTED_MAX || openTasks(client).length >= OPEN_MAX)) return
  const key = again ? random.pick([...one.requested.keys()]) : `key-${serial()}`
  if (!again) bench.moments.tell('run')
  const reply = await told(client, 'POST', `/schedules/${one.name}/run`, {}, key)
  if (!demandFine(client, `run ${one.name}`, reply, ['quota_exceeded', 'tenant_budget_exceeded'])) {
    one.refused += 1
    return
  }
  const shown = ScheduleRunView.parse(JSON.parse(reply.text))
  const first = one.requested.get(key)
  if (again) tally.seen('run asked for again')
  if (reply.headers['idempotency-replayed'] === 'true') tally.seen('run of an earlier request')
  const same = first === undefined || (first.seq === shown.seq && (first.task_id ?? shown.task_id) === shown.task_id)
  tally.demand(same, 'a key has one run', () => `${one.name} ${key}: ${JSON.stringify([first, shown])}`)
  one.requested.set(key, shown)
  learnRun(tally, one, shown)
}

const openTasks = ({ bench, tenant }: Client) =>
  [...bench.acks.tasks.values()].filter((known) => known.tenant === tenant && isOpen(known))

/** Each body differs from the one before, and gets the next version. Now and then it is put once more. */
async function putAgent(client: Client, name: string): Promise<void> {
  const { bench, random, serial, origin, tenant } = client
  const { acks, tally } = bench
  const versions = acks.plans.agents.get(name) ?? []
  const newest = versions.at(-1)
  if (versions.length >= VERSIONS_MAX) return
  const mark = serial()
  const fresh = {
    goal: `bake {{what}} in the way ${mark}`,
    instructions: `instructions ${mark}`,
    mode: random.pick(['plan_execute', 'dynamic', 'session']),
    tools: toolsOf(`${origin}/tools/${tenant}`),
  }
  const same = newest !== undefined && random.chance(0.25)
  const body = same ? newest.view.definition : fresh
  const sent = Date.now()
  const reply = await told(client, 'PUT', `/agents/${name}`, body)
  if (!demandFine(client, `PUT ${name}`, reply)) return
  const shown = AgentView.parse(JSON.parse(reply.text))
  const version = (newest?.view.version ?? 0) + (same ? 0 : 1)
  const kept = shown.version === version && isDeepStrictEqual(shown.definition, body)
  tally.demand(kept, 'versions count up without gaps', () => `${name}@${version}: ${reply.text.slice(0, 500)}`)
  tally.seen(same ? 'agent put again' : 'agent put')
  if (!same) acks.plans.agents.set(name, [...versions, { view: shown, sent, from: Date.now() }])
}

async function createByAgent(client: Client): Promise<unknown> {
  const { bench, random, serial } = client
  if (openTasks(client).length >= OPEN_MAX) return
  const name = random.pick(AGENTS)
  const version = random.pick(bench.acks.plans.agents.get(name) ?? [])?.view.version
  const pinned = random.chance(0.3) && version !== undefined
  const body = {
    agent: pinned ? `${name}@${version}` : name,
    input: { what: `bread ${serial()}` },
    drive: 'background',
  }
  bench.tally.seen('task by an agent')
  return send(client, asking(client, 'create', '/tasks', body))
}

/** Cares for tasks of schedules: those that wait for somebody end, and some are deleted. */
async function tend(client: Client): Promise<void> {
  const { bench, random, tenant } = client
  const tasks = await listed(bench, tenant)
  for (const { id } of tasks) if (!bench.acks.tasks.has(id)) await view(bench, tenant, id)
  const all = [...bench.acks.tasks.values()].filter((known) => known.tenant === tenant && isThere(known))
  const known = all.length === 0 ? null : random.pick(all)
  if (known === null) return
  if (random.chance(0.1)) return void (await remove(client, known))
  for (const one of all.filter(isOpen)) await view(bench, tenant, one.id)
  for (const one of all.filter(({ view: { status } }) => status === 'paused' || status === 'input_required'))
    if (random.chance(0.5)) await say(client, 'cancel', one, {}, null)
}

async function read(client: Client, one: Plan): Promise<void> {
  const page = await runsPage(client.bench, one.name, '')
  for (const found of page?.data ?? []) learnRun(client.bench.tally, one, found)
}

async function look(client: Client, one: Plan): Promise<ScheduleView | null> {
  const reply = await told(client, 'GET', `/schedules/${one.name}`, null)
  if (!demandFine(client, `GET ${one.name}`, reply)) return null
  const shown = ScheduleView.parse(JSON.parse(reply.text))
  learnSchedule(client.bench.tally, one, shown)
  return shown
}

/** A job that was lost is asked for again after 15 s. */
const DECIDED_WITHIN_MS = 25_000
const LOOK_MS = 100

/** After the kills: all that is due is decided and made, then no tick comes any more, and each task is known. */
export async function rest(client: Client): Promise<void> {
  const { bench, tenant } = client
  const { tally } = bench
  for (const one of live(client)) {
    const isSettled = async () => {
      const next = (await look(client, one))?.next[0]
      const runs = await allRuns(bench, one.name)
      return (next === undefined || Date.parse(next) > Date.now()) && !runs.some(({ outcome }) => outcome === 'pending')
    }
    let settled = await isSettled()
    for (const end = Date.now() + DECIDED_WITHIN_MS; !settled && Date.now() < end; settled = await isSettled())
      await sleep(LOOK_MS)
    tally.demand(settled, 'what is due is worked off', () => `${one.name}: ${JSON.stringify(one.spans.at(-1))}`)
    if (one.spans.at(-1)?.paused === false) await hold(client, one)
  }
  for (const { id } of await listed(bench, tenant)) await view(bench, tenant, id)
}

/** Sixteen clients of several tenants: each creates tasks, advances them, writes to them and reads them, in random order. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../sim/random.ts'
import { get, type Bench } from '../ask.ts'
import { EventsPage, isOpen, isThere, JournalPage, learnEvent, learnRow, mayReopen, type Known } from '../known.ts'
import { asking, input, say, send, topUp, view, type Client } from './asking.ts'
import { changeFile, checkFiles, putAwaited } from './files.ts'
import { create, fork } from './making.ts'
import { answerByLink, decide, editPlan, hold, remove } from './steering.ts'

export const CLIENTS = 16
/** The tasks of `tight` reserve so much that its total of the day runs out. */
export const TENANTS = ['ada', 'bob', 'cem', 'tight'] as const
/** The tenant whose workspace is divided over several objects. All laws hold for it as for the others. */
export const SHARDED = 'ada'
export const SHARDS = 4
/** The tenant whose tasks are made by schedules and agents. */
export const PLANNED = 'dot'
export const ALL_TENANTS = [...TENANTS, PLANNED] as const
const TIGHT_FROM = 14
const OPEN_PER_TENANT = 7
const STEP_AHEAD = 4

export function newClient(bench: Bench, random: Random, index: number, origin: string): Client {
  let count = 0
  const tenant = TENANTS[index < TIGHT_FROM ? index % 3 : 3] ?? 'ada'
  return { bench, random, tenant, origin, serial: () => `${index}-${(count += 1)}` }
}

/** Sends one request after the other until `over`. */
export async function work(client: Client, over: () => boolean): Promise<void> {
  while (!over()) {
    const done = await move(client)
    if (!done) await sleep(20)
  }
}

const tasksOf = ({ bench, tenant }: Client) => [...bench.acks.tasks.values()].filter((known) => known.tenant === tenant)

/** False if there was nothing to do. */
async function move(client: Client): Promise<boolean> {
  const { random, serial } = client
  const all = tasksOf(client)
  const open = all.filter(isOpen)
  if (open.length === 0 || (open.length < OPEN_PER_TENANT && random.chance(0.3))) return create(client)
  const known = random.pick(open)
  const dice = random.below(100)
  if (dice < 8) return read(client, known)
  if (dice < 10) return command(client)
  // Rather one that somebody is about to advance: what is said then has to wait for a call, or ends one.
  const busy = open.find(({ asking: count }) => count > 0) ?? known
  if (dice < 12) return say(client, 'cancel', busy, {}, null)
  if (dice < 16) return topUp(client, busy)
  if (dice < 20) return editPlan(client, busy)
  if (dice < 23) return hold(client, busy)
  if (dice < 25) return changeFile(client, known)
  if (dice < 27) return checkFiles(client, known).then(() => true)
  if (dice < 29) return open.length < 2 * OPEN_PER_TENANT && fork(client, random.pick(all.filter(isThere)))
  if (dice < 30) return remove(client, random.pick(all.filter(isThere)))
  if (dice < 31) return reopen(client, all)
  if (dice < 35 && busy.view.status === 'running') return input(client, busy, `remark ${serial()}`, { rounds: 1 })
  return goOn(client, known)
}

/** Starts another run of a session that has completed one, or lets a task go on whose model failed too often. */
function reopen(client: Client, all: Known[]): Promise<boolean> | false {
  const known = all.find((one) => isThere(one) && mayReopen(one))
  if (known === undefined) return false
  const text = known.view.status === 'failed' ? 'continue' : 'another run'
  return input(client, known, `${text} ${client.serial()}`, { rounds: 1 })
}

/** Chooses a request that fits the state of a task. */
async function goOn(client: Client, known: Known): Promise<boolean> {
  const { random, serial } = client
  const { status, stop_reason, drive, pending } = known.view
  const bounds = { rounds: random.between(1, STEP_AHEAD) }
  if (status === 'running' || status === 'queued' || status === 'waiting_external') {
    const waits = known.rests_until > Date.now() || status === 'waiting_external'
    // What the service drives, and what waits for a worker, is stepped now and then all the same.
    if (waits || (drive === 'background' && random.chance(0.9))) return look(client, known)
    return say(client, 'step', known, bounds, null)
  }
  if (status === 'input_required') {
    if (pending?.kind === 'approval') return decide(client, known, bounds)
    if (pending?.kind === 'file' && random.chance(0.85)) return putAwaited(client, known)
    if (random.chance(0.3)) return answerByLink(client, known)
    const asked = pending?.kind === 'question' ? pending.request_id : undefined
    return input(client, known, `answer ${serial()}`, { ...bounds, request_id: asked })
  }
  if (stop_reason === 'budget_exhausted:tenant' && random.chance(0.9)) return false
  if (stop_reason?.startsWith('budget_exhausted') === true && random.chance(0.5)) return topUp(client, known)
  if (stop_reason === 'paused_by_user' && random.chance(0.5)) return hold(client, known)
  return input(client, known, random.chance(0.8) ? `continue ${serial()}` : `remark ${serial()}`, bounds)
}

/** Reads a task; this is rare, because other clients advance it. */
async function look({ bench, random, tenant }: Client, { id }: Known): Promise<boolean> {
  if (random.chance(0.8)) return false
  await view(bench, tenant, id)
  return true
}

async function command(client: Client): Promise<boolean> {
  const mark = `by hand ${client.serial()}`
  return send(client, { ...asking(client, 'command', '/commands', { command: `/todo add ${mark}` }), mark })
}

async function read({ bench, random, tenant }: Client, known: Known): Promise<boolean> {
  const { id } = known
  const after = random.below(known.view.version)
  switch (random.below(3)) {
    case 0:
      await view(bench, tenant, id)
      break
    case 1: {
      const page = EventsPage.safeParse(await get(bench, tenant, `/tasks/${id}/events?limit=20&after=${after}`))
      for (const event of page.data?.data ?? []) learnEvent(bench.acks, known, event)
      break
    }
    default: {
      const page = JournalPage.safeParse(await get(bench, tenant, `/tasks/${id}/journal?limit=5&after=${after}`))
      for (const row of page.data?.data ?? []) learnRow(bench.acks, known, row)
    }
  }
  return true
}

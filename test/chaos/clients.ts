/** Sixteen clients of several tenants: each makes tasks, advances them, speaks to them and reads them, in drawn order. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../sim/random.ts'
import { ask, get, type Bench } from './ask.ts'
import { EventsPage, isOpen, JournalPage, learnEvent, learnRow, learnTask, type Asked, type Known } from './known.ts'

export const CLIENTS = 16
/** The tasks of `tight` reserve so much that its total of the day runs out. */
export const TENANTS = ['ada', 'bob', 'cem', 'tight'] as const
const TIGHT_FROM = 14
const OPEN_PER_TENANT = 7
const STEP_AHEAD = 4

export interface Client {
  bench: Bench
  random: Random
  tenant: string
  /** Numbers nobody else uses. */
  serial: () => string
}

export function newClient(bench: Bench, random: Random, index: number): Client {
  let count = 0
  const tenant = TENANTS[index < TIGHT_FROM ? index % 3 : 3] ?? 'ada'
  return { bench, random, tenant, serial: () => `${index}-${(count += 1)}` }
}

/** Asks one thing after the other until `over`. */
export async function work(client: Client, over: () => boolean): Promise<void> {
  while (!over()) {
    const done = await move(client)
    if (!done) await sleep(20)
  }
}

const openTasks = ({ bench, tenant }: Client) =>
  [...bench.acks.tasks.values()].filter((known) => known.tenant === tenant && isOpen(known))

/** False when there was nothing to do. */
async function move(client: Client): Promise<boolean> {
  const { random } = client
  const open = openTasks(client)
  if (open.length === 0 || (open.length < OPEN_PER_TENANT && random.chance(0.3))) return create(client)
  const known = random.pick(open)
  const dice = random.below(100)
  if (dice < 8) return read(client, known)
  if (dice < 11) return command(client)
  // Rather one that somebody is about to advance: what is said then has to wait for a call, or ends one.
  const busy = open.find(({ asking }) => asking > 0) ?? known
  if (dice < 13) return say(client, 'cancel', busy, {}, null)
  if (dice < 17) return topUp(client, busy)
  if (dice < 22 && busy.view.status === 'running')
    return input(client, busy, `remark ${client.serial()}`, { rounds: 1 })
  return goOn(client, known)
}

/** What the state of a task calls for. */
async function goOn(client: Client, known: Known): Promise<boolean> {
  const { random, serial } = client
  const { status, stop_reason } = known.view
  const bounds = { rounds: random.between(1, STEP_AHEAD) }
  if (status === 'running') {
    if (known.rests_until > Date.now()) return false
    return say(client, 'step', known, bounds, null)
  }
  if (status === 'input_required') {
    const asked = known.view.pending?.kind === 'question' ? known.view.pending.request_id : undefined
    return input(client, known, `answer ${serial()}`, { ...bounds, request_id: asked })
  }
  if (stop_reason === 'budget_exhausted:tenant' && random.chance(0.9)) return false
  if (stop_reason?.startsWith('budget_exhausted') === true && random.chance(0.5)) return topUp(client, known)
  return input(client, known, random.chance(0.8) ? `continue ${serial()}` : `remark ${serial()}`, bounds)
}

export const input = (client: Client, known: Known, text: string, more: object) =>
  say(client, 'input', known, { input: text, ...more }, text)

/** Tokens are the mark of a top-up: they stand in its row even where the task has no maximum of them. */
export function topUp(client: Client, known: Known): Promise<boolean> {
  const [index = 0, count = 0] = client.serial().split('-').map(Number)
  const tokens = 30_000 + count * 100 + index
  return say(client, 'budget', known, { add: { steps: 6, tokens, cost_usd: '0.004', seconds: 20 } }, `tokens ${tokens}`)
}

/** False when it was refused: the task is looked at again, others may have moved it. */
export async function say(client: Client, kind: Asked['kind'], { id }: Known, body: object, mark: string | null) {
  const path = `/tasks/${id}/${kind}`
  return send(client, { ...asking(client, kind, path, body), task: id, mark })
}

function asking({ tenant, random, serial }: Client, kind: Asked['kind'], path: string, body: object): Asked {
  // Now and then a client does without a key, where a second time does no harm or is not tried.
  const key = kind !== 'create' && kind !== 'command' && random.chance(0.15) ? null : `key-${serial()}`
  return { tenant, path, key, body: JSON.stringify(body), kind, task: null, mark: null }
}

export async function send({ bench, random, tenant }: Client, asked: Asked): Promise<boolean> {
  const answered = await ask(bench, asked, asked.kind !== 'create' && random.chance(0.6))
  if (answered?.status === 429) bench.tally.seen('daily total exhausted')
  if (answered !== null && answered.status < 300) {
    if (asked.key !== null && random.chance(0.05)) await ask(bench, asked, false)
    return true
  }
  if (asked.task !== null) await view(bench, tenant, asked.task)
  return false
}

export async function view(bench: Bench, tenant: string, id: string): Promise<void> {
  const before = bench.acks.tasks.get(id)?.view ?? null
  const json = await get(bench, tenant, `/tasks/${id}`)
  if (json !== null) learnTask(bench.acks, tenant, json, before)
}

async function create(client: Client): Promise<boolean> {
  const { random, tenant, serial } = client
  const tight = tenant === 'tight'
  const settings = {
    max_steps: random.between(5, 40),
    model_timeout_s: 3,
    max_output_tokens: tight ? 131_072 : random.between(64, 300),
    ...(random.chance(0.25) && !tight ? { max_tokens: random.between(5_000, 60_000) } : {}),
    ...(random.chance(0.25) && !tight ? { max_cost_usd: `0.00${random.between(10, 99)}` } : {}),
    ...(random.chance(0.25) ? { max_seconds: random.between(4, 40) } : {}),
  }
  const body = { goal: `goal ${serial()}`, rounds: random.below(STEP_AHEAD), settings }
  return send(client, asking(client, 'create', '/tasks', body))
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

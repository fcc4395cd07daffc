/** A client and its requests: under its own keys, sometimes without a key, and sometimes a repeat of an answered one. */
import type { Random } from '../../sim/random.ts'
import { ask, get, type Bench } from '../ask.ts'
import { isThere, learnTask, makesTask, type Asked, type Known } from '../known.ts'

export interface Client {
  bench: Bench
  random: Random
  tenant: string
  /** Numbers nobody else uses. */
  serial: () => string
  /** The address of the outside world, for callbacks and tools. */
  origin: string
}

/** Requests that create something, or act in the world, always have a key. */
const KEYED: ReadonlySet<Asked['kind']> = new Set<Asked['kind']>(['create', 'fork', 'command'])

export function asking(client: Client, kind: Asked['kind'], path: string, body: object): Asked {
  const { tenant, random, serial } = client
  // Now and then a client does without a key, where a second time does no harm or is not tried.
  const key = !KEYED.has(kind) && random.chance(0.15) ? null : `key-${serial()}`
  const plain = { headers: {}, task: null, from: null, mark: null }
  return { tenant, method: 'POST', path, key, body: JSON.stringify(body), kind, ...plain }
}

/** False if it was refused: the task is read again, because others may have changed it. */
export async function say(client: Client, kind: Asked['kind'], { id }: Known, body: object, mark: string | null) {
  return send(client, { ...asking(client, kind, `/tasks/${id}/${kind}`, body), task: id, mark })
}

export const input = (client: Client, known: Known, text: string, more: object) =>
  say(client, 'input', known, { input: text, ...more }, text)

const TOKENS = 30_000
/** Each turn of this mode sends long instructions, and a lost call is charged for all of them. */
const TOKENS_AUTONOMOUS = 200_000

/** The amount of tokens is the mark of a top-up: its row has it even if the task has no maximum of tokens. */
export function topUp(client: Client, known: Known): Promise<boolean> {
  const [index = 0, count = 0] = client.serial().split('-').map(Number)
  const { mode, budget } = known.view
  const tokens = (mode === 'autonomous' ? TOKENS_AUTONOMOUS : TOKENS) + count * 100 + index
  const counter = budget.unit === 'iterations' ? { iterations: 6 } : { steps: 6 }
  return say(
    client,
    'budget',
    known,
    { add: { ...counter, tokens, cost_usd: '0.01', seconds: 20 } },
    `tokens ${tokens}`,
  )
}

export async function send({ bench, random, tenant }: Client, asked: Asked): Promise<boolean> {
  const answered = await ask(bench, asked, !makesTask(asked) && random.chance(0.6))
  if (answered?.status === 429) bench.tally.seen('daily total exhausted')
  if (answered !== null && answered.status < 300) {
    if (asked.key !== null && random.chance(0.05)) await repeat(bench, asked)
    return true
  }
  if (asked.task !== null) await view(bench, tenant, asked.task)
  return false
}

/** A request that would create a deleted task again is not repeated. */
export async function repeat(bench: Bench, asked: Asked): Promise<void> {
  const known = asked.task === null ? undefined : bench.acks.tasks.get(asked.task)
  if (known === undefined) return void (await ask(bench, asked, false))
  if (!isThere(known)) return
  known.remaking += 1
  await ask(bench, asked, false)
  known.remaking -= 1
}

/** False if the task is gone: what is known of it is then older than this. */
export async function view(bench: Bench, tenant: string, id: string): Promise<boolean> {
  const before = bench.acks.tasks.get(id)?.view ?? null
  const json = await get(bench, tenant, `/tasks/${id}`)
  return json !== null && learnTask(bench.acks, tenant, json, before) !== null
}

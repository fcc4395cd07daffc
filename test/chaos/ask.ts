/** A client's way through faults: the same request again under the same key, until it is answered. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { learnTask, sameAnswer, type Acks, type Answered, type Asked, type Known } from './known.ts'
import type { Reply, Service, Wire } from './service.ts'

export interface Bench {
  service: Service
  acks: Acks
  tally: Acks['tally']
  requests: number
  retries: number
}

/** Refusals in a row after which a client turns to something else. */
const REFUSALS_MAX = 6
/** Seconds a client lets the service wait for a busy task. */
const WAIT_S = 4

export const apiKeyOf = (tenant: string) => `${tenant}-key`

/** The answer of 2xx, or that of a refusal; null when nobody knows what became of it. */
export async function ask(bench: Bench, asked: Asked, patient: boolean): Promise<Answered | null> {
  const { acks, tally } = bench
  if (!acks.asked.has(asked)) acks.asked.set(asked, null)
  const before = asked.task === null ? null : (acks.tasks.get(asked.task)?.view ?? null)
  let lost = 0
  for (let refusals = 0; refusals < REFUSALS_MAX;) {
    const reply = await send(bench, asked, patient)
    if (reply === null) {
      if (asked.key === null) return null
      lost += 1
      bench.retries += 1
      tally.seen('request lost and sent again')
      continue
    }
    checkStatus(tally, asked, reply)
    const answered = {
      status: reply.status,
      text: reply.text,
      replayed: reply.headers['idempotency-replayed'] === 'true',
    }
    if (reply.status < 300) {
      if (lost > 0) tally.seen(answered.replayed ? 'replayed key' : 'request gone on with')
      acknowledge(bench, asked, answered, before)
      return answered
    }
    if (!isBusy(reply)) return answered
    tally.seen('task_busy or request_in_progress')
    bench.retries += 1
    refusals += 1
    if (asked.key === null) return answered
    await sleep(waitOf(reply))
  }
  return null
}

async function send(bench: Bench, asked: Asked, patient: boolean): Promise<Reply | null> {
  bench.requests += 1
  const headers: Record<string, string> = { ...headersOf(asked.tenant), 'content-type': 'application/json' }
  if (asked.key !== null) headers['idempotency-key'] = asked.key
  if (patient) headers['prefer'] = `wait=${WAIT_S}`
  const known = asked.task === null ? undefined : bench.acks.tasks.get(asked.task)
  const request = { method: 'POST', path: asked.path, headers, body: asked.body }
  return known === undefined ? bench.service.send(request) : sendTo(bench, known, request)
}

/** Protocol 5: with the process its leases have died, so that a request nobody else disturbs is never told to wait. */
async function sendTo({ service, tally }: Bench, known: Known, request: Wire): Promise<Reply | null> {
  const alone = known.asking === 0
  const begun = (known.begun += 1)
  known.asking += 1
  const reply = await service.send(request)
  known.asking -= 1
  const undisturbed = alone && begun === known.begun
  const held = reply !== null && ['task_busy', 'request_in_progress'].includes(codeOf(reply))
  tally.demand(!undisturbed || !held, 'a dead lease holds nobody up', () => `${request.path}: ${reply?.text}`, known.id)
  return reply
}

const headersOf = (tenant: string) => ({ authorization: `Bearer ${apiKeyOf(tenant)}` })

const Problem = z.object({ code: z.string() })
const codeOf = ({ text }: Reply): string => {
  try {
    return Problem.parse(JSON.parse(text)).code
  } catch {
    return 'no problem document'
  }
}
const isBusy = (reply: Reply) =>
  reply.status === 503 || ['task_busy', 'request_in_progress', 'lease_lost'].includes(codeOf(reply))
const waitOf = ({ headers }: Reply) => Math.min(5, Number(headers['retry-after'] ?? 1)) * 1000

/** What a well-formed request may be refused as. */
const REFUSALS = new Set([
  'task_busy',
  'request_in_progress',
  'lease_lost',
  'task_ended',
  'question_settled',
  'tenant_budget_exceeded',
  'unavailable',
])

function checkStatus(tally: Bench['tally'], { kind, path, task, body }: Asked, reply: Reply): void {
  const { status, headers, text } = reply
  const fine = status === 200 || status === 201 || REFUSALS.has(codeOf(reply))
  const shown = () => `${kind} ${path} ${body}: ${status} ${text.slice(0, 500)}`
  tally.demand(fine, 'a good request is answered or refused by name', shown, task)
  const waits = (status === 503 || status === 429 || isBusy(reply)) && status >= 400
  tally.demand(!waits || headers['retry-after'] !== undefined, 'a refusal for now names its Retry-After', shown, task)
}

function acknowledge(bench: Bench, asked: Asked, answered: Answered, before: Parameters<typeof learnTask>[3]): void {
  const { acks, tally } = bench
  const first = acks.asked.get(asked) ?? null
  if (first === null) acks.asked.set(asked, answered)
  else checkReplay(bench, asked, first, answered)
  if (asked.kind === 'command') return
  // An answer under a key may be as old as its first request.
  const known = learnTask(acks, asked.tenant, JSON.parse(answered.text), answered.replayed ? null : before)
  if (known === null) return
  const { id } = known
  const [{ rounds }, most] = [sliceOf(answered), boundOf(asked)]
  tally.demand(rounds <= most, 'a request begins no more rounds than it may', () => `${rounds} of ${most}`, id)
  tally.demand(asked.task === null || asked.task === id, 'an answer is of its task', () => `${asked.path}: ${id}`, id)
  asked.task = id
}

const boundOf = ({ body }: Asked): number => z.object({ rounds: z.int().default(1) }).parse(JSON.parse(body)).rounds

const Sliced = z.object({ slice: z.object({ advanced: z.boolean(), rounds: z.int() }) })
const sliceOf = ({ text }: Answered) => Sliced.parse(JSON.parse(text)).slice

/** Whether a request wrote something, as its answer tells: only such a key is remembered (docs/guarantees.md). */
export function wrote({ kind }: Asked, answered: Answered): boolean {
  return (kind !== 'step' && kind !== 'cancel') || sliceOf(answered).advanced
}

/** The same request under the same key has the same answer, and says that it is the first one's. */
export function checkReplay({ tally }: Bench, asked: Asked, first: Answered, again: Answered): void {
  if (!wrote(asked, first)) return
  const { kind, key, task } = asked
  const shown = () => `${kind} ${key}\n  first ${first.status} ${first.text}\n  again ${again.status} ${again.text}`
  const same = first.status === again.status && sameAnswer(first.text, again.text)
  tally.demand(same, 'the same key has the same answer', shown, task)
  tally.demand(again.replayed, 'a repeated answer says so', shown, task)
}

/** A GET, for as long as it takes; null when it was refused. */
export async function get(bench: Bench, tenant: string, path: string): Promise<unknown> {
  for (;;) {
    bench.requests += 1
    const reply = await bench.service.send({ method: 'GET', path, headers: headersOf(tenant), body: null })
    if (reply?.status === 200) return JSON.parse(reply.text)
    bench.retries += 1
    if (reply === null) continue
    const shown = () => `GET ${path}: ${reply.status} ${reply.text.slice(0, 500)}`
    bench.tally.demand(reply.status === 503, 'a read is answered', shown, /task_\w+/.exec(path)?.[0] ?? null)
    if (reply.status !== 503) return null
    await sleep(waitOf(reply))
  }
}

/** How a client survives faults: it repeats the same request under the same key until it is answered. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import {
  isThere,
  learnTask,
  sameAnswer,
  showsTask,
  type Acks,
  type Answered,
  type Asked,
  type Kind,
  type Known,
} from './known.ts'
import type { Moments } from './outside/moments.ts'
import type { Reply, Service, Wire } from './service.ts'

export interface Bench {
  service: Service
  acks: Acks
  tally: Acks['tally']
  moments: Moments
  requests: number
  retries: number
}

/** The requests that may be repeated without a key: the same answer, report or file changes nothing. */
const SAFE: ReadonlySet<Kind> = new Set<Kind>(['answer', 'report', 'put'])
/** The number of refusals in a row after which a client does something else. */
const REFUSALS_MAX = 6
/** The seconds for which a client lets the service wait for a busy task. */
const WAIT_S = 4

export const apiKeyOf = (tenant: string) => `${tenant}-key`

/** The 2xx answer or the refusal, or null if the result is unknown. */
export async function ask(bench: Bench, asked: Asked, patient: boolean): Promise<Answered | null> {
  const { acks, tally } = bench
  if (!acks.asked.has(asked)) acks.asked.set(asked, null)
  const before = asked.task === null ? null : (acks.tasks.get(asked.task)?.view ?? null)
  let lost = 0
  for (let refusals = 0; refusals < REFUSALS_MAX;) {
    const reply = await send(bench, asked, patient)
    if (reply === null) {
      if (asked.key === null && !SAFE.has(asked.kind)) return null
      lost += 1
      bench.retries += 1
      tally.seen('request lost and sent again')
      continue
    }
    checkStatus(bench, asked, reply)
    const answered = {
      status: reply.status,
      text: reply.text,
      replayed: reply.headers['idempotency-replayed'] === 'true',
    }
    if (reply.status < 300) {
      if (lost > 0 && asked.key !== null) tally.seen(answered.replayed ? 'replayed key' : 'request gone on with')
      acknowledge(bench, asked, answered, before)
      return answered
    }
    if (!isBusy(reply) || isGone(bench, asked)) return answered
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
  const headers: Record<string, string> = {
    ...headersOf(asked.tenant),
    'content-type': 'application/json',
    ...asked.headers,
  }
  if (asked.key !== null) headers['idempotency-key'] = asked.key
  if (patient) headers['prefer'] = `wait=${WAIT_S}`
  const known = asked.task === null ? undefined : bench.acks.tasks.get(asked.task)
  const { method, path, body } = asked
  const request = { method, path, headers, body }
  return known === undefined ? bench.service.send(request) : sendTo(bench, known, request)
}

/** P5: leases end with their process, so a request without any competitor is never told to wait. */
async function sendTo({ service, tally }: Bench, known: Known, request: Wire): Promise<Reply | null> {
  const alone = known.asking === 0 && known.view.drive === 'manual'
  const begun = (known.begun += 1)
  known.told_ms ??= Date.now()
  known.asking += 1
  const reply = await service.send(request)
  known.asking -= 1
  const undisturbed = alone && begun === known.begun
  const held = reply !== null && ['task_busy', 'request_in_progress'].includes(codeOf(reply))
  tally.demand(!undisturbed || !held, 'a dead lease holds nobody up', () => `${request.path}: ${reply?.text}`, known.id)
  return reply
}

export const headersOf = (tenant: string) => ({ authorization: `Bearer ${apiKeyOf(tenant)}` })

const Problem = z.object({ code: z.string() })
export const codeOf = ({ text }: Pick<Reply, 'text'>): string => {
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
const REFUSALS = [
  'task_busy',
  'request_in_progress',
  'lease_lost',
  'task_ended',
  'question_settled',
  'tenant_budget_exceeded',
  'unavailable',
]
const SETTLED = ['already_reported', 'delegation_expired', 'delegation_canceled']
const ALSO: Partial<Record<Kind, string[]>> = {
  plan: ['plan_not_editable', 'precondition_failed', 'validation_failed'],
  claim: ['delegation_claimed', ...SETTLED],
  report: SETTLED,
  fork: ['validation_failed'],
}
const GONE = ['task_not_found', 'delegation_not_found', 'link_not_found']

/** Whether the task it is about was deleted, or is being deleted. */
export function isGone({ acks }: Bench, { task, from }: Asked): boolean {
  return [task, from?.task].some((id) => {
    const known = typeof id === 'string' ? acks.tasks.get(id) : undefined
    return known !== undefined && !isThere(known)
  })
}

function checkStatus(bench: Bench, asked: Asked, reply: Reply): void {
  const { tally } = bench
  const { kind, path, task, body } = asked
  const { status, headers, text } = reply
  const code = codeOf(reply)
  const named = REFUSALS.includes(code) || ALSO[kind]?.includes(code) === true
  const fine = status < 300 || named || (GONE.includes(code) && isGone(bench, asked))
  const shown = () => `${kind} ${path} ${body}: ${status} ${text.slice(0, 500)}`
  tally.demand(fine, 'a good request is answered or refused by name', shown, task)
  const waits = status === 503 || status === 429 || isBusy(reply)
  tally.demand(!waits || headers['retry-after'] !== undefined, 'a refusal for now names its Retry-After', shown, task)
}

function acknowledge(bench: Bench, asked: Asked, answered: Answered, before: Parameters<typeof learnTask>[3]): void {
  const { acks, tally } = bench
  const first = acks.asked.get(asked) ?? null
  if (first === null) acks.asked.set(asked, answered)
  else checkReplay(bench, asked, first, answered)
  if (!showsTask(asked)) return
  // An answer under a key may be as old as its first request.
  const known = learnTask(acks, asked.tenant, JSON.parse(answered.text), answered.replayed ? null : before)
  if (known === null) return
  const { id } = known
  const [rounds, most] = [sliceOf(answered)?.rounds ?? 0, boundOf(asked)]
  tally.demand(rounds <= most, 'a request begins no more rounds than it may', () => `${rounds} of ${most}`, id)
  known.from ??= asked.from
  tally.demand(asked.task === null || asked.task === id, 'an answer is of its task', () => `${asked.path}: ${id}`, id)
  asked.task = id
}

const boundOf = ({ body }: Asked): number => z.object({ rounds: z.int().default(1) }).parse(JSON.parse(body)).rounds

const Sliced = z.object({ slice: z.object({ advanced: z.boolean(), rounds: z.int() }).nullable() })
const sliceOf = ({ text }: Answered) => Sliced.parse(JSON.parse(text)).slice

const MAY_WRITE_NOTHING: ReadonlySet<Kind> = new Set<Kind>(['step', 'cancel', 'pause', 'resume'])
/** Whether a request wrote something according to its answer: only the key of such a request is remembered (docs/guarantees.md). */
export function wrote({ kind }: Asked, answered: Answered): boolean {
  return !MAY_WRITE_NOTHING.has(kind) || sliceOf(answered)?.advanced === true
}

/** Other requests are safe to repeat, and their answers show the current state. */
const REMEMBERED: ReadonlySet<Kind> = new Set<Kind>([
  'create',
  'fork',
  'step',
  'input',
  'budget',
  'cancel',
  'pause',
  'resume',
  'plan',
  'command',
])
/** The same request under the same key gets the same answer, marked as the first one's. */
export function checkReplay({ tally }: Bench, asked: Asked, first: Answered, again: Answered): void {
  if (!wrote(asked, first)) return
  const { kind, key, task } = asked
  if (!REMEMBERED.has(kind)) return
  const shown = () => `${kind} ${key}\n  first ${first.status} ${first.text}\n  again ${again.status} ${again.text}`
  const same = first.status === again.status && sameAnswer(first.text, again.text)
  tally.demand(same, 'the same key has the same answer', shown, task)
  tally.demand(again.replayed, 'a repeated answer says so', shown, task)
}

/** Repeats a GET until it is answered; null if it was refused, as for a deleted task. */
export async function get(bench: Bench, tenant: string, path: string): Promise<unknown> {
  const reply = await getReply(bench, tenant, path)
  return reply === null ? null : JSON.parse(reply.text)
}

export async function getReply(bench: Bench, tenant: string, path: string): Promise<Reply | null> {
  const task = TASK_ID.exec(path)?.[0] ?? null
  for (;;) {
    bench.requests += 1
    const reply = await bench.service.send({ method: 'GET', path, headers: headersOf(tenant), body: null })
    if (reply?.status === 200) return reply
    bench.retries += 1
    if (reply === null) continue
    const known = task === null ? undefined : bench.acks.tasks.get(task)
    if (reply.status === 404 && known !== undefined && !isThere(known)) return null
    const shown = () => `GET ${path}: ${reply.status} ${reply.text.slice(0, 500)}`
    bench.tally.demand(reply.status === 503, 'a read is answered', shown, task)
    if (reply.status !== 503) return null
    await sleep(waitOf(reply))
  }
}
const TASK_ID = /task_[\w-]+/

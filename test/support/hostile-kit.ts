/** The types of the table of hostile replies: the answers of an endpoint, and the required result of each. */
import { isRecord } from '../../src/core/terms/plain/is-record.ts'
import { jsonOrNull } from '../../src/core/terms/values/parse-json.ts'
import { closed, done, planned } from './scripted.ts'
import { eventResponse } from './stand-ins/streams/body.ts'
import type { Reply } from './fault-server.ts'
import { CHAT } from './tongues/chat.ts'
import type { Tongue } from './tongues/tongue.ts'

export type Phase = 'plan' | 'thought' | 'replan'
export const PHASES: readonly Phase[] = ['plan', 'thought', 'replan']

/** A text that must never appear, neither in an answer nor in a journal. */
export const KEY = 'sk-canary-0123456789'
/** A text in bodies of which nothing may be stored. */
export const RAW = 'raw-body-canary'
/** A text in replies of the model: the journal stores it, and nothing else may repeat it from a broken reply. */
export const SAID = 'said-canary'

/** The replies of a well-behaved model by phase: a plan of two items, the first one done, the task completed. */
export const GOOD: Record<Phase, object> = {
  plan: planned('Buy milk', 'Pay the rent'),
  thought: done('the milk is bought'),
  replan: closed('all is done'),
}
export const USAGE = { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 }

/** One request as the endpoint sees it, and the functions with which it can misbehave. */
export interface Ask {
  phase: Phase
  /** The good reply of this phase, as JSON. */
  good: string
  /** 0 for the first send of an attempt, higher numbers for the sends of its negotiation. */
  resent: number
  /** The form that the request asks for; text if it asks for none. */
  form: string
  now_ms: number
  /** Lets the deadline of the call pass. */
  outlast: () => void
  /** The same request answered by a real server that breaks its connections. */
  serve: (reply: Reply) => Promise<Response>
}

/** The required result of one attempt that got this reply. */
export interface Fate {
  outcome: 'ok' | 'contract_error' | 'model_error'
  /** U11: the tokens and the money of the attempt. */
  charge: 'usage' | 'reservation' | 'nothing'
  usage?: { input: number; output: number }
  over_reserve?: true
  /** For a failed call: the text of the ledger, and whether the endpoint answered with a status. */
  reason?: string
  status?: number
  /** For a failed call in a counted phase: when to try again; 1000 if the endpoint names no time. */
  retry_after_ms?: number
  /** The requests on the wire for one attempt. */
  sends?: number
  /** The form of the next call, if the endpoint refused the first one. */
  next_form?: string
  /** The result of an accepted decision; without it, the result of the good reply. */
  leads_to?: 'act' | 'act_in_vain' | 'ask' | 'list'
  /** The end of a task that always gets this reply; a failure follows from its kind. */
  for_ever?: 'done' | 'contract_failures' | 'budget_exhausted:steps'
}

/** One way to misbehave. */
export interface Hostile {
  /** The row of the failure catalogue to which it belongs. */
  row: number
  name: string
  answer: (ask: Ask) => Response | Promise<Response>
  fate: Record<Phase, Fate>
}

export const FINE: Fate = { outcome: 'ok', charge: 'usage' }
export const BROKEN: Fate = { outcome: 'contract_error', charge: 'usage' }
/** A call without an answer, or with a 200 that is not a completion; its usage is unknown. */
export const lost = (reason: string, more: Partial<Fate> = {}): Fate => ({
  outcome: 'model_error',
  charge: 'reservation',
  reason,
  ...more,
})
/** A call that ended with an HTTP error; it costs no tokens. */
export const refused = (status: number, more: Partial<Fate> = {}): Fate => ({
  outcome: 'model_error',
  charge: 'nothing',
  reason: status === 401 || status === 403 ? `HTTP ${status}: the endpoint refused the key` : `HTTP ${status}`,
  status,
  ...more,
})
export const always = (fate: Fate): Record<Phase, Fate> => ({ plan: fate, thought: fate, replan: fate })

export const JSON_TYPE = { 'content-type': 'application/json' }

let tongue = CHAT
/** From now on the replies of the table are those of this wire. */
export const speak = (next: Tongue): void => void (tongue = next)
export const spokenTongue = (): Tongue => tongue

/** An answer with what this completion has, in the words of the wire. */
export const answerOf = (chat: Record<string, unknown>): string => JSON.stringify(tongue.say(chat))

/** A completion whose first choice is this message. */
export function completion(message: unknown, more: Record<string, unknown> = {}): string {
  const choices = [{ index: 0, finish_reason: 'stop', message }]
  const shared = { id: 'c1', object: 'chat.completion', model: 'gpt-reported', usage: USAGE }
  return answerOf({ ...shared, choices, ...more })
}

export const says = (content: unknown, more: Record<string, unknown> = {}): string =>
  completion({ role: 'assistant', content }, more)

/** A 200 with this body and the right content type. */
export function ok(body: string | Uint8Array<ArrayBuffer>): Response {
  const response = new Response(body, { headers: JSON_TYPE })
  if (typeof body === 'string') answered.set(response, body)
  return response
}
const answered = new WeakMap<Response, string>()

/** The same answer as a stream, if it is one that the wire streams. Others come to a request for a stream as they are. */
export function asStream(response: Response): Response {
  const answer = jsonOrNull(answered.get(response) ?? '')
  const stream = isRecord(answer) ? tongue.stream?.(answer) : null
  if (stream === null || stream === undefined) return response
  streamed += 1
  return eventResponse(stream)
}
let streamed = 0
/** How many answers were streamed. */
export const streamedCount = (): number => streamed

/** A broken or odd text in a correct completion. */
export function text(
  row: number,
  name: string,
  write: (ask: Ask) => string,
  fate: Fate | Record<Phase, Fate> = BROKEN,
): Hostile {
  return { row, name, answer: (ask) => ok(says(write(ask))), fate: 'outcome' in fate ? always(fate) : fate }
}

/** The good reply with some members replaced. */
export const bent =
  (change: object) =>
  ({ good }: Ask): string =>
    JSON.stringify({ ...JSON.parse(good), ...change })

/** The good reply of each phase with some members replaced. */
export const bentBy =
  (changes: Record<Phase, object>) =>
  (ask: Ask): string =>
    bent(changes[ask.phase])(ask)

/** A reply with status 200 and a broken or odd body. */
export function body(
  row: number,
  name: string,
  write: (ask: Ask) => string | Uint8Array<ArrayBuffer>,
  fate: Fate,
): Hostile {
  return { row, name, answer: (ask) => ok(write(ask)), fate: always(fate) }
}

/** An error of the endpoint with a body that must not be stored. */
export function error(
  row: number,
  status: number,
  name: string,
  told: { headers?: (ask: Ask) => Record<string, string>; error?: unknown; once?: true } = {},
  more: Partial<Fate> = {},
): Hostile {
  const said = told.error ?? { message: `${RAW} ${KEY}`, code: `bad.${KEY}`, type: RAW.toUpperCase() }
  const answer = (ask: Ask) => {
    if (told.once && ask.resent > 0) return ok(says(ask.good))
    const headers = { ...JSON_TYPE, 'x-should-retry': 'true', ...told.headers?.(ask) }
    return new Response(JSON.stringify(tongue.refuse(said)), { status, headers })
  }
  return { row, name, answer, fate: always(told.once ? { ...FINE, ...more } : refused(status, more)) }
}

/** A refusal of parameters in the words of an endpoint. */
export const names = (message: string) => ({ error: { message, code: null } })

/** Verifies messages of the service by Standard Webhooks: HMAC-SHA256 over id, time and body, with the crypto of the runtime. */
import type { Status, Task } from './types.ts'

/** A change of a task that has a `callback_url`. `data` is the task as it was then. */
export interface TaskMessage {
  type: `task.${Exclude<Status, 'queued' | 'running'>}`
  timestamp: string
  data: Omit<Task, 'slice'>
}
/** What `POST /webhooks/test` sends. */
export interface TestMessage {
  type: 'webhook.test'
  timestamp: string
  data: { message: string }
}
export interface ReminderMessage {
  type: 'todo.reminder' | 'schedule.reminder'
  timestamp: string
  data: { occurrence_start: string; remind_at: string; text: string; late_s?: number; [member: string]: unknown }
}
/** There is work for a worker. */
export interface DelegationMessage {
  type: 'delegation.pending'
  timestamp: string
  /** `pool` null: the default pool. */
  data: {
    id: string
    task_id: string
    pool: string | null
    command_type: string
    deadline: string
    created_at: string
  }
}
/** `id` is the `webhook-id`: the same for every try of a message, and different for every other message. */
export type WebhookMessage = { id: string } & (TaskMessage | TestMessage | ReminderMessage | DelegationMessage)

/** Whether the message is about a task: `message.data` is the task then. */
export const isTaskMessage = (message: WebhookMessage): message is { id: string } & TaskMessage =>
  message.type.startsWith('task.')

/** What did not hold. `secret`: it is none, so the mistake is on this side. */
export type WebhookCheck = 'secret' | 'id' | 'timestamp' | 'signature' | 'body'

export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly check: WebhookCheck

  constructor(check: WebhookCheck, message: string) {
    super(`${check}: ${message}`)
    this.check = check
  }
}

export interface WebhookInput {
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body as it came. A body that was parsed and written again has another signature. */
  body: string | Uint8Array | ArrayBuffer
  /** `whsec_…`; several while the secret is being changed. */
  secret: string | readonly string[]
  /** By default the present time. */
  now?: Date
  /** How old a message may be, and how far ahead of this clock. */
  toleranceSeconds?: number
}

/** Gives the message if one of its signatures fits one of the secrets. Rejects with a WebhookError that names the first check that failed. */
export async function verifyWebhook({
  headers,
  body,
  secret,
  now = new Date(),
  toleranceSeconds = 300,
}: WebhookInput): Promise<WebhookMessage> {
  const id = headerOf(headers, 'webhook-id')
  if (id === '') throw new WebhookError('id', 'there is no header webhook-id')
  const time = headerOf(headers, 'webhook-timestamp')
  if (!/^\d{1,12}$/.test(time)) throw new WebhookError('timestamp', 'webhook-timestamp must be a time in seconds')
  const age = Math.floor(now.getTime() / 1000) - Number(time)
  if (Math.abs(age) > toleranceSeconds) throw new WebhookError('timestamp', agedText(age, toleranceSeconds))
  const secrets = (typeof secret === 'string' ? [secret] : secret).map(secretBytes)
  if (secrets.length === 0) throw new WebhookError('secret', 'no secret is given')
  const signatures = signaturesIn(headerOf(headers, 'webhook-signature'))
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  if (!(await hasMatch(secrets, signatures, joined(new TextEncoder().encode(`${id}.${time}.`), bytes))))
    throw new WebhookError('signature', 'no signature of webhook-signature fits the body, the id and the time')
  return { id, ...payloadIn(bytes) }
}

const agedText = (age: number, tolerance: number) =>
  `the message is ${Math.abs(age)} seconds ${age > 0 ? 'old' : 'ahead'}, and ${tolerance} are allowed`

function headerOf(headers: WebhookInput['headers'], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? ''
  // Node writes the names of headers in lower case, other servers as they came.
  const value = Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1] ?? ''
  return typeof value === 'string' ? value : value.join(' ')
}

/** As the service takes them. A short secret could be guessed. */
const SECRET_BYTES_MIN = 24
const SECRET_BYTES_MAX = 64

type Bytes = Uint8Array<ArrayBuffer>

function secretBytes(secret: string): Bytes {
  const bytes = secret.startsWith('whsec_') ? base64Bytes(secret.slice('whsec_'.length)) : null
  // The secret itself is not repeated: errors end up in logs.
  if (bytes === null || bytes.length < SECRET_BYTES_MIN || bytes.length > SECRET_BYTES_MAX)
    throw new WebhookError('secret', 'a secret is whsec_ and 24 to 64 bytes in base64')
  return bytes
}

/** Signatures of other versions are left out. */
function signaturesIn(header: string): Bytes[] {
  if (header === '') throw new WebhookError('signature', 'there is no header webhook-signature')
  return header.split(' ').flatMap((one) => (one.startsWith('v1,') ? (base64Bytes(one.slice('v1,'.length)) ?? []) : []))
}

function base64Bytes(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

function joined(head: Uint8Array, tail: Uint8Array): Bytes {
  const bytes = new Uint8Array(head.length + tail.length)
  bytes.set(head)
  bytes.set(tail, head.length)
  return bytes
}

/** `verify` of WebCrypto compares in constant time. All pairs are tried, so that the time says nothing of which one fitted. */
async function hasMatch(secrets: readonly Bytes[], signatures: readonly Bytes[], signed: Bytes): Promise<boolean> {
  let fits = false
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const signature of signatures) fits = (await crypto.subtle.verify('HMAC', key, signature, signed)) || fits
  }
  return fits
}

/** The service has signed the body, so its members are those of its type. */
function payloadIn(bytes: Uint8Array): TaskMessage | TestMessage | ReminderMessage | DelegationMessage {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes))
  } catch {
    throw new WebhookError('body', 'the body is no JSON in UTF-8')
  }
}

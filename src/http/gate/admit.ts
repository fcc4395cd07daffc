/**
 * Whether a request is let in, in this order: key, rate, path, query, Idempotency-Key, body. What comes out is checked by
 * the route's schemas. Nothing is refused here after an effect, so a refusal burns no Idempotency-Key (U6).
 */
import * as z from 'zod'
import type { PathLinkName } from '../../shell/links/path-links.ts'
import type { LinkName, Readable } from '../../shell/links/read-links.ts'
import type { Caller } from '../../shell/caller.ts'
import { hasKey, type KeyHolder } from './auth.ts'
import { isEncodedUtf8, parseBody, readBytes, type Body } from './body.ts'
import type { FieldError, HttpRefusal, HttpResult } from '../shapes/http-refusal.ts'
import { ERRORS_MAX, textErrors, printableName, textError, pointerToken } from './text-safety.ts'
import { idempotencyKey, requestKey } from './idempotency.ts'
import { innerSchema } from './bare-schema.ts'
import { checkFields } from './field-check.ts'
import type { LinkLimiter } from './rate-limit.ts'
import type { BodyRule, Route } from '../route.ts'

export interface Gate {
  authenticate(request: Request): Promise<HttpResult<KeyHolder>>
  /** What a link lets its holder read, or whose it is; null: it opens nothing (any more). */
  open_link: {
    read(kind: LinkName, token: string): Promise<Readable | null>
    path(kind: PathLinkName, token: string): Promise<string | null>
  }
  /** Counts a request with a key. */
  count_key(holder: KeyHolder): Promise<HttpRefusal | null>
  /** Counts a request by a link. */
  links: LinkLimiter
}
/** A call before it is known of which route: the route's own types are put on it where its handler is chosen. */
export interface AnyCall {
  caller: Caller
  params: unknown
  query: unknown
  body: unknown
  request: Request
}

const fail = (refusal: HttpRefusal) => ({ ok: false, refusal }) as const
const invalid = (errors: FieldError[]) => fail({ code: 'validation_failed', errors })

/** `params` are the decoded parts of the path. */
export async function admit(
  gate: Gate,
  route: Route,
  request: Request,
  params: Record<string, string>,
): Promise<HttpResult<AnyCall>> {
  const caller = await identify(gate, route, request, params)
  if (!caller.ok) return caller
  const path = route.params.safeParse(params)
  // A malformed id is answered like an unknown one: nothing tells them apart (API1).
  if (!path.success) return fail({ code: unknown(route) })
  const barred = route.by_token === undefined ? null : await linkRefusal(gate, route.by_token, params['token'] ?? '')
  if (barred !== null) return fail(barred)
  const query = route.query === null ? { ok: true as const, value: null } : readQuery(route.query, new URL(request.url))
  if (!query.ok) return query
  const call = { caller: caller.value, params: path.data, query: query.value, body: null, request }
  return route.body === null ? { ok: true, value: call } : withBody(route, route.body, call, params)
}

/** What stands against a link: the token is verified first, so that nobody is stopped by tokens that someone makes up. */
async function linkRefusal(gate: Gate, kind: PathLinkName, token: string): Promise<HttpRefusal | null> {
  const tenant = await gate.open_link.path(kind, token)
  if (tenant !== null) return gate.links.countKnownLink({ kind: 'path', tenant, token })
  return (await gate.links.countUnknownLink()) ?? { code: 'link_not_found' }
}

function unknown({ by_token, open }: Route): 'link_not_found' | 'not_found' | 'task_not_found' {
  if (by_token !== undefined) return 'link_not_found'
  return open ? 'not_found' : 'task_not_found'
}

async function withBody(
  route: Route,
  rule: BodyRule,
  call: AnyCall,
  params: Record<string, string>,
): Promise<HttpResult<AnyCall>> {
  const { request, caller } = call
  const given = idempotencyKey(request.headers)
  if (!given.ok) return given
  const bytes = await readBytes(request)
  if (!bytes.ok) return bytes
  const body = readFields(rule, bytes.value, request.headers)
  if (!body.ok) return fail(ofMethod(route, body.refusal))
  const key = given.value === null ? null : await requestKey(given.value, route, params, request, bytes.value)
  return { ok: true, value: { ...call, body: body.value, caller: { ...caller, key } } }
}

/** Which header names the types that a route takes, depends on its method (RFC 5789). */
const ofMethod = ({ method }: Route, refusal: HttpRefusal): HttpRefusal =>
  refusal.code === 'unsupported_media_type' && method === 'patch' ? { ...refusal, method } : refusal

async function identify(
  gate: Gate,
  route: Route,
  request: Request,
  params: Record<string, string>,
): Promise<HttpResult<Caller>> {
  const nobody = {
    tenant: '',
    traceparent: traceOf(request.headers.get('traceparent')),
    key: null,
    gone: hangUpCheck(request),
  }
  if (route.open) return { ok: true, value: nobody }
  const admitted = await identifyTenant(gate, route, request, params)
  return admitted.ok ? { ok: true, value: { ...nobody, ...admitted.value } } : admitted
}

/** By the key, or where there is none by a link to this very thing; each counts against limits of its own. */
async function identifyTenant(
  gate: Gate,
  route: Route,
  request: Request,
  params: Record<string, string>,
): Promise<HttpResult<{ tenant: string; link?: number }>> {
  const { linked } = route
  const token = linked === undefined ? null : new URL(request.url).searchParams.get('token')
  if (linked !== undefined && token !== null && !hasKey(request)) {
    const readable = await gate.open_link.read(linked, token)
    if (readable === null || readable.task !== (params['id'] ?? '')) return fail({ code: 'unauthorized', given: true })
    const { tenant, link_epoch } = readable
    const limited = await gate.links.countKnownLink({ kind: 'read', tenant, token })
    return limited === null ? { ok: true, value: { tenant, link: link_epoch } } : fail(limited)
  }
  const holder = await gate.authenticate(request)
  if (!holder.ok) return holder
  // Not counted: what a worker must not do takes nothing from its tenant.
  if (holder.value.worker !== null && route.worker !== true) return fail({ code: 'worker_key' })
  const limited = await gate.count_key(holder.value)
  return limited === null ? { ok: true, value: { tenant: holder.value.tenant } } : fail(limited)
}

/** Whether the caller has hung up. A runtime that does not tell (no `enable_request_signal`) never says so. */
function hangUpCheck(request: Request): () => boolean {
  const signal: AbortSignal | undefined = request.signal
  return () => signal?.aborted === true
}

/** The header when it is one of W3C Trace Context, else null: it is passed on to the model's endpoint. */
function traceOf(header: string | null): string | null {
  const parts = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(header ?? '')
  return parts === null || /^0+$/.test(parts[1] ?? '') || /^0+$/.test(parts[2] ?? '') ? null : header
}

const LABEL = 'metadata.'

/** Texts become numbers, true and false where the schema wants these; `metadata.<key>` are gathered where the schema has metadata. */
function readQuery(schema: z.ZodObject, url: URL): HttpResult<Record<string, unknown>> {
  if (!isEncodedUtf8(url.search)) return invalid([{ pointer: '', message: 'the query is not valid UTF-8' }])
  const parameters = new Map<string, string>()
  const errors: FieldError[] = []
  for (const [name, value] of url.searchParams) {
    const flaw = parameterError(schema, name, value, parameters)
    if (flaw !== null) errors.push({ pointer: pointerToken(name), message: flaw })
    parameters.set(name, value)
    if (errors.length >= ERRORS_MAX) break
  }
  if (errors.length > 0) return invalid(errors)
  const isLabel = ([name]: [string, string]) => name.startsWith(LABEL)
  const labels = [...parameters].filter(isLabel).map(([name, value]) => [name.slice(LABEL.length), value] as const)
  const plain = new Map([...parameters].filter((parameter) => !isLabel(parameter)))
  const metadata = labels.length === 0 ? {} : { metadata: Object.fromEntries(labels) }
  return checkFields(schema, { ...typedValues(schema, plain), ...metadata })
}

function parameterError(
  schema: z.ZodObject,
  name: string,
  value: string,
  given: ReadonlyMap<string, string>,
): string | null {
  const isLabel = name.startsWith(LABEL) && name !== `${LABEL}__proto__`
  const known = isLabel ? 'metadata' in schema.shape : name !== 'metadata' && Object.hasOwn(schema.shape, name)
  if (!known) return `unknown query parameter "${printableName(name)}"`
  const flaw = textError(value) ?? textError(name) ?? (given.has(name) ? 'must be given once' : null)
  return flaw === null ? null : `${printableName(name)} ${flaw}`
}

function typedValues(schema: z.ZodObject, texts: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries([...texts].map(([name, text]) => [name, valueOf(schema.shape[name], text)]))
}

/** A text that does not fit stays one, and the schema refuses it in its own words. */
function valueOf(field: z.core.$ZodType | undefined, text: string): string | number | boolean {
  const wanted = field === undefined ? undefined : innerSchema(field)
  if (wanted instanceof z.ZodNumber && /^\d{1,15}$/.test(text)) return Number(text)
  return wanted instanceof z.ZodBoolean && /^(?:true|false)$/.test(text) ? text === 'true' : text
}

function readFields(rule: BodyRule, bytes: Uint8Array, headers: Headers): HttpResult<Record<string, unknown>> {
  const kinds = rule.kinds ?? (rule.text_field === null ? (['json'] as const) : (['json', 'form', 'text'] as const))
  const body = parseBody(bytes, headers, { kinds, empty: !rule.required })
  if (!body.ok) return body
  const fields = fieldsOf(rule, body.value)
  const flaws = textErrors(fields)
  const read = flaws.length > 0 ? invalid(flaws) : checkFields(rule.schema, fields)
  if (read.ok || read.refusal.code !== 'validation_failed' || !isTextAsForm(rule, body.value)) return read
  return fail({ ...read.refusal, hint: "It looks like plain text: send -H 'content-type: text/plain' with it." })
}

/** `curl -d 'buy milk'` says it is a form: one whose fields are words of the text. */
function isTextAsForm(rule: BodyRule, body: Body): boolean {
  if (body.kind !== 'form') return false
  const known = new Set([...Object.keys(rule.schema.shape), 'input', ...sendersOf(rule)])
  return body.form.size > 0 && [...body.form].every(([name, value]) => value === '' && !known.has(name))
}

function fieldsOf(rule: BodyRule, body: Body): unknown {
  switch (body.kind) {
    case 'empty':
      return {}
    case 'json':
      return rule.senders === undefined ? body.value : jsonFields(rule, body.value)
    case 'text':
      return { [rule.text_field ?? '']: body.text }
    case 'form':
      return formFields(rule, body.form)
  }
}

/** The text of a sender of webhooks under our own name; what it sends beside is left out. */
function jsonFields(rule: BodyRule, value: unknown): unknown {
  const field = rule.text_field ?? ''
  if (typeof value !== 'object' || value === null || field in value) return value
  const fields = new Map<string, unknown>(Object.entries(value))
  const sender = sendersOf(rule).find((name) => typeof fields.get(name) === 'string')
  return sender === undefined ? value : { [field]: fields.get(sender) }
}

/** Fields by which senders of webhooks name their text (Twilio: Body, Slack: text); `input` is ours. */
const SENDERS = ['Body', 'text'] as const
const sendersOf = ({ senders = SENDERS }: BodyRule): readonly string[] => senders

/**
 * A form of ours may hold the fields of the schema and nothing else. A form whose text is in `Body` or `text` comes from
 * a sender that adds a dozen fields of its own: these are left out.
 */
function formFields(rule: BodyRule, form: URLSearchParams): Record<string, unknown> {
  const field = rule.text_field ?? ''
  const texts = new Map(form)
  const ours = texts.has(field) || texts.has('input')
  const sender = ours ? undefined : sendersOf(rule).find((name) => texts.has(name))
  if (sender !== undefined) return { [field]: texts.get(sender) }
  const alias = field === 'input' || texts.has(field) ? undefined : texts.get('input')
  if (alias === undefined) return typedValues(rule.schema, texts)
  texts.delete('input')
  return typedValues(rule.schema, texts.set(field, alias))
}

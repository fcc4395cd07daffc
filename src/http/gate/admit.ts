/**
 * Decides whether a request is admitted, in this order: key, rate, path, query, Idempotency-Key, body. The schemas of the route check
 * each part. No effect has run when a request is refused here, so a refusal does not use up an Idempotency-Key (U6).
 */
import type { Caller } from '../../shell/caller.ts'
import type { PathLinkName } from '../../shell/links/path-links.ts'
import type { LinkName, Readable } from '../../shell/links/read-links.ts'
import type { AdmittedCall } from '../endpoint.ts'
import type { BodyRule, Route } from '../route.ts'
import { refuse, type HttpRefusal, type HttpResult } from '../shapes/http-refusal.ts'
import { hasKey } from './auth/auth.ts'
import { routeRefusal, type KeyHolder } from './auth/key-holder.ts'
import { readFields, readFormFields } from './body-fields.ts'
import { FORM_WITH_FILES, mediaTypeOf, readBytes } from './body.ts'
import type { OtherParts } from './hints/member-hint.ts'
import { idempotencyKey, keyScope, requestKey } from './idempotency.ts'
import { readQuery } from './query.ts'
import type { LinkLimiter } from './rate-limit.ts'

export interface Gate {
  authenticate(request: Request): Promise<HttpResult<KeyHolder>>
  /** What a read link opens, or the tenant of a path link; null: the link opens nothing, or nothing any more. */
  open_link: {
    read(kind: LinkName, token: string): Promise<Readable | null>
    path(kind: PathLinkName, token: string): Promise<string | null>
  }
  /** Counts a request that came with a key. */
  count_key(holder: KeyHolder): Promise<HttpRefusal | null>
  /** Counts a request that came by a link. */
  links: LinkLimiter
}
type PathParts = Record<string, string>

/** `parts` are the decoded parts of the path. */
export async function admit(
  gate: Gate,
  route: Route,
  request: Request,
  parts: PathParts,
): Promise<HttpResult<AdmittedCall>> {
  const caller = await identifyCaller(gate, route, request, parts)
  if (!caller.ok) return caller
  const params = route.params.safeParse(parts)
  // A malformed id is answered like an unknown one, so that an answer does not tell them apart (API1).
  if (!params.success) return refuse({ code: unknownCode(route) })
  const refusal = route.by_token === undefined ? null : await linkRefusal(gate, route.by_token, parts['token'] ?? '')
  if (refusal !== null) return refuse(refusal)
  const query =
    route.query === null ? ({ ok: true, value: null } as const) : readQuery(route.query, request.url, partsOf(route))
  if (!query.ok) return query
  const isStillAdmitted = () => stillAdmits(gate, route, request)
  const call = { caller: caller.value, params: params.data, query: query.value, body: null, request, isStillAdmitted }
  return route.body === null ? { ok: true, value: call } : withBody(route, route.body, call, parts)
}

/** Where a name may belong that stands in the wrong part of the request. */
const partsOf = ({ query, headers, body }: Route): OtherParts => ({
  query: Object.keys(query?.shape ?? {}),
  headers,
  body: Object.keys(body?.schema.shape ?? {}),
})

/** The token is verified before it is counted, so that invented tokens do not use up the limit of a link. */
async function linkRefusal(gate: Gate, kind: PathLinkName, token: string): Promise<HttpRefusal | null> {
  const tenant = await gate.open_link.path(kind, token)
  if (tenant !== null) return gate.links.countKnownLink({ kind: 'path', tenant, token })
  return (await gate.links.countUnknownLink()) ?? { code: 'link_not_found' }
}

function unknownCode({ by_token, open }: Route): 'link_not_found' | 'not_found' | 'task_not_found' {
  if (by_token !== undefined) return 'link_not_found'
  return open ? 'not_found' : 'task_not_found'
}

async function withBody(
  route: Route,
  rule: BodyRule,
  call: AdmittedCall,
  parts: PathParts,
): Promise<HttpResult<AdmittedCall>> {
  const { request, caller } = call
  const key = idempotencyKey(request.headers)
  if (!key.ok) return key
  if (rule.files === true && mediaTypeOf(request.headers.get('content-type') ?? '') === FORM_WITH_FILES)
    return withForm(route, rule, call, key.value === null ? null : { ...keyScope(route, parts), key: key.value })
  const bytes = await readBytes(request)
  if (!bytes.ok) return bytes
  const body = readFields(rule, bytes.value, request.headers, partsOf(route))
  if (!body.ok) return refuse(withMethod(route, body.refusal))
  const request_key = key.value === null ? null : await requestKey(key.value, route, parts, request, bytes.value)
  return { ok: true, value: { ...call, body: body.value, caller: { ...caller, key: request_key } } }
}

/** The fields are read here, and the files while the handler asks for them. So the digest of the request is not known before its end. */
async function withForm(
  route: Route,
  rule: BodyRule,
  call: AdmittedCall,
  key: { scope: string; key: string } | null,
): Promise<HttpResult<AdmittedCall>> {
  const { readForm } = await import('../multipart/form.ts')
  const form = await readForm(call.request, new URL(call.request.url).search)
  if (!form.ok) return form
  const { fields, files } = form.value
  const body = readFormFields(rule, fields, partsOf(route))
  if (!body.ok) {
    files.stop()
    return refuse(withMethod(route, body.refusal))
  }
  const request_key = key === null ? null : { ...key, digest: NO_DIGEST }
  return { ok: true, value: { ...call, body: body.value, files, caller: { ...call.caller, key: request_key } } }
}
/** Stands in for the digest of a form until its files are read. */
const NO_DIGEST = ''

/** The header that names the accepted types depends on the method (RFC 5789). */
const withMethod = ({ method }: Route, refusal: HttpRefusal): HttpRefusal =>
  refusal.code === 'unsupported_media_type' && method === 'patch' ? { ...refusal, method } : refusal

async function identifyCaller(
  gate: Gate,
  route: Route,
  request: Request,
  parts: PathParts,
): Promise<HttpResult<Caller>> {
  const anonymous = {
    tenant: '',
    scopes: [],
    key_name: null,
    traceparent: traceparentOf(request.headers.get('traceparent')),
    key: null,
    gone: hangUpCheck(request),
  }
  if (route.open) return { ok: true, value: anonymous }
  const identity = await identifyTenant(gate, route, request, parts)
  return identity.ok ? { ok: true, value: { ...anonymous, ...identity.value } } : identity
}

type Identity = Pick<Caller, 'tenant' | 'link' | 'is_operator'> & Partial<Pick<Caller, 'scopes' | 'key_name'>>

/** By the key, or without a key by a link to the requested thing. Each of them counts against its own limits. */
async function identifyTenant(
  gate: Gate,
  route: Route,
  request: Request,
  parts: PathParts,
): Promise<HttpResult<Identity>> {
  const { linked } = route
  const token = linked === undefined ? null : new URL(request.url).searchParams.get('token')
  if (linked !== undefined && token !== null && !hasKey(request)) {
    const readable = await gate.open_link.read(linked, token)
    if (readable === null || readable.task !== (parts['id'] ?? '')) return refuse({ code: 'unauthorized', given: true })
    const { tenant, link_epoch } = readable
    const refusal = await gate.links.countKnownLink({ kind: 'read', tenant, token })
    return refusal === null ? { ok: true, value: { tenant, link: link_epoch } } : refuse(refusal)
  }
  const holder = await gate.authenticate(request)
  if (!holder.ok) return holder
  // This request is not counted, so that a worker that oversteps its rights takes nothing from its tenant.
  const refusal = routeRefusal(holder.value, route) ?? (await gate.count_key(holder.value))
  return refusal === null ? { ok: true, value: identityOf(holder.value) } : refuse(refusal)
}

/** A key that cannot be looked up any more counts as gone, because nobody knows whether it was revoked. */
async function stillAdmits(gate: Gate, { open, linked }: Route, request: Request): Promise<boolean> {
  if (open) return true
  const token = linked === undefined ? null : new URL(request.url).searchParams.get('token')
  try {
    if (linked === undefined || token === null || hasKey(request)) return (await gate.authenticate(request)).ok
    return (await gate.open_link.read(linked, token)) !== null
  } catch {
    return false
  }
}

const identityOf = ({ tenant, scopes, key_name, is_operator }: KeyHolder): Identity => ({
  tenant,
  scopes,
  key_name,
  ...(is_operator ? { is_operator } : {}),
})

/** Whether the caller has hung up. Without `enable_request_signal` the runtime does not report it. */
function hangUpCheck(request: Request): () => boolean {
  const signal: AbortSignal | undefined = request.signal
  return () => signal?.aborted === true
}

/** A valid header of W3C Trace Context, or null. It is passed on to the model's endpoint. */
function traceparentOf(header: string | null): string | null {
  const parts = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(header ?? '')
  return parts === null || /^0+$/.test(parts[1] ?? '') || /^0+$/.test(parts[2] ?? '') ? null : header
}

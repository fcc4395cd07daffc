/** Requests by method and path of the document: which body, query and answer belong to a path follows from the generated types. */
import type { paths } from './openapi.ts'
import { readJson, send, type Wire, type WireRequest } from './transport.ts'
import type { AnswerOf, BodyOf, Method, PathOf, QueryOf, TaskOptions } from './types.ts'

export interface Address extends Wire {
  /** Origin and path prefix of the service, without a slash at the end. */
  base: string
  key: string
  language: 'en' | 'zh' | null
}

export interface CallOptions extends TaskOptions {
  /** The version that the task must have, for `If-Match`. */
  ifVersion?: number | undefined
  /** The tag that the agent must have; `none`: there must be no such agent. */
  ifTag?: string | undefined
  accept?: string
  contentType?: string
  once?: boolean
}

export interface Call<M extends Method, P extends keyof paths> {
  params?: Readonly<Record<string, string>>
  query?: QueryOf<M, P> & object
  /** `next_cursor` of the page before; it becomes `after`. */
  cursor?: string | undefined
  body?: BodyOf<M, P>
  options?: CallOptions | undefined
}

/** The verbs of the client that need a type of their own build on this function. */
export type CallJson = <M extends Method, P extends PathOf<M> & keyof paths>(
  method: M,
  path: P,
  call?: Call<M, P>,
) => Promise<AnswerOf<M, P>>

export function callJson(address: Address): CallJson {
  // A mistake in an argument is a rejection too, so that a caller has one place for all of them.
  return async (method, path, call = {}) => {
    const body = call.body === undefined && method !== 'post' ? undefined : JSON.stringify(call.body ?? {})
    const request = requestOf(address, method, path, call, body === undefined ? {} : { body, type: 'application/json' })
    return send(address, { ...request, read: (response) => readJson(request, response) })
  }
}

/** A request whose answer is empty. */
export async function callEmpty<M extends Method>(
  address: Address,
  method: M,
  path: PathOf<M> & keyof paths,
  call: Pick<Call<M, never>, 'params' | 'options'> & { query?: object },
): Promise<void> {
  const request = requestOf(address, method, path, call)
  await send(address, { ...request, read: async (response) => response.body?.cancel() })
}

interface Content {
  body?: string | Blob | FormData
  /** A form names its own type, with the boundary. */
  type?: string
}
interface Parts {
  params?: Readonly<Record<string, string>>
  query?: object | undefined
  cursor?: string | undefined
  options?: CallOptions | undefined
}

export function requestOf(
  address: Address,
  method: Method,
  path: string,
  { params = {}, query = {}, cursor, options = {} }: Parts,
  { body, type }: Content = {},
): Omit<WireRequest<never>, 'read'> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, params[name]))
  const search = searchOf({ ...query, include: options.include, ...(cursor === undefined ? {} : { after: cursor }) })
  const takesKey = method === 'post' || method === 'patch'
  const key = takesKey ? (options.idempotencyKey ?? newKey()) : null
  const headers = new Headers({ authorization: `Bearer ${address.key}`, accept: options.accept ?? 'application/json' })
  const set = (name: string, value: string | null | undefined) => {
    if (value !== null && value !== undefined) headers.set(name, value)
  }
  set('content-type', options.contentType ?? type)
  set('idempotency-key', key)
  set('accept-language', address.language)
  if (options.waitSeconds !== undefined) set('prefer', `wait=${options.waitSeconds}`)
  if (options.ifVersion !== undefined) set('if-match', `"${options.ifVersion}"`)
  if (options.ifTag !== undefined)
    set(options.ifTag === 'none' ? 'if-none-match' : 'if-match', options.ifTag === 'none' ? '*' : options.ifTag)
  const url = `${address.base}${filled}${search}`
  const { signal, once } = options
  return { method: method.toUpperCase(), path: filled, url, headers, body, signal, key, once }
}

/** `crypto.randomUUID` is not there for a page over plain http, and random values are. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** One segment of a path. `.` and `..` would lead to another route, also when they are encoded. */
function segmentOf(name: string, value: string | undefined): string {
  if (value === undefined || value === '' || value === '.' || value === '..')
    throw new TypeError(`${name} must be the name of one thing, not ${JSON.stringify(value ?? null)}`)
  return encodeURIComponent(value)
}

/** An object becomes one parameter for each of its members: `metadata: { team: 'a' }` is `metadata.team=a`. */
function searchOf(query: object): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    if (typeof value !== 'object') search.set(name, String(value))
    else for (const [key, text] of Object.entries(value)) search.set(`${name}.${key}`, String(text))
  }
  return search.size === 0 ? '' : `?${search.toString()}`
}

/** The key as a header can carry it. Throws a TypeError, which does not repeat it. */
export function checkedKey(key: string): string {
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('key must be visible ASCII characters without blanks')
  return key
}

/** The address of the service as requests need it. Throws a TypeError for one that is not plain http or https. */
export function baseOf(url: string): string {
  const { protocol, username, password, search, hash, origin, pathname } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`url must be http or https, not ${protocol}`)
  if (username !== '' || password !== '')
    throw new TypeError('url must have no user name: the key is an option of its own')
  if (search !== '' || hash !== '') throw new TypeError('url must have no query and no fragment')
  return `${origin}${pathname.endsWith('/') ? pathname.slice(0, -1) : pathname}`
}

/** Tenants, their keys and the log of who changed them: for ADMIN_KEY, and within one tenant for its keys with the scope `admin`. */
import { callEmpty, type Address, type CallJson } from './api.ts'
import { Pages } from './pages.ts'
import type { AnswerOf, BodyOf, QueryOf, RequestOptions } from './types.ts'

type Tenant = AnswerOf<'get', '/admin/tenants/{tenant}'>

export class Tenants {
  readonly #address: Address
  readonly #call: CallJson

  constructor(address: Address, call: CallJson) {
    this.#address = address
    this.#call = call
  }

  create(body: BodyOf<'post', '/admin/tenants'>, options?: RequestOptions): Promise<Tenant> {
    return this.#call('post', '/admin/tenants', { body, options })
  }

  get(tenant: string, options?: RequestOptions): Promise<Tenant> {
    return this.#call('get', '/admin/tenants/{tenant}', { params: { tenant }, options })
  }

  list(options?: RequestOptions): Pages<AnswerOf<'get', '/admin/tenants'>> {
    return new Pages((cursor) => this.#call('get', '/admin/tenants', { cursor, options }))
  }

  /** `change('acme', { disabled: true })`: its keys and links open nothing. */
  change(tenant: string, body: BodyOf<'patch', '/admin/tenants/{tenant}'>, options?: RequestOptions): Promise<Tenant> {
    return this.#call('patch', '/admin/tenants/{tenant}', { params: { tenant }, body, options })
  }

  /** Only a disabled tenant. Its name stays taken. */
  delete(tenant: string, options?: RequestOptions): Promise<void> {
    return callEmpty(this.#address, 'delete', '/admin/tenants/{tenant}', { params: { tenant }, options })
  }
}

export class Keys {
  readonly #address: Address
  readonly #call: CallJson

  constructor(address: Address, call: CallJson) {
    this.#address = address
    this.#call = call
  }

  /** `key` of the answer is the key itself, which is shown only here. */
  create(body: BodyOf<'post', '/admin/keys'> = {}, options?: RequestOptions): Promise<AnswerOf<'post', '/admin/keys'>> {
    return this.#call('post', '/admin/keys', { body, options })
  }

  get(id: string, options?: RequestOptions): Promise<AnswerOf<'get', '/admin/keys/{id}'>> {
    return this.#call('get', '/admin/keys/{id}', { params: { id }, options })
  }

  /** Newest first. */
  list(query: QueryOf<'get', '/admin/keys'> = {}, options?: RequestOptions): Pages<AnswerOf<'get', '/admin/keys'>> {
    return new Pages((cursor) => this.#call('get', '/admin/keys', { query, cursor, options }))
  }

  /** Makes a key in the place of this one, which works for `grace_s` more seconds. */
  rotate(
    id: string,
    body: BodyOf<'post', '/admin/keys/{id}/rotate'> = {},
    options?: RequestOptions,
  ): Promise<AnswerOf<'post', '/admin/keys/{id}/rotate'>> {
    return this.#call('post', '/admin/keys/{id}/rotate', { params: { id }, body, options })
  }

  /** For good. It is refused everywhere within a minute. */
  revoke(id: string, options?: RequestOptions): Promise<void> {
    return callEmpty(this.#address, 'delete', '/admin/keys/{id}', { params: { id }, options })
  }
}

export class Admin {
  readonly tenants: Tenants
  readonly keys: Keys
  readonly #call: CallJson

  constructor(address: Address, call: CallJson) {
    this.#call = call
    this.tenants = new Tenants(address, call)
    this.keys = new Keys(address, call)
  }

  /** Who changed or read what, newest first. */
  audit(query: QueryOf<'get', '/admin/audit'> = {}, options?: RequestOptions): Pages<AnswerOf<'get', '/admin/audit'>> {
    return new Pages((cursor) => this.#call('get', '/admin/audit', { query, cursor, options }))
  }
  /** What is bound, whether it answers, and what that switches on. */
  deployment(options?: RequestOptions): Promise<AnswerOf<'get', '/admin/deployment'>> {
    return this.#call('get', '/admin/deployment', { options })
  }
}

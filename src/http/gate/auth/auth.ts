/** Finds out whose request it is. The tenant comes only from the credential (API1, API2). */
import type { Config } from '../../../config.ts'
import { mayLogIn } from '../../../config-login.ts'
import { sha256 } from '../../../shell/hex.ts'
import type { PathLinkName } from '../../../shell/links/path-links.ts'
import type { Registry } from '../../../shell/ports.ts'
import type { LinkName, Readable } from '../../../shell/links/read-links.ts'
import type { Ports } from '../../endpoint.ts'
import { refuse, type HttpResult } from '../../shapes/http-refusal.ts'
import { keyMistake } from '../hints/key-mistake.ts'
import { TOKEN_CHARS_MAX, type KeyHolder, type Verifier } from './key-holder.ts'
import { isConfiguredKey } from './verifiers.ts'

/** One token of the characters of RFC 6750. Any other header is not a key. */
const BEARER = /^bearer +([A-Za-z0-9._~+/=-]+)$/i
/** The longest token, with the scheme in front of it. */
const HEADER_CHARS_MAX = TOKEN_CHARS_MAX + 'Bearer '.length

/**
 * Asks the verifiers in their order; the first that knows the kind of the credential decides. Without an Authorization `readAmbient` finds
 * what a proxy has added. Nothing opens a disabled tenant, and only keys of API_KEYS work while nobody can say whether it is one (KEY-08).
 */
export function authenticator(
  verifiers: readonly Verifier[],
  { tenantOf, findTenant }: Pick<Registry, 'tenantOf' | 'findTenant'>,
  readAmbient: (request: Request) => Promise<HttpResult<KeyHolder> | null>,
): (request: Request) => Promise<HttpResult<KeyHolder>> {
  const unlessDisabled = async (verdict: HttpResult<KeyHolder>): Promise<HttpResult<KeyHolder>> => {
    if (!verdict.ok || verdict.value.is_operator) return verdict
    const { tenant: name, key_name } = verdict.value
    const tenant = await (isConfiguredKey(key_name) ? tenantOf(name) : findTenant(name))
    return tenant?.is_disabled === true ? refuse({ code: 'tenant_disabled' }) : verdict
  }
  return async (request) => {
    const header = request.headers.get('authorization')
    const ambient = hasKey(request) ? null : await readAmbient(request)
    if (ambient !== null) return unlessDisabled(ambient)
    if (header !== null && header.length > HEADER_CHARS_MAX)
      return refuse({ code: 'unauthorized', given: true, token: 'too_long' })
    const token = BEARER.exec(header ?? '')?.[1]
    const mistake = keyMistake(request)
    if (mistake !== null) return refuse({ code: 'unauthorized', given: header !== null, mistake })
    if (token === undefined) return refuse({ code: 'unauthorized', given: header !== null })
    const key = { token, digest: await sha256(token) }
    for (const verify of verifiers) {
      const verdict = await verify(key)
      if (verdict !== null) return unlessDisabled(verdict)
    }
    return refuse({ code: 'unauthorized', given: true })
  }
}

/** Whether a request has a key, valid or not. A link counts only without a key. */
export const hasKey = (request: Request) => (request.headers.get('authorization') ?? '') !== ''

/** Opens the links of tenants that are served: with a key in API_KEYS or in the registry, or with a login, unless they are disabled. */
export function linkOpener(
  { api_keys, login }: Config,
  { links, path_links, now, registry }: Pick<Ports, 'links' | 'path_links' | 'now' | 'registry'>,
) {
  const configured = new Set(api_keys.filter(({ worker }) => !worker).map(({ tenant }) => tenant))
  const isServed = async (tenant: string) => {
    const isKnown = configured.has(tenant) || (login !== null && mayLogIn(login, tenant))
    // Where the registry cannot be reached, only the tenants of the configuration are known to be served.
    const registered = await (isKnown ? registry.tenantOf(tenant) : registry.findTenant(tenant))
    return registered === null ? isKnown : !registered.is_disabled
  }
  return {
    async read(kind: LinkName, token: string): Promise<Readable | null> {
      const readable = await links[kind].open(token, now())
      return readable !== null && (await isServed(readable.tenant)) ? readable : null
    },
    async path(kind: PathLinkName, token: string): Promise<string | null> {
      const tenant = await path_links[kind](token)
      return tenant !== null && (await isServed(tenant)) ? tenant : null
    },
  }
}

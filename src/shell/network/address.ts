/**
 * The one rule for every address that a request or the configuration names (F65). Every spelling of a private address is refused here. The
 * network holds what a public name resolves to (scripts/lib/network.mjs, or the platform).
 */

import type { Attempt } from '../../core/terms/attempt.ts'

/** Receivers and proxies cut longer addresses. */
export const ADDRESS_CHARS_MAX = 2_000

/** Which addresses are allowed although they are not public, and which are denied although they are. */
export interface Reach {
  /** This machine, by http too and on any port, in development only. */
  loopback: boolean
  /** `host`, `host:port` or `*.domain`, by http too, as the operator names them in ALLOWED_HOSTS. */
  allowed_hosts?: ReadonlySet<string>
  /** The same for DENIED_HOSTS, which wins over everything. */
  denied_hosts?: ReadonlySet<string>
  /** The only hosts that addresses of a tenant may name, in the same forms. Absent or null: they are not bounded so. */
  tenant_hosts?: ReadonlySet<string> | null
}

/** The address to send to, or an error that follows the name of its field: "callback_url must …". */
export function readAddress(text: string, reach: Reach): Attempt<URL, string> {
  const url = text.length <= ADDRESS_CHARS_MAX ? URL.parse(text) : null
  const error = textError(text) ?? (url === null ? NO_URL : urlError(url, reach))
  if (error !== null || url === null) return { ok: false, error: error ?? NO_URL }
  url.hostname = withoutFinalDot(url.hostname)
  return { ok: true, value: url }
}

/**
 * The address that a server names at `base`: whole, or relative to it, as in `Location`. A fragment is left out, because it is not sent. The
 * parser drops tabs and turns backslashes, so the text is judged before it is resolved, and the whole address after that.
 */
export function resolveAddress(text: string, base: URL, reach: Reach): Attempt<URL, string> {
  const [given = ''] = text.split('#', 1)
  const error = spellingError(given)
  if (error !== null) return { ok: false, error }
  const url = URL.parse(given, base.href)
  return url === null ? { ok: false, error: NO_URL } : readAddress(url.href, reach)
}

const NO_URL = 'must be a whole address such as https://example.com/hook'

/** Refuses, as written, what a URL parser would drop or turn round, or what two parsers read differently. */
function spellingError(text: string): string | null {
  if (text.length > ADDRESS_CHARS_MAX) return `must have at most ${ADDRESS_CHARS_MAX} characters`
  if (/[\s\p{Cc}\p{Cf}\p{Cs}]/u.test(text))
    return 'must have no white space, control or invisible characters: percent-encode them'
  return text.includes('\\') ? 'must have no backslash: an address is written with /' : null
}

/** The same of a whole address. */
function textError(text: string): string | null {
  const error = spellingError(text)
  if (error !== null) return error
  if (text.includes('#')) return 'must have no fragment: leave out # and what follows'
  const authority = /^[a-z]+:\/\/([^/?]+)/i.exec(text)?.[1]
  if (authority === undefined) return NO_URL
  if (authority.includes('@')) return 'must have no user name or password: the signature tells the receiver who sends'
  return null
}

function urlError(url: URL, { loopback, allowed_hosts, denied_hosts, tenant_hosts = null }: Reach): string | null {
  const host = withoutFinalDot(url.hostname)
  if (isListedHost(url, denied_hosts)) return 'must not name a host that the operator denies (DENIED_HOSTS)'
  if (tenant_hosts !== null && !isListedHost(url, tenant_hosts)) return outsideHosts(tenant_hosts)
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:'
  if (isHttp && ((loopback && isLoopback(host)) || isListedHost(url, allowed_hosts))) return null
  if (url.protocol !== 'https:') return 'must begin with https://'
  if (url.port !== '' && url.port !== '8443') return 'must be on port 443 or 8443'
  return hostError(host)
}

/** Longer lists are not shown whole. */
const HOSTS_SHOWN = 10

function outsideHosts(tenant_hosts: ReadonlySet<string>): string {
  const hosts = [...tenant_hosts]
  if (hosts.length === 0) return 'must not be: this tenant may reach no host'
  const more = hosts.length > HOSTS_SHOWN ? ` and ${hosts.length - HOSTS_SHOWN} others` : ''
  return `must name a host that this tenant may reach: ${hosts.slice(0, HOSTS_SHOWN).join(', ')}${more}`
}

const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' }

/**
 * Whether a list of hosts names the host of an address. An entry without a port stands for every port, and `*.domain` for every name below a
 * domain, but not for the domain itself.
 */
export function isListedHost(url: URL, hosts: ReadonlySet<string> | undefined): boolean {
  if (hosts === undefined || hosts.size === 0) return false
  const host = withoutFinalDot(url.hostname)
  if (host.length > HOST_CHARS_MAX) return false
  const port = url.port || DEFAULT_PORTS[url.protocol]
  const labels = host.split('.')
  const names = [host, ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)]
  return names.some((name) => hosts.has(name) || hosts.has(`${name}:${port}`))
}

/** A host name with a final dot is the same name. */
const withoutFinalDot = (hostname: string) => hostname.replace(/\.$/, '')

/** The parser writes every spelling of an IPv4 address as four decimal numbers. */
const IPV4 = /^\d+(?:\.\d+){3}$/
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (IPV4.test(host) && host.startsWith('127.'))

const HOST_CHARS_MAX = 253
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
const PUBLIC = 'use the name of a host that the internet knows'

function hostError(host: string): string | null {
  if (host.startsWith('[') || IPV4.test(host)) return `must not name an IP address: ${PUBLIC}`
  const labels = host.split('.')
  if (host.length > HOST_CHARS_MAX || !labels.every((label) => LABEL.test(label)))
    return `must name a host by letters, digits and -: ${PUBLIC}`
  if (labels.length < 2) return `must name a host with its domain: ${PUBLIC}`
  if (!/^[a-z]/.test(labels.at(-1) ?? '')) return `must not end in a number: ${PUBLIC}`
  const inside = labels.some((_, index) => BLOCKED.has(labels.slice(index).join('.')))
  return inside ? `must not name a host of a private or local network: ${PUBLIC}` : null
}

/** Top-level names that are reserved or used inside networks. Clouds answer metadata below `internal`. */
const INSIDE =
  'internal local localhost localdomain arpa lan corp home intranet private mail invalid test example onion alt svc cluster consul docker default'
/** Public names that resolve to inside addresses: to the address in their own name, to this machine, or to metadata. */
const OUTSIDE =
  'nip.io sslip.io xip.io traefik.me local.gd localtest.me lvh.me vcap.me lacolhost.com localho.st rbndr.us 1u.ms 127-0-0-1.org.uk ' +
  'rbnd.gl0.eu ip6.name fritz.box metadata.tencentyun.com metadata.packet.net metadata.platformequinix.com'
/** Each name blocks all names below it. */
const BLOCKED: ReadonlySet<string> = new Set(`${INSIDE} ${OUTSIDE}`.split(' '))

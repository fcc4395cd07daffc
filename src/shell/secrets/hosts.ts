/** The hosts that a secret may be sent to: how they are written, and whether an address is at one of them. */
import type { Attempt } from '../../core/terms/attempt.ts'
import { isListedHost } from '../network/address.ts'

/** No host that the internet knows is longer; a port has at most six characters more. */
const ENTRY_CHARS_MAX = 259
const PORT_MAX = 65_535

const EXAMPLE = 'must be host or host:port, such as api.example.com'
const refused = (error: string): Attempt<string, string> => ({ ok: false, error })

/** The host as it is compared: in lower case, a name of other scripts in Punycode, without a final dot. Or an error that follows the name of its field. */
export function readSecretHost(text: string): Attempt<string, string> {
  if (text.length > ENTRY_CHARS_MAX) return refused(`${EXAMPLE}, of at most ${ENTRY_CHARS_MAX} characters`)
  if (/[\s\p{Cc}\p{Cf}\p{Cs}]/u.test(text)) return refused(`${EXAMPLE}, without blanks and invisible characters`)
  if (text.includes('*')) return refused(`${EXAMPLE}: name each host, * stands for none`)
  if (/[/\\?#@]/.test(text)) return refused(addressError(text))
  const port = /:\d{1,5}$/.exec(text)?.[0] ?? ''
  const name = nameOf(text.slice(0, text.length - port.length))
  if (name === null) return refused(EXAMPLE)
  if (port === '') return { ok: true, value: name }
  const number = Number(port.slice(1))
  if (number < 1 || number > PORT_MAX) return refused(`${EXAMPLE}: a port is from 1 to ${PORT_MAX}`)
  return { ok: true, value: `${name}:${number}` }
}

/** Letters, digits, `-` and `_` of a name, or an address in brackets. The parser has put all else into Punycode, or refused it. */
const NAME = /^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])$/

/** null: it is no host. */
function nameOf(host: string): string | null {
  // Without this a second port would be read as the port of the host.
  if (host === '' || (host.includes(':') && !host.startsWith('['))) return null
  const hostname = URL.parse(`https://${host}/`)?.hostname.replace(/\.$/, '') ?? ''
  return NAME.test(hostname) ? hostname : null
}

/** People paste the address of the API. The error says which part of it to write. */
function addressError(text: string): string {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`)
  const host = url === null ? null : readSecretHost(url.host)
  return host?.ok === true
    ? `must be a host, and not a whole address: write "${host.value}"`
    : `${EXAMPLE}, and not a whole address`
}

/** An entry without a port allows every port of its host, and no entry allows the hosts below it. */
export const mayReceive = (hosts: readonly string[], address: URL): boolean => isListedHost(address, new Set(hosts))

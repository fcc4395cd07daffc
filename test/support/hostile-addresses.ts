/**
 * The table of hostile addresses, for every door by which an address comes in: a field of a request, a tool, a document, a redirect, a link.
 * Each has a part of the reason for which it is refused.
 */
import { BAD } from './addresses.ts'

const MORE: [address: string, why: string][] = [
  // IPv4 in further spellings, with a dot at the end, or inside an IPv6 address.
  ['https://0251.0376.0251.0376/latest/meta-data/', 'IP address'],
  ['https://169.254.43518/', 'IP address'],
  ['https://0xA9.0xFE.0xA9.0xFE/', 'IP address'],
  ['https://169.254.169.254./', 'IP address'],
  ['https://169。254。169。254/', 'IP address'],
  ['https://169．254．169．254/', 'IP address'],
  ['https://169｡254｡169｡254/', 'IP address'],
  ['https://①⑥⑨.②⑤④.①⑥⑨.②⑤④/', 'IP address'],
  ['https://192.0.0.192/', 'IP address'],
  ['https://198.18.0.1/', 'IP address'],
  ['https://224.0.0.1/', 'IP address'],
  ['https://[::ffff:169.254.169.254]/', 'IP address'],
  ['https://[::ffff:a9fe:a9fe]/', 'IP address'],
  ['https://[64:ff9b::a9fe:a9fe]/', 'IP address'],
  ['https://[2002:7f00:1::]/', 'IP address'],
  ['https://[0:0:0:0:0:0:0:1]/', 'IP address'],
  ['https://[::1]:8443/', 'IP address'],
  // Two hosts in one text.
  ['https://example.com:443@169.254.169.254/', 'user name'],
  ['https://169.254.169.254\\@example.com/', 'backslash'],
  ['https://example.com\t@169.254.169.254/', 'white space'],
  ['https://169.254.169.254#.example.com/', 'fragment'],
  ['https://169.254.169.254?.example.com/', 'IP address'],
  ['https://169.254.169.254/?.example.com', 'IP address'],
  ['https://127.0.0.1%00.example.com/', 'whole address'],
  ['https://127.0.0.1%2f.example.com/', 'whole address'],
  // Names.
  ['https://kubernetes.default/', 'private or local'],
  ['https://instance-data/', 'with its domain'],
  ['https://instance-data.ec2.internal/latest/', 'private or local'],
  ['https://make-127-0-0-1-rr.1u.ms/', 'private or local'],
  ['https://7f000001.08080808.rbnd.gl0.eu/', 'private or local'],
  ['https://0--1.ip6.name/', 'private or local'],
  // Schemes.
  ['dict://127.0.0.1:11211/', 'https://'],
  ['ldap://127.0.0.1/', 'https://'],
  ['wss://127.0.0.1/', 'https://'],
  ['unix:///var/run/docker.sock', 'whole address'],
]

export const HOSTILE: readonly [address: string, why: string][] = [...BAD, ...MORE]

/** Relative to a public server these name a public place: its own, or that of example.com. White space around a header is dropped. */
export const HARMLESS_LOCATIONS: ReadonlySet<string> = new Set([
  '',
  'example.com/hook',
  '/hook',
  '//example.com/hook',
  'https:example.com/hook',
  'https:/example.com/hook',
  'https:///example.com/hook',
  'https://@example.com/',
  'https://example.com/#fragment',
  'https://example.com/#',
  ' https://example.com/',
  'https://example.com/ ',
  '\ufeffhttps://example.com/',
])

/** What a header has of a text: its bytes in UTF-8. null: no header can have it. */
export function headerValue(text: string): string | null {
  const bytes = Buffer.from(text, 'utf8').toString('latin1')
  try {
    return new Headers({ location: bytes }).get('location')
  } catch {
    return null
  }
}

/** The hostile addresses as `Location` of a redirect, and some that only a redirect can have. */
export const HOSTILE_LOCATIONS: readonly string[] = [
  ...HOSTILE.flatMap(([address]) => (HARMLESS_LOCATIONS.has(address) ? [] : (headerValue(address) ?? []))),
  '//127.0.0.1/',
  '//169.254.169.254/latest/meta-data/',
  '//localhost/',
  '//[::1]/',
  '//user@example.com/',
  '\\\\127.0.0.1\\',
  '/\\127.0.0.1/',
  '/\t/127.0.0.1/',
  'https:\\\\127.0.0.1/',
  'https:///127.0.0.1/',
  '//example.com:22/',
  'http:/relative',
]

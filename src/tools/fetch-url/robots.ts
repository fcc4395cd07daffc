/**
 * What robots.txt of a host allows to this program (RFC 9309). A host whose file does not exist allows everything, and one whose file cannot be
 * had allows nothing until it can.
 */
import parseRobots from 'robots-parser'
import type { Reach } from '../../shell/network/address.ts'
import { guardedFetch } from '../../shell/network/guarded-fetch.ts'

/** The name by which a host addresses this program. */
const AGENT = 'loop-agent'

type Rules = 'all' | 'none' | { robots: string; text: string }
type RobotsVerdict = 'allowed' | 'forbidden' | 'unknown'

const FRESH_MS = 600_000
/** An answer that may be a failure of the moment. */
const RETRY_MS = 60_000
const HOSTS_MAX = 100
/** As much as the standard asks for. */
const FILE_BYTES_MAX = 512_000
const TIMEOUT_MS = 5_000
/** The standard asks for five. */
const REDIRECTS_MAX = 5

/** The rules of the hosts that were asked lately. They are public, so tenants share them. */
const known = new Map<string, { rules: Rules; until_ms: number }>()
export const forgetRobots = (): void => known.clear()

interface RobotsPorts {
  fetch: typeof globalThis.fetch
  reach: Reach
  now_ms: () => number
  user_agent: string
}

export async function robotsVerdict(ports: RobotsPorts, address: URL): Promise<RobotsVerdict> {
  const rules = await rulesOf(ports, address)
  if (rules === 'all') return 'allowed'
  if (rules === 'none') return 'unknown'
  const path = (address.pathname + address.search).slice(0, PATH_CHARS_MAX)
  const allowed = parseRobots(rules.robots, rules.text).isAllowed(new URL(path, address.origin).href, AGENT)
  return allowed === false ? 'forbidden' : 'allowed'
}

async function rulesOf(ports: RobotsPorts, { origin }: URL): Promise<Rules> {
  const now = ports.now_ms()
  const earlier = known.get(origin)
  if (earlier !== undefined && earlier.until_ms > now) return earlier.rules
  const rules = await askRules(ports, `${origin}/robots.txt`)
  known.delete(origin)
  known.set(origin, { rules, until_ms: now + (rules === 'none' ? RETRY_MS : FRESH_MS) })
  if (known.size > HOSTS_MAX) known.delete(known.keys().next().value ?? '')
  return rules
}

async function askRules({ fetch, reach, user_agent }: RobotsPorts, robots: string): Promise<Rules> {
  const headers = { accept: 'text/plain, */*;q=0.5', 'user-agent': user_agent }
  const bounds = { reach, timeout_ms: TIMEOUT_MS, bytes_max: FILE_BYTES_MAX, cuts: true, redirects: REDIRECTS_MAX }
  const answer = await guardedFetch(fetch, robots, { headers }, bounds)
  // A redirect to an address that is not allowed, or one of too many, is a file that is not there.
  if (answer.kind === 'unanswered') return ['address', 'redirect'].includes(answer.failure) ? 'all' : 'none'
  if (answer.status >= 500) return 'none'
  if (answer.status < 200 || answer.status >= 300) return 'all'
  return { robots, text: boundedRules(new TextDecoder().decode(answer.body)) }
}

/** The parser takes time with the length of a path times that of a pattern with `*`. The file and the path are both choices of strangers. */
const PATH_CHARS_MAX = 500
const LINE_CHARS_MAX = 256
const LINES_MAX = 5_000
const PATTERNS_MAX = 200

/** The lines with rules, as many as can be applied in a bounded time. */
function boundedRules(text: string): string {
  let patterns = 0
  const lines = text.split(/\r\n?|\n/).filter((line) => {
    if (line.length > LINE_CHARS_MAX || !/^\s*(?:user-agent|allow|disallow)\s*:/i.test(line)) return false
    if (line.includes('*') && !/^\s*user-agent/i.test(line)) patterns += 1
    return !line.includes('*') || patterns <= PATTERNS_MAX
  })
  return lines.slice(0, LINES_MAX).join('\n')
}

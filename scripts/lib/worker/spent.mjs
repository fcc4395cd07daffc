/** The spending of a command: the measured seconds, and the statement of its program. The part of a share that is not stated is charged in full. */

const TEXT_MAX = 10_000
/** As the service has them. */
const AMOUNT_MAX = 1_000_000_000
const USD_MAX = 1_000_000
const isCount = (value) => Number.isInteger(value) && value >= 0 && value <= AMOUNT_MAX
/** The members that a report as JSON may have. */
const IS = {
  tokens: isCount,
  cost_usd: (value) => typeof value === 'string' && /^\d{1,9}(?:\.\d{1,6})?$/.test(value) && Number(value) <= USD_MAX,
  seconds: isCount,
}
/** The keys by which the front matter of a report states each of them. */
const STATED = Object.fromEntries(
  Object.keys(IS).map((name) => [name, new RegExp(`^(?:spent_)?${name}[ \\t]*:`, 'im')]),
)
/** The first lines of a file: anything else is sent as it is, rather than spoilt. */
const FRONT = /^(\ufeff?(?:\s*\n)?---[ \t]*\r?\n(?:[^\r\n]*\r?\n)*?)(?=---[ \t]*(?:\r?\n|$))/

/** The spending for a share with seconds only. */
export function measured({ seconds }, took_ms) {
  return seconds === null ? {} : { seconds: Math.max(1, Math.ceil(took_ms / 1_000)) }
}

/** Reads SPENT_FILE of a program: `{ ok: true, spent }`, or `{ ok: false, reason }`. */
export function statedIn(text) {
  if (text.length > TEXT_MAX) return { ok: false, reason: 'it is too long' }
  const spent = parse(text)
  if (typeof spent !== 'object' || spent === null || Array.isArray(spent))
    return { ok: false, reason: 'it is no JSON object' }
  const wrong = Object.entries(spent).find(([name, value]) => !Object.hasOwn(IS, name) || !IS[name](value))
  return wrong === undefined
    ? { ok: true, spent }
    : { ok: false, reason: `${wrong[0]} is not as docs/workers.md has it` }
}

/** Markdown with what its front matter does not state itself; null: it has none, and one of ours would change how the rest is read. */
export function withSpent(markdown, spent) {
  const [, front] = FRONT.exec(markdown) ?? []
  if (front === undefined) return null
  const lines = Object.entries(spent).filter(([name]) => !STATED[name].test(front))
  return front + lines.map(([name, value]) => `${name}: ${value}\n`).join('') + markdown.slice(front.length)
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

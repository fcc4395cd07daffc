/** JSON for a reader: indented, with long lists, long texts and deep values cut, and with the number of what is left out. */

const ITEMS_MAX = 50
const MEMBERS_MAX = 100
const TEXT_CHARS_MAX = 2_000
const DEPTH_MAX = 12
/** Values of all levels together. */
const VALUES_MAX = 20_000

/** null: the text is no JSON. */
export function prettyJson(text: string): string | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  const budget = { left: VALUES_MAX }
  return shown(value, '', budget, 0)
}

function shown(value: unknown, indent: string, budget: { left: number }, depth: number): string {
  budget.left -= 1
  if (typeof value === 'string') return shownText(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const [open, close, max] = Array.isArray(value)
    ? (['[', ']', ITEMS_MAX] as const)
    : (['{', '}', MEMBERS_MAX] as const)
  const entries = Object.entries(value)
  if (entries.length === 0) return open + close
  if (depth >= DEPTH_MAX) return `${open} … ${entries.length} more ${close}`
  const lines: string[] = []
  for (const [name, member] of entries) {
    if (lines.length >= max || budget.left <= 0) break
    const label = Array.isArray(value) ? '' : `${shownText(name)}: `
    lines.push(inner + label + shown(member, inner, budget, depth + 1))
  }
  if (lines.length < entries.length) lines.push(`${inner}… ${entries.length - lines.length} more`)
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

function shownText(text: string): string {
  const rest = text.length - TEXT_CHARS_MAX
  return JSON.stringify(rest <= 0 ? text : `${text.slice(0, TEXT_CHARS_MAX).toWellFormed()}… ${rest} more characters`)
}

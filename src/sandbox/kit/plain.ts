/** Writes values as JSON and as text, beyond the types that JSON knows. */

// Read before any other code runs, because that code may replace it.
const { stringify } = JSON

function plainMember(_key: string, value: unknown): unknown {
  // A Date has already become a text at this point.
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value instanceof Map) return Object.fromEntries(value)
  if (value instanceof Set) return [...value]
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return Array.from(value as unknown as number[])
  if (value instanceof Error) return `${value.name}: ${value.message}`
  return value
}

/** 'null' stands for undefined and for a symbol. */
export const toJson = (value: unknown): string => stringify(value, plainMember) ?? 'null'

/** The most items of a list that are printed: printing 100,000 rows would take all of the fuel. */
const ITEMS_MAX = 100

const isTyped = (value: object): value is ArrayLike<unknown> & object =>
  ArrayBuffer.isView(value) && !(value instanceof DataView)

/** The text of one argument of console.log. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'function') return `[function ${value.name}]`
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof Error) return `${value.name}: ${value.message}`
  if ((Array.isArray(value) || isTyped(value)) && value.length > ITEMS_MAX) {
    const first = Array.from({ length: ITEMS_MAX }, (_, place) => value[place])
    return `${valueText(first).slice(0, -1)},… ${value.length - ITEMS_MAX} more]`
  }
  try {
    return toJson(value)
  } catch (error) {
    if (error instanceof TypeError && /circular/i.test(error.message)) return '[circular]'
    throw error
  }
}

/** Formats rows as lines of cells, for console.table. */
export function consoleTable(rows: unknown): string {
  if (!Array.isArray(rows) || typeof rows[0] !== 'object' || rows[0] === null) return valueText(rows)
  const names = Object.keys(rows[0] as object)
  const line = (cells: unknown[]) => cells.map((cell) => valueText(cell)).join(' | ')
  return [
    line(names),
    ...rows.slice(0, ITEMS_MAX).map((row) => line(names.map((name) => (row as Record<string, unknown>)[name]))),
  ].join('\n')
}

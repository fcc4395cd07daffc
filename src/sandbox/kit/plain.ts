/** Values as JSON and as text: what models print and save goes beyond what JSON knows. */

// Taken before any other code runs, which may replace them.
const { stringify } = JSON

function plainMember(_key: string, value: unknown): unknown {
  // A Date has turned itself into a text before it is shown here.
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value instanceof Map) return Object.fromEntries(value)
  if (value instanceof Set) return [...value]
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return Array.from(value as unknown as number[])
  if (value instanceof Error) return `${value.name}: ${value.message}`
  return value
}

/** null where there is nothing: undefined, a symbol. */
export const toJson = (value: unknown): string => stringify(value, plainMember) ?? 'null'

/** Of a list as much as is ever read of it: to print 100,000 rows would take all the time there is. */
const ITEMS_MAX = 100

const isTyped = (value: object): value is ArrayLike<unknown> & object =>
  ArrayBuffer.isView(value) && !(value instanceof DataView)

/** One argument of console.log. */
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

/** Rows as lines of cells, for console.table. */
export function consoleTable(rows: unknown): string {
  if (!Array.isArray(rows) || typeof rows[0] !== 'object' || rows[0] === null) return valueText(rows)
  const names = Object.keys(rows[0] as object)
  const line = (cells: unknown[]) => cells.map((cell) => valueText(cell)).join(' | ')
  return [
    line(names),
    ...rows.slice(0, ITEMS_MAX).map((row) => line(names.map((name) => (row as Record<string, unknown>)[name]))),
  ].join('\n')
}

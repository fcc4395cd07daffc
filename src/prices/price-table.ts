/** Reads the table of default prices (scripts/lib/price-table.mjs). Its text is parsed by the first question. */
import text from 'prices:table'
import type { Price, Rates } from '../core/terms/money.ts'
import { providerOf, type PricedAddress } from './providers.ts'

/** The kinds in the order of a row of rates. Rates that are not known are null or missing at the end. */
const KINDS = ['input', 'output', 'cache_read', 'cache_write', 'image', 'reasoning'] as const
type RateRow = (number | null)[]

/** null: always. A date: from then on. Two numbers: daily, from the first second of the day to the second one, in UTC. */
type When = null | string | [from: number, to: number]
type PriceRow = [when: When, rates: RateRow, ...tiers: [above: number, rates: RateRow][]]

interface Table {
  version: string
  /** By provider. `name#cd` is a model with snapshots: `c` for `name-20261031`, `d` for `name-2026-10-31`. */
  providers: Record<string, [names: string, ...prices: PriceRow[]][]>
}

let table: Table | null = null
const providers = new Map<string, Map<string, PriceRow[]>>()

/** Each price that a model may have from this time on. Empty: nobody knows the provider, or the table does not have the model. */
export function pricesAt(address: PricedAddress, model: string, now_ms: number): { price: Price; is_now: boolean }[] {
  const provider = providerOf(address)
  if (provider === null) return []
  // The text is made by our own build.
  table ??= JSON.parse(text) as Table
  const { version } = table
  const models = providers.get(provider) ?? modelsOf(table, provider)
  providers.set(provider, models)
  const name = namesOf(model).find((one) => models.has(one)) ?? ''
  const rows = models.get(name) ?? []
  // A row that holds for good has replaced those before it. If no row holds yet, the first one does.
  const first = Math.max(0, lastRow(rows, now_ms, false))
  const now = Math.max(first, lastRow(rows, now_ms, true))
  return rows.slice(first).map((row, index) => ({
    price: { version, ...priceOf(row) },
    is_now: first + index === now,
  }))
}

/** The last row that holds now. `daily`: whether it may be one that holds for some hours of the day. */
const lastRow = (rows: PriceRow[], now_ms: number, daily: boolean): number =>
  rows.findLastIndex(([when]) => (daily || !Array.isArray(when)) && isInForce(when, now_ms))

function modelsOf({ providers }: Table, provider: string): Map<string, PriceRow[]> {
  const rows = providers[provider] ?? []
  return new Map(
    rows.flatMap(([names, ...prices]) =>
      names
        .split(' ')
        .flatMap(withSnapshots)
        .map((name) => [name, prices]),
    ),
  )
}

const FORMS: Record<string, string> = { c: '-yyyymmdd', d: '-yyyy-mm-dd' }

function withSnapshots(entry: string): string[] {
  const [name = '', forms = ''] = entry.split('#')
  return [name, ...[...forms].map((form) => `${name}${FORMS[form] ?? ''}`)]
}

const DATE = /-(20\d\d)(-?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])$/

/** The names under which a model may be listed: its own, that of a snapshot in the other form, and that of all snapshots. */
function namesOf(model: string): string[] {
  const name = model.trim().toLowerCase()
  const [suffix, year, dash, month, day] = DATE.exec(name) ?? []
  const date = `${year}-${month}-${day}`
  if (suffix === undefined || !new Date(date).toISOString().startsWith(date)) return [name]
  const base = name.slice(0, -suffix.length)
  return [name, `${base}-${date}`, `${base}-yyyy${dash}mm${dash}dd`]
}

function isInForce(when: When, now_ms: number): boolean {
  if (when === null) return true
  if (typeof when === 'string') return now_ms >= Date.parse(when)
  const [from, to] = when
  const second = (now_ms / 1000) % 86_400
  return from <= to ? second >= from && second < to : second >= from || second < to
}

function priceOf([, base, ...tiers]: PriceRow) {
  const rates = ratesOf(base)
  return tiers.length === 0
    ? rates
    : { ...rates, tiers: tiers.map(([above, dearer]) => ({ above, ...ratesOf(dearer) })) }
}

function ratesOf(row: RateRow): Rates {
  const known = KINDS.map((kind, index) => [kind, row[index] ?? null] as const).filter(([, rate]) => rate !== null)
  // The build gives every row its first two rates.
  return Object.fromEntries(known) as Rates
}

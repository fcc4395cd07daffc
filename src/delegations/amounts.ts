/** Reads and writes the amounts of a budget in a front matter: `tokens`, `cost_usd`, `seconds`, each with a prefix. */
import { SPENT_MAX, type Amounts } from '../core/terms/delegation.ts'
import { dollars, microDollars, USD } from '../core/terms/money.ts'
import type { FrontMatterFields } from './front-matter.ts'

export const amountKeys = (prefix: string) => [`${prefix}tokens`, `${prefix}cost_usd`, `${prefix}seconds`]

/**
 * null: the fields hold none of the amounts. An amount that is no plain decimal number, or too large to be true, counts as missing. A fraction
 * below the unit is rounded up.
 */
export function readAmounts(fields: FrontMatterFields, prefixes: readonly string[]): Amounts | null {
  const number = (name: string, read: (text: string) => number | null, max: number) =>
    prefixes.map((prefix) => read(fields.get(prefix + name) ?? '')).find((value) => value !== null && value <= max)
  const amounts = {
    tokens: number('tokens', (text) => parseDecimal(text, 0), SPENT_MAX.tokens),
    cost: number('cost_usd', micros, SPENT_MAX.cost),
    working_ms: number('seconds', (text) => parseDecimal(text, 3), SPENT_MAX.working_ms),
  }
  const said = Object.entries(amounts).filter(([, value]) => value !== undefined)
  return said.length === 0 ? null : Object.fromEntries(said)
}

export function amountLines(prefix: string, amounts: Amounts | null): string[] {
  const { tokens, cost, working_ms } = amounts ?? {}
  return [
    ...(tokens === undefined ? [] : [`${prefix}tokens: ${tokens}`]),
    ...(cost === undefined ? [] : [`${prefix}cost_usd: ${dollars(cost)}`]),
    ...(working_ms === undefined ? [] : [`${prefix}seconds: ${seconds(working_ms)}`]),
  ]
}

/** Works on the digits, because a division would lose the last digit of the largest amounts. */
function seconds(ms: number): string {
  const rest = String(ms % 1000)
    .padStart(3, '0')
    .replace(/(?<!0)0+$/, '')
  return `${Math.floor(ms / 1000)}${rest === '' ? '' : `.${rest}`}`
}

const DECIMAL = /^(\d+)(?:\.(\d+))?$/

/** Reads a decimal in units of its `places`: ("1.5", 3) → 1500. It works on the digits, because 0.057 seconds as a float would become 58 ms. */
function parseDecimal(text: string, places: number): number | null {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? []
  if (whole === undefined) return null
  const units = Number(whole + fraction.slice(0, places).padEnd(places, '0')) + rounding(fraction.slice(places))
  return Number.isSafeInteger(units) ? units : null
}

const rounding = (rest: string) => (/[1-9]/.test(rest) ? 1 : 0)

/** Workers may state prices with more places than money has here. */
function micros(text: string): number | null {
  const [, whole = '', fraction, rest = ''] = /^(\d+)(?:\.(\d{1,6})(\d*))?$/.exec(text) ?? []
  const usd = fraction === undefined ? whole : `${whole}.${fraction}`
  return USD.test(usd) ? microDollars(usd) + rounding(rest) : null
}

/** simple-statistics with one trap removed: it takes a missing value (null) for 0, so this refuses missing values. */
import * as simple from 'simple-statistics'

function refuseMissing(name: string, given: unknown): void {
  if (!Array.isArray(given)) return
  const missing = given.some(
    (value) => value === null || value === undefined || (Array.isArray(value) && value.includes(null)),
  )
  if (missing)
    throw new Error(`stats.${name}: some values are missing (null); take data.numbers(column), or filter them out`)
}

const isFunction = (value: unknown): value is (...given: unknown[]) => unknown => typeof value === 'function'

function guardMember(name: string, member: unknown): unknown {
  // A class cannot be called without `new`, so it stays as it is.
  if (!isFunction(member) || /^[A-Z]/.test(name)) return member
  return (...given: unknown[]) => {
    for (const one of given) refuseMissing(name, one)
    return member(...given)
  }
}

export const stats = Object.fromEntries(
  Object.entries(simple).map(([name, member]) => [name, guardMember(name, member)]),
)

/** Equality of data as in JSON: an undefined member counts as missing. */
export function same(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  return Array.isArray(one) && Array.isArray(other) ? sameItems(one, other) : sameMembers(one, other)
}

function sameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  const length = Math.max(one.length, other.length)
  for (let index = 0; index < length; index++) if (!same(one[index], other[index])) return false
  return true
}

/** Each member of `one` is in `other` with an equal value, and there are as many in both. */
function sameMembers(one: object, other: object): boolean {
  const found = other as Record<string, unknown>
  let more = 0
  for (const [name, value] of Object.entries(one)) {
    if (value === undefined) continue
    more += 1
    if (!Object.hasOwn(found, name) || !same(value, found[name])) return false
  }
  for (const value of Object.values(found)) if (value !== undefined) more -= 1
  return more === 0
}

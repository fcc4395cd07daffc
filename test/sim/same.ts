/** Equality of data as in JSON: an undefined member counts as missing. */
export function same(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  return covers(one, other) && covers(other, one, false)
}

/** Whether `other` has every member of `one`, with an equal value unless only presence is required. */
function covers(one: object, other: object, equal = true): boolean {
  for (const name in one) {
    const value: unknown = Object.hasOwn(one, name) ? Reflect.get(one, name) : undefined
    if (value === undefined) continue
    const found: unknown = Object.hasOwn(other, name) ? Reflect.get(other, name) : undefined
    if (found === undefined || (equal && !same(value, found))) return false
  }
  return true
}

/** Equality of data as JSON sees it: a member that is undefined is a member that is not there. */
export function same(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  return covers(one, other) && covers(other, one, false)
}

/** Whether every member of `one` is in `other`, and equal there unless only presence is asked. */
function covers(one: object, other: object, equal = true): boolean {
  for (const [name, value] of Object.entries(one)) {
    if (value === undefined) continue
    const found: unknown = Object.hasOwn(other, name) ? Reflect.get(other, name) : undefined
    if (found === undefined || (equal && !same(value, found))) return false
  }
  return true
}

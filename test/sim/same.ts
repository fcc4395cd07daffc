/** Equality of data as JSON sees it: a member that is undefined is a member that is not there. */
export function same(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [mine, theirs] = [entriesOf(one), new Map(entriesOf(other))]
  return mine.length === theirs.size && mine.every(([name, value]) => theirs.has(name) && same(value, theirs.get(name)))
}

const entriesOf = (data: object): [string, unknown][] => Object.entries(data).filter(([, value]) => value !== undefined)

/** Whether a repetition can read the same text in two ways, as (?:a|a)* can: it then tries twice as many with each further piece. */

/** With more pairs of places the expression is a list of words that is too long to check. */
const PAIRS_MAX = 60_000
/** A repetition with a larger bound counts as unbounded. */
const COPIES_MAX = 8

/** An expression is ambiguous if two ways lead from one of its places (Glushkov) back to it over the same text. null if it has too many places. */
export function isAmbiguous(expression) {
  const places = []
  const follow = []
  const { first, last } = linked(expression, places, follow)
  // The repetition itself.
  for (const place of last) for (const to of first) follow[place].add(to)
  if (places.length ** 2 > PAIRS_MAX) return null
  const pairOf = (one, other) => one * places.length + other
  const next = (pair) => {
    const [one, other] = [Math.floor(pair / places.length), pair % places.length]
    return [...follow[one]].flatMap((to) =>
      [...follow[other]].flatMap((second) => (places[to].isDisjointWith(places[second]) ? [] : [pairOf(to, second)])),
    )
  }
  return places.some((_, at) => {
    const alike = pairOf(at, at)
    const onward = reached(alike, next)
    const back = new Map(onward.map((pair) => [pair, []]))
    for (const pair of onward) for (const to of next(pair)) back.get(to)?.push(pair)
    return reached(alike, (pair) => back.get(pair) ?? []).some(
      (pair) => Math.floor(pair / places.length) !== pair % places.length,
    )
  })
}

function reached(start, next) {
  const seen = new Set([start])
  for (const one of seen) for (const to of next(one)) seen.add(to)
  return [...seen]
}

const EMPTY = { first: [], last: [], nullable: true }

/** The places of a part, those it begins and ends with, and what follows each. */
function linked(node, places, follow) {
  switch (node.type) {
    case 'CharacterClass':
      places.push(node.characters)
      follow.push(new Set())
      return { first: [places.length - 1], last: [places.length - 1], nullable: false }
    case 'Alternation':
    case 'Expression': {
      const all = node.alternatives.map((one) => linked(one, places, follow))
      return {
        first: all.flatMap(({ first }) => first),
        last: all.flatMap(({ last }) => last),
        nullable: all.some(({ nullable }) => nullable),
      }
    }
    case 'Concatenation':
      return node.elements.reduce((sum, element) => chained(sum, linked(element, places, follow), follow), EMPTY)
    case 'Quantifier':
      return repeated(node, places, follow)
    default:
      return EMPTY
  }
}

function chained(one, other, follow) {
  for (const place of one.last) for (const to of other.first) follow[place].add(to)
  return {
    first: one.nullable ? [...one.first, ...other.first] : one.first,
    last: other.nullable ? [...one.last, ...other.last] : other.last,
    nullable: one.nullable && other.nullable,
  }
}

function repeated({ min, max, alternatives }, places, follow) {
  const copy = () => linked({ type: 'Alternation', alternatives }, places, follow)
  if (max > COPIES_MAX) {
    const one = copy()
    for (const place of one.last) for (const to of one.first) follow[place].add(to)
    return min === 0 ? { ...one, nullable: true } : one
  }
  return Array.from({ length: max }, (_, at) => (at < min ? {} : { nullable: true })).reduce(
    (sum, optional) => chained(sum, { ...copy(), ...optional }, follow),
    EMPTY,
  )
}

/** Chooses parts of a JSON value by paths: names of members with dots between, as in `items.0.name`. */
import { isRecord } from '../../core/terms/plain/is-record.ts'

/** The part at a path, where a position selects from a list. undefined: there is none. */
export const partAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((part, name) => {
    if (Array.isArray(part)) return /^\d{1,9}$/.test(name) ? part[Number(name)] : undefined
    return isRecord(part) && Object.hasOwn(part, name) ? part[name] : undefined
  }, value)

/** A member that was chosen: all of it, or the members in it. */
interface Choice {
  whole: boolean
  members: Map<string, Choice>
}

/** The value with the members that the paths name. A path into a list applies to each element. undefined: nothing of it is there. */
export function selectFields(value: unknown, paths: readonly string[]): unknown {
  const root: Choice = { whole: false, members: new Map() }
  for (const path of paths) {
    let choice = root
    for (const name of path.split('.')) {
      const next = choice.members.get(name) ?? { whole: false, members: new Map() }
      choice.members.set(name, next)
      choice = next
    }
    choice.whole = true
  }
  return chosenPart(value, root)
}

function chosenPart(value: unknown, { whole, members }: Choice): unknown {
  if (whole) return value
  if (Array.isArray(value)) {
    const elements = value.map((one) => chosenPart(one, { whole, members }))
    // An element without any of them stays, so that positions and numbers are right.
    return elements.some((one) => one !== undefined) ? elements.map((one) => one ?? {}) : undefined
  }
  if (!isRecord(value)) return undefined
  const kept = [...members].flatMap(([name, choice]): [string, unknown][] => {
    const part = Object.hasOwn(value, name) ? chosenPart(value[name], choice) : undefined
    return part === undefined ? [] : [[name, part]]
  })
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

/** The names of the members at the top of a value, or of the first element of a list. */
export function memberNames(value: unknown): string[] {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return isRecord(first) ? Object.keys(first) : []
}

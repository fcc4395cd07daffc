/** Which models tasks may name: those of the operator's list. The configured model is named by no setting, and is always allowed. */
import type { Settings } from '../terms/settings.ts'

/** null: all of them. */
export type AllowedModels = readonly string[] | null

/** `model`: what a setting names; null: the configured one. */
export const isAllowedModel = (allowed: AllowedModels | undefined, model: string | null): boolean =>
  model === null || allowed === null || allowed === undefined || allowed.includes(model)

/** What stands against the models that settings name: the field, what was given, what is allowed, and the nearest name. */
export function modelFlaws(
  { model, models }: Pick<Settings, 'model' | 'models'>,
  allowed: AllowedModels,
): { pointer: string; message: string }[] {
  const named: [string, string | null | undefined][] = [
    ['model', model],
    ...Object.entries(models).map(([phase, name]): [string, string | undefined] => [`models/${phase}`, name]),
  ]
  return named.flatMap(([field, name = null]) => {
    if (name === null || allowed === null || isAllowedModel(allowed, name)) return []
    const near = nearestName(name, allowed)
    const hint = near === null ? '' : `; did you mean "${near}"?`
    const message = `settings.${field.replace('/', '.')} "${name}" is not allowed: leave it out, or take ${listed(allowed)}${hint}`
    return [{ pointer: `/settings/${field}`, message }]
  })
}

/** Names that a message shows at most. */
const SHOWN_MAX = 20
const listed = (names: readonly string[]) =>
  names.length <= SHOWN_MAX ? names.join(', ') : `${names.slice(0, SHOWN_MAX).join(', ')}, …`

/** Longer names are not compared: the time grows with the product of two lengths. */
const COMPARED_MAX = 64

/** The known name that differs least, when at most a third of it differs. */
export function nearestName(given: string, known: readonly string[]): string | null {
  if (given.length > COMPARED_MAX) return null
  const rated = known
    .filter((name) => name.length <= COMPARED_MAX)
    .map((name) => ({ name, distance: distanceOf(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.ceil(name.length / 3))
    .sort((a, b) => a.distance - b.distance)
  return rated[0]?.name ?? null
}

/** Letters to add, drop or change (Levenshtein). */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (let at = 1; at <= other.length; at++) {
      const [left = 0, above = 0, across = 0] = [next[at - 1], row[at], row[at - 1]]
      next.push(Math.min(left + 1, above + 1, across + (letter === other[at - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[other.length] ?? 0
}

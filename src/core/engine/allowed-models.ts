/** The models that tasks may name: those of the operator's list. The default model needs no setting, and is always allowed. */
import type { Settings } from '../terms/settings.ts'

/** null: all models are allowed. */
export type AllowedModels = readonly string[] | null

/** `model` is the value of a setting. null: the default model. */
export const isAllowedModel = (allowed: AllowedModels | undefined, model: string | null): boolean =>
  model === null || allowed === null || allowed === undefined || allowed.includes(model)

/** The errors of settings that name models: the field, the value, the allowed models, and the nearest name. */
export function modelErrors(
  { model, models }: Pick<Settings, 'model' | 'models'>,
  allowed: AllowedModels,
): { pointer: string; message: string }[] {
  const fields: [string, string | null | undefined][] = [
    ['model', model],
    ...Object.entries(models).map(([phase, name]): [string, string | undefined] => [`models/${phase}`, name]),
  ]
  return fields.flatMap(([field, name = null]) => {
    if (name === null || allowed === null || isAllowedModel(allowed, name)) return []
    const nearest = nearestName(name, allowed)
    const hint = nearest === null ? '' : `; did you mean "${nearest}"?`
    const message = `settings.${field.replace('/', '.')} "${name}" is not allowed: leave it out, or take ${nameList(allowed)}${hint}`
    return [{ pointer: `/settings/${field}`, message }]
  })
}

/** How many names a message shows at most. */
const SHOWN_MAX = 20
const nameList = (names: readonly string[]) =>
  names.length <= SHOWN_MAX ? names.join(', ') : `${names.slice(0, SHOWN_MAX).join(', ')}, …`

/** Longer names are not compared, because the time grows with the product of two lengths. */
const COMPARED_MAX = 64

/** The known name with the smallest distance, if at most a third of it differs. null: there is none. */
export function nearestName(given: string, known: readonly string[]): string | null {
  if (given.length > COMPARED_MAX) return null
  const candidates = known
    .filter((name) => name.length <= COMPARED_MAX)
    .map((name) => ({ name, distance: distanceOf(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.ceil(name.length / 3))
    .sort((a, b) => a.distance - b.distance)
  return candidates[0]?.name ?? null
}

/** The Levenshtein distance: how many letters have to be added, removed or changed. */
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

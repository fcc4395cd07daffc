/** The models that tasks may name: those of the operator's list. The default model needs no setting, and is always allowed. */
import { nameHint, nameList } from '../terms/values/known-names.ts'
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
    const field_name = `settings.${field.replace('/', '.')}`
    const message = `${field_name} "${name}" is not allowed: leave it out, or take ${nameList(allowed)}${nameHint(name, allowed)}`
    return [{ pointer: `/settings/${field}`, message }]
  })
}

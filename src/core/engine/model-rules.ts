/** Which models tasks may name, each tenant by its own list, and which endpoints are asked in place of others. */
import { DEFAULT_ENDPOINT } from '../terms/values/endpoint-name.ts'
import { nameHint, nameList } from '../terms/values/known-names.ts'
import type { Settings } from '../terms/settings.ts'

export interface ModelRules {
  /** The names that tasks may give: endpoints, and models of the default endpoint. null: every name. */
  names: readonly string[] | null
  /** The names that mean the default: `default`, the name of that endpoint, and its model. */
  default_names: readonly string[]
  /** By tenant: the names that it may use. A tenant without a list may use all. */
  tenants: Readonly<Record<string, readonly string[]>>
  /** By the name of an endpoint: the endpoints that are asked in its place, in order. */
  fallbacks: Readonly<Record<string, readonly string[]>>
}

/** The rules of a service that restricts nothing. */
export const NO_RULES: ModelRules = { names: null, default_names: [DEFAULT_ENDPOINT], tenants: {}, fallbacks: {} }

/**
 * The rules with the list of a tenant replaced. A name that no task may give stays forbidden, whatever the list says. null: the rules as they
 * are.
 */
export function rulesWithin(rules: ModelRules, tenant: string, models: readonly string[] | null): ModelRules {
  if (models === null) return rules
  return { ...rules, tenants: { ...rules.tenants, [tenant]: models.filter((name) => isNamed(rules, name)) } }
}

/** The names of the first list that the second one allows too, in the order of the first. */
export const commonModels = (
  rules: ModelRules,
  first: readonly string[] | null,
  second: readonly string[] | null,
): readonly string[] | null => {
  if (first === null || second === null) return first ?? second
  const { default_names } = rules
  const hasDefault = second.some((name) => default_names.includes(name))
  return first.filter((name) => (default_names.includes(name) ? hasDefault : second.includes(name)))
}

/** The names that a tenant may give, as messages show them. null: every name. */
export const allowedNames = ({ names, tenants }: ModelRules, tenant: string): readonly string[] | null =>
  listUnder(tenants, tenant) ?? names

/** The list under a key of a client. A key may be the name of a member that every object has. */
export const listUnder = (lists: ModelRules['tenants'], key: string): readonly string[] | null =>
  Object.hasOwn(lists, key) ? (lists[key] ?? null) : null

/** Whether a name is one that tasks may give, whatever the list of a tenant says. */
export const isNamed = ({ names, default_names }: Pick<ModelRules, 'names' | 'default_names'>, name: string): boolean =>
  names === null || names.includes(name) || default_names.includes(name)

/** `name` is the value of a setting. null: the default. */
export function isAllowedModel(rules: ModelRules, tenant: string, name: string | null): boolean {
  const { default_names } = rules
  const own = listUnder(rules.tenants, tenant)
  const given = name ?? DEFAULT_ENDPOINT
  if (own === null) return isNamed(rules, given)
  return default_names.includes(given) ? default_names.some((one) => own.includes(one)) : own.includes(given)
}

type ModelSettings = Pick<Settings, 'model' | 'models'>

/** The errors of settings that name models: the field, the value, the allowed names, and the nearest of them. */
export function modelErrors(
  { model, models }: ModelSettings,
  rules: ModelRules,
  tenant: string,
): { pointer: string; message: string }[] {
  const allowed = allowedNames(rules, tenant) ?? []
  const named = Object.entries(models).map(([phase, name = null]): [string, string | null] => [`models/${phase}`, name])
  const fields: [string, string | null][] = [['model', model], ...named.filter(([, name]) => name !== null)]
  return fields.flatMap(([field, name]) => {
    if (isAllowedModel(rules, tenant, name)) return []
    const setting = `settings.${field.replace('/', '.')}`
    const message =
      name === null
        ? `${setting} must name one of ${nameList(allowed)}`
        : `${setting} "${name}" is not allowed: leave it out, or take ${nameList(allowed)}${nameHint(name, allowed)}`
    return [{ pointer: `/settings/${field}`, message }]
  })
}

/**
 * Settings in which configured defaults that the tenant may not use are replaced: the model by the first name of its list, and
 * models of phases by that model. What the caller has `named` stays, so that a mistake is refused and not corrected.
 */
export function withAllowedDefaults<S extends ModelSettings>(
  settings: S,
  named: { model?: unknown; models?: unknown },
  rules: ModelRules,
  tenant: string,
): S {
  const isAllowed = (name: string | null) => isAllowedModel(rules, tenant, name)
  const { model, models } = settings
  const first = isAllowed(null) ? null : (listUnder(rules.tenants, tenant)?.[0] ?? null)
  const allowed = Object.entries(models).filter(([, name]) => name !== undefined && isAllowed(name))
  return {
    ...settings,
    model: (named.model ?? null) === null && !isAllowed(model) ? first : model,
    models: named.models === undefined ? Object.fromEntries(allowed) : models,
  }
}

/** ALLOWED_MODELS and TENANT_MODELS: which models tasks may name, and which of them each tenant may use (docs/models.md). */
import * as z from 'zod'
import { fallbacksOf, type ModelsConfig } from './config-models.ts'
import { isNamed, type ModelRules } from './core/engine/model-rules.ts'
import { isRecord } from './core/terms/plain/is-record.ts'
import { DEFAULT_ENDPOINT } from './core/terms/values/endpoint-name.ts'
import { nameHint, nameList } from './core/terms/values/known-names.ts'
import { parseJson } from './core/terms/values/parse-json.ts'

export const AllowedModels = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .refine(
    (names) => names.every((name) => name.length > 0 && name.length <= 200),
    'must be names of models, comma-separated',
  )
  .optional()

interface RuleVariables {
  /** The model of the default endpoint, which a task may name whatever the list says. */
  model: string | undefined
  ALLOWED_MODELS?: string[] | undefined
  TENANT_MODELS?: string | undefined
}

/** `tenants`: those that have keys. null: any tenant may have one. */
export function readModelRules(
  models: ModelsConfig,
  { model, ALLOWED_MODELS, TENANT_MODELS }: RuleVariables,
  tenants: readonly string[] | null,
): { rules: ModelRules; errors: string[] } {
  const { endpoints, is_named } = models
  const named = endpoints.map(({ name }) => name)
  const own = named[0] ?? DEFAULT_ENDPOINT
  // A model whose name is also that of an endpoint can be meant by no name of its own.
  const own_model = model === undefined || named.includes(model) ? [] : [model]
  const listed = ALLOWED_MODELS ?? (is_named ? [] : null)
  const default_names = [...new Set([DEFAULT_ENDPOINT, own, ...own_model])]
  const general = {
    names: listed === null ? null : namesOf(is_named ? named : own_model, listed),
    default_names,
    fallbacks: listsOf(endpoints, default_names),
  }
  const read = TENANT_MODELS === undefined ? NOTHING : readTenants(TENANT_MODELS, general, tenants)
  return { rules: { ...general, tenants: read.lists }, errors: read.errors }
}

const namesOf = (first: readonly string[], listed: readonly string[]): string[] => [
  ...first.filter((name) => !listed.includes(name)),
  ...listed,
]

/** By all names of an endpoint. The model of the default endpoint is one of its names. */
function listsOf(endpoints: ModelsConfig['endpoints'], default_names: readonly string[]): ModelRules['fallbacks'] {
  const lists = endpoints.flatMap(({ name }, index) => {
    const list = fallbacksOf(endpoints, name)
    const names = index === 0 ? default_names : [name]
    return list.length === 0 ? [] : names.map((one): [string, string[]] => [one, list])
  })
  return Object.fromEntries(lists)
}

const FORM = 'TENANT_MODELS must be JSON: {"acme": ["fast", "strong"]}'
const TENANT = /^[A-Za-z0-9._-]{1,64}$/
const NOTHING = { lists: {}, errors: [] }

type Named = Pick<ModelRules, 'names' | 'default_names'>

function readTenants(text: string, rules: Named, tenants: readonly string[] | null) {
  const value = parseJson(text)
  if (!isRecord(value)) return { lists: {}, errors: [FORM] }
  const entries = Object.entries(value)
  const errors = entries.flatMap(([tenant, list], index) => {
    if (!TENANT.test(tenant)) return [`TENANT_MODELS entry ${index + 1}: its name is not that of a tenant`]
    return listErrors(list, rules, tenants?.includes(tenant) ?? true).map(
      (error) => `TENANT_MODELS of ${tenant}: ${error}`,
    )
  })
  // Each list has just been checked.
  return { lists: errors.length === 0 ? (value as Record<string, string[]>) : {}, errors }
}

function listErrors(list: unknown, rules: Named, has_key: boolean): string[] {
  if (!Array.isArray(list) || list.length === 0 || !list.every((name) => typeof name === 'string' && name !== ''))
    return ['must be a list of names of endpoints or models']
  // A tenant whose name is mistyped here would be restricted by nothing.
  if (!has_key) return ['API_KEYS has no key of this tenant']
  const known = rules.names ?? []
  const unknown = list.filter((name: string) => !isNamed(rules, name))
  return unknown.map(
    (name: string) => `names a model that is not there; there are ${nameList(known)}${nameHint(name, known)}`,
  )
}

/** What callers are told of the models. Keys and addresses are never told. It is loaded when somebody asks. */
import type { Config } from '../../config.ts'
import { allowedNames, isAllowedModel, listUnder, withAllowedDefaults } from '../../core/engine/model-rules.ts'
import type { AnsweringModel, LearnedModel, ModelEntry, ModelList } from '../../core/shown/model-view.ts'
import { dollars, priceOf, type Price, type Rates } from '../../core/terms/money.ts'
import { DEFAULT_ENDPOINT } from '../../core/terms/values/endpoint-name.ts'

/** The model of the built-in rules, as the rows of their calls name it. */
const BUILT_IN: Pick<AnsweringModel, 'wire' | 'model'> = { wire: 'built_in', model: 'offline-rules' }

/** What a name stands for: an endpoint, or a model at the default one. null: no model is configured. */
function resolve({ provider, endpoints }: Config['models'], name: string): AnsweringModel | null {
  if (provider === 'offline') return { endpoint: DEFAULT_ENDPOINT, ...BUILT_IN }
  const named = endpoints.find((one) => one.name === name)
  const at = named ?? endpoints[0]
  if (at === undefined) return null
  const isOwn = named !== undefined || name === DEFAULT_ENDPOINT
  return { endpoint: at.name, wire: at.wire, model: isOwn ? at.model : name }
}

/** The model that answers a task that names none. null: no model is configured. */
export const answeringModel = ({ models, settings }: Config): AnsweringModel | null =>
  resolve(models, settings.model ?? DEFAULT_ENDPOINT)

/** The models that a tenant may name. `known`: what the endpoints of this isolate have refused so far. */
export function modelsFor(
  config: Config,
  known: readonly LearnedModel[],
  { tenant, now_ms }: { tenant: string; now_ms: number },
): ModelList {
  const { models, model_rules, settings } = config
  const preset = withAllowedDefaults(settings, {}, model_rules, tenant).model ?? DEFAULT_ENDPOINT
  const own = models.endpoints[0]?.name ?? DEFAULT_ENDPOINT
  const { default_names } = model_rules
  const isDefault = (name: string) =>
    name === preset || (default_names.includes(name) && default_names.includes(preset))
  const data = namesFor(config, tenant, own).flatMap((name): ModelEntry[] => {
    const at = resolve(models, name)
    if (at === null) return []
    const found = known.find(({ endpoint: one, model }) => one === at.endpoint && model === at.model)
    const price = priceOf(config.prices, name, now_ms)
    const fallback = listUnder(model_rules.fallbacks, name) ?? []
    return [
      {
        name,
        ...at,
        default: isDefault(name),
        prices: price === null ? null : pricesView(price),
        fallback: fallback.filter((other) => isAllowedModel(model_rules, tenant, other)),
        learned: found === undefined ? null : { form: found.form, refused: found.refused },
      },
    ]
  })
  return { data, any_name: allowedNames(model_rules, tenant) === null }
}

/** Each endpoint once, and the models of the default endpoint that are allowed beside its own. */
function namesFor({ models, model_rules }: Config, tenant: string, own: string): string[] {
  const list = listUnder(model_rules.tenants, tenant)
  if (list !== null) return [...new Set(list)]
  const endpoints = [own, ...models.endpoints.map(({ name }) => name)]
  const others = (model_rules.names ?? []).filter((name) => !model_rules.default_names.includes(name))
  return [...new Set([...endpoints, ...others])]
}

const pricesView = ({ version, tiers, ...base }: Price) => ({
  version,
  ...ratesView(base),
  ...(tiers !== undefined && { tiers: tiers.map(({ above, ...dearer }) => ({ above, ...ratesView(dearer) })) }),
})

function ratesView({ input, output, cache_read, cache_write, image, reasoning }: Rates) {
  const others = { cache_read, cache_write, image, reasoning }
  const more = Object.entries(others).flatMap(([kind, rate]) => (rate === undefined ? [] : [[kind, dollars(rate)]]))
  return { input: dollars(input), output: dollars(output), ...Object.fromEntries(more) }
}

/** A model as a line for a terminal. */
export const modelLine = ({ name, wire, model, default: isDefault }: ModelEntry): string =>
  `${name}  ${wire}  ${model}${isDefault ? '  default' : ''}`

/** The model that answers, as a line of `GET /health`. */
export const answeringLine = (model: AnsweringModel | null): string =>
  model === null ? 'no model is configured' : `model ${model.endpoint} ${model.wire} ${model.model}`

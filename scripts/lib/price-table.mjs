/**
 * `prices:table`: the default prices of models as text, which src/prices/price-table.ts reads. It is made from @pydantic/genai-prices and stands
 * nowhere. The package is large and matches by prefixes, so that it would price a successor it has never heard of. The table names each model.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './node.mjs'

const PACKAGE = '@pydantic/genai-prices'
const MADE = join(ROOT, '.wrangler/prices')

/** The providers of src/prices/providers.ts, as the package names them. */
const PROVIDERS = [
  'anthropic',
  'cerebras',
  'cloudflare',
  'deepseek',
  'fireworks',
  'google',
  'groq',
  'minimax',
  'mistral',
  'moonshotai',
  'openai',
  'openrouter',
  'together',
  'x-ai',
  'zai',
]

/** The kinds of tokens that a usage tells apart, in the order of a row of rates. */
const KINDS = [
  'input_mtok',
  'output_mtok',
  'cache_read_mtok',
  'cache_write_mtok',
  'input_image_mtok',
  'output_reasoning_mtok',
]
/** Prices of what no call asks for: sound, a longer cache, searches by the provider. A model with any other price has none here. */
const UNUSED = new Set([
  'cache_audio_read_mtok',
  'cache_write_1h_mtok',
  'input_audio_mtok',
  'storage_searches_kcount',
  'web_searches_kcount',
])

/** Names that the provider does not serve at its host in src/prices/providers.ts. Some stand in the package for other addresses. */
const SERVED = { google: /^gem(?:ini|ma)-/, openrouter: /^[\w~-]+\//, openai: /^(?!ft:)/ }
/** These search by themselves, and a search has a price that is in no usage. */
const SEARCHES = /[-/]search|sonar|deep-research/

/** The forms of a date at the end of a snapshot's name. If the package prices two such days as the model, a rule of it covers all days. */
const SNAPSHOTS = { c: ['-20260719', '-20991231'], d: ['-2026-07-19', '-2099-12-31'] }

/** The text of the table: JSON, as `Table` of src/prices/price-table.ts describes it. */
async function tableText() {
  const { calcPrice, waitForUpdate } = await import(PACKAGE)
  const all = await waitForUpdate()
  const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules', PACKAGE, 'package.json'), 'utf8'))
  const providers = PROVIDERS.map((id) => {
    const modelNamed = (name) => calcPrice({}, name, { providerId: id })?.model
    const { models } = all.find((provider) => provider.id === id)
    const isServed = (name) => !SEARCHES.test(name) && (SERVED[id]?.test(name) ?? true)
    return [id, models.flatMap((model) => rowOf(model, (name) => isServed(name) && modelNamed(name) === model))]
  })
  return JSON.stringify({ version: `genai-prices@${version}`, providers: Object.fromEntries(providers) })
}

/** The names and prices of a model. Empty: a usage does not tell what it costs. */
function rowOf(model, isName) {
  const names = namesOf(model, isName)
  const dated = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }]
  const is_free = names.every((name) => name.endsWith(':free'))
  const prices = dated.map(({ constraint, prices }) => priceOf(whenOf(constraint), prices, is_free))
  return names.length === 0 || prices.includes(null) ? [] : [[names.map(withSnapshots(isName)).join(' '), ...prices]]
}

/** The names that the rules of a model spell out, as far as the package finds this model by them. */
function namesOf({ id, match }, isName) {
  const spelled = new Set([id, ...literalsOf(match)].map((name) => name.toLowerCase()))
  return [...spelled].filter((name) => /^\S*[a-z0-9]$/.test(name) && isName(name)).toSorted()
}

/** `name#cd` is a model with snapshots of both forms. */
const withSnapshots = (isName) => (name) => {
  const forms = Object.entries(SNAPSHOTS).filter(([, days]) => days.every((day) => isName(`${name}${day}`)))
  return forms.length === 0 ? name : `${name}#${forms.map(([form]) => form).join('')}`
}

const literalsOf = (rule) =>
  Object.entries(rule).flatMap(([kind, value]) =>
    Array.isArray(value) ? value.flatMap(literalsOf) : kind === 'regex' ? [] : [value],
  )

/** null: always. A date: from then on. Two numbers: daily, in seconds of the day in UTC. */
function whenOf(constraint) {
  if (constraint === undefined) return null
  return constraint.start_date ?? [secondsOf(constraint.start_time), secondsOf(constraint.end_time)]
}

function secondsOf(time) {
  const [, hours, minutes, seconds] = /^(\d\d):(\d\d):(\d\d)Z$/.exec(time).map(Number)
  return hours * 3600 + minutes * 60 + seconds
}

/** A price as `[when, rates, ...tiers]`. null: it is not known, or it depends on what a usage does not tell. */
function priceOf(when, prices, is_free) {
  const keys = Object.keys(prices)
  if (keys.length === 0) return is_free ? [when, [0, 0]] : null
  if (prices.input_mtok === undefined || prices.output_mtok === undefined) return null
  if (keys.some((key) => !KINDS.includes(key) && !UNUSED.has(key))) return null
  const starts = KINDS.flatMap((key) => prices[key]?.tiers ?? []).map(({ start }) => start)
  const tiers = [...new Set(starts)].toSorted((a, b) => a - b)
  return [when, ratesAt(prices, -1), ...tiers.map((start) => [start, ratesAt(prices, start)])]
}

/** The rates of calls whose input is longer than `start`, up to the next tier. */
function ratesAt(prices, start) {
  const rates = KINDS.map((key) => {
    const price = prices[key]
    const tier = price?.tiers?.filter((one) => one.start <= start).toSorted((a, b) => b.start - a.start)[0]
    return price === undefined ? null : microDollars(tier?.price ?? price.base ?? price)
  })
  while (rates.at(-1) === null) rates.pop()
  return rates
}

/** USD as whole micro-dollars. A price with more digits, such as a twelfth of a dollar, is rounded up. */
const microDollars = (usd) => Math.ceil(Number((usd * 1_000_000).toPrecision(12)))

/** The path of the table, made once from what it is made of. */
async function tablePath() {
  const maker = readFileSync(join(import.meta.dirname, 'price-table.mjs'))
  const package_json = readFileSync(join(ROOT, 'node_modules', PACKAGE, 'package.json'))
  const digest = createHash('sha256').update(maker).update(package_json).digest('hex')
  const path = join(MADE, `prices-${digest.slice(0, 16)}.txt`)
  if (existsSync(path)) return path
  mkdirSync(MADE, { recursive: true })
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, await tableText())
  renameSync(unfinished, path)
  return path
}

export const esbuildPlugin = {
  name: 'price-table',
  setup(build) {
    build.onResolve({ filter: /^prices:table$/ }, async () => ({ path: await tablePath(), namespace: 'file' }))
    // A file of its own beside the bundle. workerd keeps it as text and parses nothing.
    build.onLoad({ filter: /[\\/]prices-[0-9a-f]+\.txt$/ }, ({ path }) => ({
      contents: readFileSync(path),
      loader: 'copy',
    }))
  },
}

export const vitePlugin = () => ({
  name: 'price-table',
  enforce: 'pre',
  resolveId: (id) => (id === 'prices:table' ? '\0prices:table' : null),
  load: async (id) =>
    id === '\0prices:table' ? `export default ${JSON.stringify(readFileSync(await tablePath(), 'utf8'))}` : null,
})

/** What callers are told of the models: those that they may name, and the one that answers if they name none. */
import * as z from 'zod'
import { ReplyForm, WireName } from '../terms/effect.ts'

/** `built_in` are the rules of the service itself, which ask no endpoint. */
const Wire = z.enum([...WireName.options, 'built_in'])

const usd = z.string().describe('USD per million tokens')
const rates = {
  input: usd,
  output: usd,
  cache_read: usd.optional(),
  cache_write: usd.optional(),
  image: usd.optional(),
  reasoning: usd.optional(),
}
const Tier = z.object({ above: z.int().min(0).describe('tokens of input'), ...rates })
const Prices = z.object({
  version: z.string().describe('of what is configured, or of the table of default prices; the journal names it too'),
  ...rates,
  tiers: z.array(Tier).optional().describe('what a whole call costs if its input is longer'),
})

export const AnsweringModel = z.object({
  endpoint: z.string().describe('the name of its endpoint; `default` where none has a name'),
  wire: Wire,
  model: z.string().describe('as its endpoint calls it'),
})
export type AnsweringModel = z.infer<typeof AnsweringModel>

export const ModelEntry = z.object({
  name: z.string().describe('as `settings.model` and `settings.models` take it'),
  ...AnsweringModel.shape,
  default: z.boolean().describe('whether it answers a task that names no model'),
  prices: Prices.nullable().describe('at present. null: not known, so that a task with a bound of money cannot use it'),
  fallback: z.array(z.string()).describe('what is asked in its place, in order, if it is unavailable'),
  learned: z
    .object({
      form: ReplyForm.describe('the reply form that it accepts'),
      refused: z.array(z.string()).describe('what it has refused, and is not sent any more'),
    })
    .nullable()
    .describe('what the isolate that answers has learnt from calls; null: it has made none'),
})
export type ModelEntry = z.infer<typeof ModelEntry>

/** The reply form that a model accepts, and what else it has refused (models/load-model.ts). */
export interface LearnedModel {
  endpoint: string
  model: string
  form: ReplyForm
  refused: string[]
}

export const ModelList = z.object({
  data: z.array(ModelEntry),
  any_name: z
    .boolean()
    .describe('whether a task may name any other model too, which the default endpoint is asked for'),
})
export type ModelList = z.infer<typeof ModelList>

/** The settings of a task: names, defaults and ranges (O0-01). A value outside its range is the caller's error. */
import * as z from 'zod'
import { USD } from './money.ts'

const whole = (min: number, max: number, preset: number) => z.int().min(min).max(max).default(preset)

export const Settings = z.strictObject({
  /** The step budget: thoughts, replans and actions (S0-26). */
  max_steps: whole(1, 10_000, 20),
  /** Tokens of all model calls together, input and output; null: not bounded. */
  max_tokens: z.int().min(1).max(1_000_000_000).nullable().default(null),
  /** USD as a decimal string; needs models with a known price (D5). */
  max_cost_usd: z
    .string()
    .regex(USD, 'must be a decimal string in USD with at most six places, such as "0.50"')
    .refine((usd) => !/^[0.]+$/.test(usd), 'must be more than 0')
    .nullable()
    .default(null),
  /** Working time: the durations of model and tool calls; waiting is free. */
  max_seconds: z.int().min(1).max(31_536_000).nullable().default(null),
  /** Further attempts of a plan call that gave no plan; free (R8). */
  plan_retries: whole(0, 10, 2),
  /** Failures in a row that end the task, and failed actions in a row after which an item may not act again (R10). */
  failure_limit: whole(1, 100, 2),
  max_clarifications: whole(0, 100, 6),
  /** Characters of one observation shown to the model (O0-14). */
  observation_char_limit: whole(50, 100_000, 10_000),
  /** Newest observations shown to the model (O0-14). */
  observation_history_limit: whole(1, 1_000, 100),
  cancel_phrase: z.string().trim().min(1).max(200).default('取消当前任务'),
  /** Whether "continue" on a spent budget grants the original amount again (ruling 14). */
  continue_grants: z.boolean().default(true),
  model: z.string().trim().min(1).max(200).nullable().default(null),
  /** Model by phase: plan, thought, replan. */
  models: z
    .strictObject({
      plan: z.string().trim().min(1).max(200).optional(),
      thought: z.string().trim().min(1).max(200).optional(),
      replan: z.string().trim().min(1).max(200).optional(),
    })
    .default({}),
  temperature: z.number().min(0).max(2).default(0),
  model_timeout_s: whole(1, 600, 60),
  max_output_tokens: whole(64, 131_072, 4_096),
  /** Seconds an open question waits for its answer, and what then becomes of the task. */
  question_ttl_s: whole(1, 31_536_000, 604_800),
  on_question_expired: z.enum(['pause', 'fail']).default('pause'),
  search_top_k: whole(1, 10, 3),
  /** Days a schedule list or view may span. */
  schedule_window_days: whole(1, 366, 31),
  /** Days for which an infinite repetition is tested for conflicts. */
  conflict_preview_days: whole(1, 366, 31),
})
export type Settings = z.infer<typeof Settings>
export const DEFAULT_SETTINGS: Settings = Settings.parse({})

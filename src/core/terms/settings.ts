/** The settings of a task: names, defaults and ranges (O0-01). A value outside its range is a mistake of the caller. */
import * as z from 'zod'
import { FILE_NAME } from './files/files.ts'
import { USD } from './money.ts'
import { isResourceName, RESOURCE_NAME_PATTERN, RESOURCE_NAME_RULE } from './values/resource-name.ts'

/** The phase of the closing call, which every mode has (U54). */
export const RESULT_PHASE = 'result'

/** The phases of model calls. Each phase may have a model of its own. */
const MODEL_PHASES = [
  'plan',
  'thought',
  'replan',
  'turn',
  'think',
  'step_decision',
  'action',
  'evaluate',
  'summary',
  RESULT_PHASE,
] as const
export type ModelPhase = (typeof MODEL_PHASES)[number]
const ModelName = z.string().trim().min(1).max(200)
// The cast holds because fromEntries() loses the types of the names.
const modelByPhase = Object.fromEntries(MODEL_PHASES.map((phase) => [phase, ModelName.optional()])) as Record<
  ModelPhase,
  z.ZodOptional<typeof ModelName>
>

/** How much a model thinks before it replies. Each endpoint has its own word for it. */
export const ReasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high'])
export type ReasoningEffort = z.infer<typeof ReasoningEffort>

const Temperature = z.number().min(0).max(2)
const OutputCap = z.int().min(64).max(131_072)

/** How the model is called in one phase, if not as in the others. */
const CallSettings = z.strictObject({
  temperature: Temperature.optional(),
  reasoning_effort: ReasoningEffort.optional(),
  max_output_tokens: OutputCap.optional(),
})
const whole = (min: number, max: number, preset: number) => z.int().min(min).max(max).default(preset)

const Dollars = z
  .string()
  .regex(USD, 'must be a decimal string in USD with at most six places, such as "0.50"')
  .refine((usd) => !/^[0.]+$/.test(usd), 'must be more than 0')

/** Names of tools with `*` for any signs, the method by which a tool is called, or what its source says of it. */
const TOOL_PATTERN = /^(?:http:(?:\*|[A-Z]{3,7})|hint:(?:destructive|acts)|[A-Za-z0-9_.*-]{1,80})$/
const ToolPatterns = z
  .array(
    z
      .string()
      .refine(
        (pattern) => TOOL_PATTERN.test(pattern),
        'must be a name of a tool, with * for any signs, such as tickets.*; or http:POST, http:*, hint:destructive, hint:acts',
      )
      .meta({ pattern: TOOL_PATTERN.source }),
  )
  .min(1)
  .max(50)

/** A week. No claim lasts longer than this beyond the dispatch of its command. */
export const REPORT_TIMEOUT_S_MAX = 604_800

export const Settings = z.strictObject({
  /** The step budget: thoughts, replans and actions (S0-26). In `dynamic` it counts the actions of all steps. */
  max_steps: whole(1, 10_000, 20),
  /** Model turns of `autonomous`, and of `session` for each run and each "continue". */
  max_iterations: whole(1, 10_000, 20),
  /** Tokens of all model calls together, input and output. null: there is no bound. */
  max_tokens: z.int().min(1).max(1_000_000_000).nullable().default(null),
  /** USD as a decimal string. It needs models with a known price (D5). */
  max_cost_usd: Dollars.nullable().default(null),
  /** Working time: the durations of model and tool calls. Waiting is free. */
  max_seconds: z.int().min(1).max(31_536_000).nullable().default(null),
  /** Further attempts after a plan call that gave no plan. They cost no steps (R8). */
  plan_retries: whole(0, 10, 2),
  /** Whether a reply has to be one JSON object and nothing else (O0-04). Otherwise the object that is meant is read out of it. */
  strict_replies: z.boolean().default(false),
  /** `few`: fewer model calls. Tools are called natively, a thought may end its item, and an unchanged plan is not made again. */
  calls: z.enum(['exact', 'few']).default('exact'),
  /** Failures in a row that end the task, and failed actions in a row after which an item may not act again (R10). */
  failure_limit: whole(1, 100, 2),
  max_clarifications: whole(0, 100, 6),
  /** Characters of one observation shown to the model (O0-14). */
  observation_char_limit: whole(50, 100_000, 10_000),
  /** How many of the newest observations the model is shown (O0-14). */
  observation_history_limit: whole(1, 1_000, 100),
  cancel_phrase: z.string().trim().min(1).max(200).default('取消当前任务'),
  /** Whether "continue" on a spent budget grants the original amount again (U14). */
  continue_grants: z.boolean().default(true),
  model: ModelName.nullable().default(null),
  models: z.strictObject(modelByPhase).default({}),
  temperature: Temperature.default(0),
  /** null: as the endpoint has it. Reasoning is part of the reply, so `max_output_tokens` bounds both together. */
  reasoning_effort: ReasoningEffort.nullable().default(null),
  /** Temperature, effort and output cap of some phases. */
  phases: z.partialRecord(z.enum(MODEL_PHASES), CallSettings).default({}),
  model_timeout_s: whole(1, 600, 60),
  /** Seconds between two parts of a reply that an endpoint streams. Before the first part only `model_timeout_s` counts. */
  model_silence_s: whole(1, 600, 60),
  max_output_tokens: OutputCap.default(4_096),
  /** Seconds that an open question waits for its answer. `on_question_expired` says what happens after them. */
  question_ttl_s: whole(1, 31_536_000, 604_800),
  on_question_expired: z.enum(['pause', 'fail']).default('pause'),
  /** What a person has to approve before the task acts: the first plan, each action, or the calls of some tools (U15). */
  approve: z.union([z.enum(['none', 'plan', 'actions']), z.strictObject({ tools: ToolPatterns })]).default('none'),
  /** `session`: the task goes on without "continue" up to five times `max_iterations`, and then fails. */
  auto_continue: z.boolean().default(false),
  /** `autonomous`: whether the model chooses its next step, or the program leads it stage by stage (S1-63). */
  agent_mode: z.enum(['autonomous', 'staged']).default('autonomous'),
  /** `autonomous`: the name of the file to analyse. null: the files that the task has. */
  dataset: z
    .string()
    .regex(FILE_NAME, 'must be the name of a file: 1 to 128 letters, digits, ".", "_" or "-"')
    .nullable()
    .default(null),
  /** `autonomous`, `session`: a conversation of more estimated tokens loses its oldest rounds in the prompt. */
  transcript_token_limit: whole(1_000, 1_000_000, 32_000),
  /** `session`: a step that reads is over when the first write begins (S4-26). */
  tool_boundary_hint: z.boolean().default(false),
  /** `session`: a step with many parts may take more than five rounds before it counts as done (S4-27). */
  fallback_by_step_size: z.boolean().default(false),
  /** `session`: the steps of a goal that contains one of the words, if the model declares none (S4-29). */
  plan_templates: z
    .array(
      z.strictObject({
        words: z.array(z.string().trim().min(1).max(100)).min(1).max(20),
        steps: z.array(z.string().trim().min(1).max(500)).min(1).max(50),
      }),
    )
    .max(20)
    .default([]),
  /** `dynamic`: the number of actions after which a step fails. */
  max_actions_per_step: whole(1, 1_000, 10),
  /** `dynamic`: how often the same actions may come in a row. Then they lead to a warning, a refusal and the step's end. */
  repeat_action_limit: whole(1, 100, 3),
  /** `dynamic`: seconds of working time that a step may take. */
  step_timeout_s: whole(1, 604_800, 600),
  /** `dynamic`: how many decisions may change the plan. */
  max_adjustments: whole(0, 1_000, 10),
  /** `dynamic`: whether decisions may add and remove steps. */
  dynamic_planning: z.boolean().default(true),
  /** `dynamic`: one model call in place of think, decision and action. */
  merged_calls: z.boolean().default(false),
  /** `orchestrator`: seconds that the task waits for the report of a command (S2-18). A live claim extends it. */
  report_timeout_s: whole(1, REPORT_TIMEOUT_S_MAX, 3_600),
  /** `orchestrator`: the pool of workers that its commands are for. null: the default pool. */
  worker_pool: z
    .string()
    .refine(isResourceName, `must be ${RESOURCE_NAME_RULE}`)
    .meta({ pattern: RESOURCE_NAME_PATTERN })
    .nullable()
    .default(null),
  /** `orchestrator`: further attempts at a failed step before a person is asked (S2-15). */
  max_retries_per_step: whole(0, 20, 3),
  /** `orchestrator`: how often the evaluator may replace the remaining steps (R17). */
  max_replans: whole(0, 100, 10),
  /** `orchestrator`: what each command may spend of the task's budget. null: a command names no amount. */
  command_budget: z
    .strictObject({
      tokens: z.int().min(1).max(1_000_000_000).optional(),
      cost_usd: Dollars.optional(),
      seconds: z.int().min(1).max(31_536_000).optional(),
    })
    .refine((amounts) => Object.keys(amounts).length > 0, {
      error: 'must name at least one of tokens, cost_usd, seconds',
      // A misspelt axis has its own message. Without this the caller would also be told that an axis is missing.
      when: ({ issues }) => issues.length === 0,
    })
    .nullable()
    .default(null),
  /** How many results of a web search are asked for and shown (U48). */
  search_top_k: whole(1, 10, 3),
  /** Whether `fetch_url` keeps to robots.txt. */
  respect_robots: z.boolean().default(true),
  /** Days that a schedule list or view may span. */
  schedule_window_days: whole(1, 366, 31),
  /** Days for which an infinite recurrence is tested for conflicts. */
  conflict_preview_days: whole(1, 366, 31),
})
export type Settings = z.infer<typeof Settings>

/** The settings that only some modes heed. A mode publishes its own, and every mode heeds all others. */
export const MODE_SETTINGS = [
  'max_steps',
  'max_iterations',
  'plan_retries',
  'calls',
  'observation_history_limit',
  'auto_continue',
  'agent_mode',
  'transcript_token_limit',
  'tool_boundary_hint',
  'fallback_by_step_size',
  'plan_templates',
  'max_actions_per_step',
  'repeat_action_limit',
  'step_timeout_s',
  'max_adjustments',
  'dynamic_planning',
  'merged_calls',
  'worker_pool',
  'max_retries_per_step',
  'max_replans',
  'command_budget',
] as const satisfies readonly (keyof Settings)[]
export type ModeSetting = (typeof MODE_SETTINGS)[number]

export const DEFAULT_SETTINGS: Settings = Settings.parse({})

/** How the model is called in a phase. */
export function callSettings(
  { temperature, reasoning_effort, max_output_tokens, phases }: Settings,
  phase: string,
): Pick<Settings, 'temperature' | 'reasoning_effort' | 'max_output_tokens'> {
  const by_phase: Partial<Record<string, z.infer<typeof CallSettings>>> = phases
  const own = by_phase[phase] ?? {}
  return {
    temperature: own.temperature ?? temperature,
    reasoning_effort: own.reasoning_effort ?? reasoning_effort,
    max_output_tokens: own.max_output_tokens ?? max_output_tokens,
  }
}

/** The output cap of the phase that has the highest one. */
export const highestOutputCap = ({
  max_output_tokens,
  phases,
}: Pick<Settings, 'max_output_tokens' | 'phases'>): number =>
  Math.max(max_output_tokens, ...Object.values(phases).map((own) => own?.max_output_tokens ?? 0))

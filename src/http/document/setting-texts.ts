/** What each setting does, and its default. Only the document and the tests import this. */
import { modeOf } from '../../core/modes/index.ts'
import { MODE_NAMES } from '../../core/terms/mode-names.ts'
import { Settings } from '../../core/terms/settings.ts'

const MEANINGS: Record<keyof Settings, string> = {
  max_steps: 'the step budget: thoughts, replans and actions; in `dynamic` actions, in `orchestrator` commands',
  max_iterations: 'turns of the model in `autonomous`, and in each run of a `session`',
  max_tokens: 'tokens of all model calls together, input and output',
  max_cost_usd: 'what all model calls may cost, in USD, such as "0.50"; the models need a known price',
  max_seconds: 'seconds of working time: model and tool calls; waiting is free',
  strict_replies:
    'whether a reply of the model has to be one JSON object and nothing else; otherwise the object that is meant is read out of it',
  calls:
    '`few`: fewer model calls in `plan_execute` and `dynamic`: tools are called natively, a thought may end its item, an unchanged plan is not made again. The other modes have no calls to leave out',
  plan_retries: 'further attempts of a plan call that gave no plan; they are free',
  failure_limit:
    'failures in a row after which the task stops; after so many failed actions of an item it may not act again',
  max_clarifications: 'questions that may be put to a person',
  observation_char_limit: 'characters of one result that the model is shown',
  observation_history_limit: 'newest results that the model is shown',
  cancel_phrase: 'the input that cancels the task',
  continue_grants: 'whether "continue" on a spent budget grants the original amount again',
  model:
    'the model of all phases: a name of `GET /models`, of an endpoint or of a model at the default one; null: the configured one',
  models: 'a model of its own for some phases, named in the same way',
  temperature: 'how freely the model chooses its words',
  reasoning_effort:
    'how much the model thinks before it replies; null: as the endpoint has it. Its thoughts count in `max_output_tokens`',
  phases: 'temperature, reasoning effort and output cap of some phases',
  model_timeout_s: 'seconds a model call may take',
  model_silence_s:
    'seconds between two parts of a reply that is streamed; before the first one only `model_timeout_s` counts',
  max_output_tokens: 'tokens of one reply of the model',
  question_ttl_s: 'seconds an open question waits for its answer',
  on_question_expired: 'what becomes of the task when a question was not answered in time',
  approve:
    'what a person approves before it is acted on: nothing, the plan, each action, or the calls of tools: names with `*` (`tickets.*`), `http:POST`, `http:*`, `hint:destructive`, `hint:acts`',
  auto_continue: '`session`: whether it goes on by itself to five times `max_iterations`, and then fails',
  agent_mode: '`autonomous`: whether the model leads itself, or the program leads it stage by stage',
  dataset:
    '`autonomous`: the name of the file it is about; null: the only table there is, or what the goal says; `dynamic` and `session` ask for it when it is missing',
  transcript_token_limit: '`autonomous`, `session`: estimated tokens of the conversation that the model is shown',
  tool_boundary_hint: '`session`: whether a step that has only read is over when writing begins',
  fallback_by_step_size:
    '`session`: whether a step of many parts may take more rounds than five before it counts as done',
  plan_templates: '`session`: steps for goals that contain one of the words, where the model declares none',
  max_actions_per_step: '`dynamic`: actions of one step, after which it fails',
  repeat_action_limit:
    '`dynamic`: times the same action may come in a row; then it is warned of, refused, and ends the step',
  step_timeout_s: '`dynamic`: seconds of working time a step may take',
  max_adjustments: '`dynamic`: decisions that may change the plan',
  dynamic_planning: '`dynamic`: whether decisions may add and remove steps',
  merged_calls: '`dynamic`: whether one model call takes the place of think, decision and action',
  report_timeout_s:
    '`orchestrator`: seconds the report of a command is waited for; a claim that lasts longer extends it',
  worker_pool: '`orchestrator`: the pool of workers that its commands are for; null: the default pool',
  max_retries_per_step: '`orchestrator`: further attempts at a step that failed, before a person is asked',
  max_replans: '`orchestrator`: how often the steps that are left may be replaced; then a person is asked',
  command_budget: '`orchestrator`: what each command may spend of the budget; null: nothing is said of it',
  search_top_k: 'results of a search that the model is shown',
  respect_robots: 'whether fetch_url keeps to robots.txt',
  schedule_window_days: 'days a schedule list or view may span',
  conflict_preview_days: 'days for which an endless repetition is tested for conflicts',
}

/** The default, and those of modes that have their own: `20, in session 200`. */
function defaultOf(name: keyof Settings): string {
  const usual = JSON.stringify(Settings.shape[name].parse(undefined))
  const own = MODE_NAMES.flatMap((mode) => {
    const value = modeOf(mode).presets[name]
    return value === undefined ? [] : [`in ${mode} ${JSON.stringify(value)}`]
  })
  return [usual, ...own].join(', ')
}

/** By the name of the setting: what it does, then its default. */
export const SETTING_TEXTS: ReadonlyMap<string, string> = new Map(
  Settings.keyof().options.map((name) => [
    name,
    `${MEANINGS[name]}; default ${defaultOf(name)}, unless configured otherwise`,
  ]),
)

/** The task that a create describes, and what in the configuration forbids it. */
import { idlePatterns } from '../../../core/engine/approval.ts'
import { modelsWithoutPrice } from '../../../core/engine/budgetable.ts'
import { fallbacksFor } from '../../../core/engine/model-choice.ts'
import { modelErrors, withAllowedDefaults } from '../../../core/engine/model-rules.ts'
import { modeOf } from '../../../core/modes/index.ts'
import { SCHEMA_VERSION } from '../../../core/terms/head.ts'
import { guessLocale } from '../../../core/terms/locale.ts'
import { nameHint } from '../../../core/terms/values/known-names.ts'
import { readAgentRef } from '../../../core/workspace/agents/agent.ts'
import type { Caller, NewTask } from '../../../shell/caller.ts'
import type { Ports } from '../../endpoint.ts'
import { addressesIn, addressRefusal } from '../../gate/callback-address.ts'
import { configFor, type CallerConfig } from '../../gate/caller-config.ts'
import { secretRefusal } from '../../gate/named-secrets.ts'
import { ERRORS_MAX } from '../../gate/text-safety.ts'
import { refuse, type HttpRefusal, type HttpResult } from '../../shapes/http-refusal.ts'
import { effectiveSettings, TASK_DEFAULTS, type SentTask, type WholeTask } from '../../shapes/task-requests.ts'
import { clientToolsOf, toolSourcesOf, type NamedAddress } from '../../shapes/tools/entries.ts'

/** `request.url` begins with the origin of the links of the task, unless the service is configured with another. */
interface SentCreate<T = SentTask> {
  caller: Caller
  body: T
  request: { url: string }
}

/** The configuration within the limits of the caller. */
interface LimitedPorts {
  config: CallerConfig
}

/** The task that the caller describes, or why it may not be made. */
export async function admittedTask(
  ports: Pick<Ports, 'config' | 'service' | 'limits_of'>,
  { caller, body, request }: SentCreate,
): Promise<HttpResult<NewTask>> {
  const whole = await wholeTask(ports.service, caller, body)
  if (!whole.ok) return whole
  const limited = { ...ports, config: await configFor(ports, caller) }
  const task = newTaskOf(limited, { caller, body: whole.value, request })
  const refusal = await admissionRefusal(limited, { caller, body: whole.value }, task)
  return refusal === null ? { ok: true, value: task } : refuse(refusal)
}

/** The task with all that its agent says; a task without an agent as it is. */
export async function wholeTask(
  service: Ports['service'],
  caller: Caller,
  sent: SentTask,
): Promise<HttpResult<WholeTask>> {
  const { agent, ...given } = sent
  const ref = agent === undefined ? null : readAgentRef(agent)
  if (ref !== null) return (await import('./agent-task.ts')).agentTask(service, caller, ref, given)
  const { input: _none, goal = '', ...rest } = given
  // The schema has refused a task that has neither a goal nor an agent.
  return { ok: true, value: { ...rest, goal, made_by: {} } }
}

/** Why the task of a create may not be made. null: it may. */
export async function admissionRefusal(
  ports: LimitedPorts & Pick<Ports, 'service'>,
  { caller, body }: Pick<SentCreate<WholeTask>, 'caller' | 'body'>,
  task: NewTask,
): Promise<HttpRefusal | null> {
  return (
    configRefusal(ports, caller.tenant, task, addressesIn(body)) ??
    (await secretRefusal(ports.service, caller, body.tools ?? []))
  )
}

/** What the caller left out is filled in from the configuration. */
export function newTaskOf({ config }: LimitedPorts, { caller, body, request }: SentCreate<WholeTask>): NewTask {
  const {
    goal,
    mode = TASK_DEFAULTS.mode,
    instructions = null,
    output_schema = null,
    metadata = {},
    title,
    drive = TASK_DEFAULTS.drive,
    callback_url = null,
    idle_ttl_s = TASK_DEFAULTS.idle_ttl_s,
    made_by,
  } = body
  const { model_rules } = config
  const effective = effectiveSettings(mode, config.given_settings, body.settings)
  const sources = toolSourcesOf(body.tools ?? [])
  const tools = clientToolsOf(body.tools ?? [])
  const mayDestroy = sources.length > 0 || tools.some(({ destructive }) => destructive === true)
  const asks = mayDestroy && config.environment === 'production'
  const given = { ...config.given_settings, ...body.settings }
  const settings = {
    ...withAllowedDefaults(effective, body.settings ?? {}, model_rules, caller.tenant),
    // What is called destructive is asked about, unless somebody has said what is to be approved.
    ...(asks && given.approve === undefined ? { approve: { tools: ['hint:destructive'] } } : {}),
  }
  const shape = output_schema === null ? {} : { output_schema }
  return {
    goal,
    ...(instructions === null ? {} : { instructions }),
    ...shape,
    ...made_by,
    mode,
    settings,
    locale: body.locale ?? guessLocale(goal),
    timezone: body.timezone ?? config.timezone,
    metadata,
    ...(title === undefined ? {} : { title }),
    drive,
    callback_url,
    origin: config.public_url ?? new URL(request.url).origin,
    idle_ttl_s,
    made_in: SCHEMA_VERSION,
    tools,
    ...(sources.length === 0 ? {} : { sources }),
    code_language: config.code_runner === null ? 'javascript' : 'python',
    fallbacks: fallbacksFor({ mode, settings, ...shape }, model_rules, caller.tenant),
  }
}

/** null: nothing in the configuration forbids the task. */
function configRefusal(
  { config }: LimitedPorts,
  tenant: string,
  task: NewTask,
  addresses: readonly NamedAddress[],
): HttpRefusal | null {
  const { settings, tools, sources = [] } = task
  if (!config.model_configured) return { code: 'llm_not_configured' }
  const errors = modelErrors(settings, config.model_rules, tenant)
  if (errors.length > 0) return { code: 'validation_failed', errors }
  const models = modelsWithoutPrice(task, config.prices, config.is_money_bounded)
  if (models.length > 0) return { code: 'model_not_budgetable', models }
  if (tools.length + sources.length > 0 && !modeOf(task.mode).takes_tools) {
    const message = `tools are never called in mode ${task.mode}; leave them out`
    return { code: 'validation_failed', errors: [{ pointer: '/tools', message }] }
  }
  return idlePatternRefusal(task) ?? addressRefusal(config, tenant, addresses)
}

/** A pattern that fits no tool would let pass what somebody wanted to see first. */
function idlePatternRefusal({ mode, tools, settings, sources = [] }: NewTask): HttpRefusal | null {
  const names = [...new Set([...modeOf(mode).tools, ...tools.map(({ name }) => name)])]
  const source_names = sources.map(({ name }) => name)
  const { approve } = settings
  const errors = idlePatterns(approve, names, source_names).map((pattern) => {
    const message = `settings.approve.tools has "${pattern}", which fits no tool of this task${nameHint(pattern, [...names, ...source_names])}`
    return { pointer: '/settings/approve/tools', message }
  })
  return errors.length === 0 ? null : { code: 'validation_failed', errors: errors.slice(0, ERRORS_MAX) }
}

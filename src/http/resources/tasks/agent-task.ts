/** The task that an agent makes: what the agent says, what its caller says otherwise, and the goal with the input (U58). */
import { guessLocale } from '../../../core/terms/locale.ts'
import { nameHint } from '../../../core/terms/values/known-names.ts'
import { readOutputSchema } from '../../../core/terms/schema/output-schema.ts'
import { filledGoal, FILLED_GOAL_MAX, type GoalProblem } from '../../../core/workspace/agents/agent-goal.ts'
import type { AgentRef } from '../../../core/workspace/agents/agent.ts'
import type { Caller } from '../../../shell/caller.ts'
import type { Ports } from '../../endpoint.ts'
import { ERRORS_MAX } from '../../gate/text-safety.ts'
import { pointerToken } from '../../shapes/pointers.ts'
import { refuse, type FieldError, type HttpResult } from '../../shapes/http-refusal.ts'
import { Metadata, PutAgent, type SentTask, type WholeTask } from '../../shapes/task-requests.ts'

const refuseField = (pointer: string, message: string) =>
  refuse({ code: 'validation_failed', errors: [{ pointer, message }] })

/** The whole task, or why the agent cannot make it. */
export async function agentTask(
  service: Ports['service'],
  caller: Caller,
  ref: AgentRef,
  { goal: own_goal, input, ...given }: Omit<SentTask, 'agent'>,
): Promise<HttpResult<WholeTask>> {
  const found = await service.getAgent(caller, ref)
  if (!found.ok) return found
  const { name, version, definition } = found.value
  // A definition of an earlier release may have members that are read otherwise by now, and would then say so.
  const read = PutAgent.safeParse(definition)
  if (!read.success)
    return refuseField('/agent', `agent ${name}@${version} has a definition that is not valid any more: put it again`)
  const { description: _, input_schema, goal: agent_goal, ...parts } = read.data
  const mismatch = await mismatchOf(service, input_schema ?? null, input)
  if (mismatch !== null) return refuse({ code: 'validation_failed', errors: [mismatch] })
  const goal = own_goal ?? agent_goal ?? null
  if (goal === null && input === undefined)
    return refuseField('/input', `input is required, because agent ${name}@${version} has no goal; or send a goal`)
  const locale = given.locale ?? parts.locale ?? guessLocale(goal ?? parts.instructions ?? JSON.stringify(input))
  const filled = filledGoal({ goal, is_template: own_goal === undefined, input: input ?? null, locale })
  if (!filled.ok) return refuse({ code: 'validation_failed', errors: goalErrors(filled.problem, input ?? {}) })
  const metadata = Metadata.safeParse({ ...parts.metadata, ...given.metadata })
  if (!metadata.success)
    return refuseField(
      '/metadata',
      `metadata, with that of the agent, ${metadata.error.issues[0]?.message ?? 'is too much'}`,
    )
  const settings = { ...parts.settings, ...given.settings }
  const body = { ...parts, ...given, goal: filled.goal, locale, settings, metadata: metadata.data }
  const made_by = { agent: { name, version }, ...(input === undefined ? {} : { input }) }
  return { ok: true, value: { ...body, made_by } }
}

/** What is wrong with an input that does not fill the goal. */
function goalErrors(problem: GoalProblem, input: Record<string, unknown>): FieldError[] {
  switch (problem.kind) {
    case 'missing':
      return problem.needed.slice(0, ERRORS_MAX).map((member) => missingMember(member, input))
    case 'too_long': {
      const message = `input makes a goal of ${problem.chars} characters; it may have at most ${FILLED_GOAL_MAX}`
      return [{ pointer: '/input', message }]
    }
    case 'empty':
      return [{ pointer: '/input', message: 'input leaves the goal empty' }]
  }
}

function missingMember(member: string, input: Record<string, unknown>): FieldError {
  const message = `input.${member} is required, because the goal of the agent has {{${member}}}${nameHint(member, Object.keys(input))}`
  return { pointer: `/input${pointerToken(member)}`, message }
}

/** What is wrong with an input, by the schema of the agent. */
async function mismatchOf(
  service: Pick<Ports['service'], 'inputMismatch'>,
  schema: Record<string, unknown> | null,
  input: Record<string, unknown> | undefined,
): Promise<FieldError | null> {
  if (schema === null) return null
  const applied = readOutputSchema(schema)
  // The schema was checked when the agent was put.
  const mismatch = applied.ok ? await service.inputMismatch(applied.schema, input ?? {}) : null
  if (mismatch === null) return null
  const [, at = '', told = mismatch] = /^(\/[^:]{0,300}): (.*)$/s.exec(mismatch) ?? []
  const [, missing] = REQUIRED.exec(told) ?? []
  const place = missing === undefined ? at : `${at}${pointerToken(missing)}`
  const named = ['input', ...place.split('/').slice(1)].join('.')
  const message =
    missing === undefined ? `does not fit the input_schema of the agent: ${plainWords(told)}` : 'is required'
  return { pointer: `/input${place}`, message: `${named} ${message}` }
}

/** What the validator says of a member that is not there, and of one that is not allowed. */
const REQUIRED = /^Instance does not have required property "([^"]{1,200})"/
const plainWords = (text: string): string =>
  text === 'False boolean schema.' ? 'no such member is allowed' : text.replace(/\.$/, '')

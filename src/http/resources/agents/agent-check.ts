/** Checks an agent that is put, as a task that it would make now. */
import type * as z from 'zod'
import { readOutputSchema } from '../../../core/terms/schema/output-schema.ts'
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { unknownPlaceholder } from '../../../core/workspace/agents/agent-goal.ts'
import type { Caller } from '../../../shell/caller.ts'
import type { Ports } from '../../endpoint.ts'
import { configFor } from '../../gate/caller-config.ts'
import type { HttpRefusal } from '../../shapes/http-refusal.ts'
import type { PutAgent } from '../../shapes/task-requests.ts'
import { admissionRefusal, newTaskOf } from '../tasks/new-task.ts'

type Definition = z.output<typeof PutAgent>

/** null: nothing is wrong with it. */
export async function definitionRefusal(
  ports: Pick<Ports, 'config' | 'service' | 'limits_of'>,
  caller: Caller,
  name: string,
  definition: Definition,
): Promise<HttpRefusal | null> {
  const { description: _, input_schema, goal = name, ...parts } = definition
  // Goal, origin and input of a task decide about no refusal, so a task that nobody makes is checked in their place.
  const body = { ...parts, goal, made_by: {} }
  const limited = { ...ports, config: await configFor(ports, caller) }
  const task = newTaskOf(limited, { caller, body, request: { url: 'https://agent.invalid' } })
  return goalRefusal(definition.goal, input_schema ?? null) ?? (await admissionRefusal(limited, { caller, body }, task))
}

/** A placeholder that the schema does not know would refuse every input, or hold a typing error. */
function goalRefusal(goal: string | undefined, schema: Record<string, unknown> | null): HttpRefusal | null {
  if (goal === undefined || schema === null) return null
  const applied = readOutputSchema(schema)
  const { properties, additionalProperties = true } = applied.ok ? applied.schema : {}
  const members = isRecord(properties) ? Object.keys(properties) : []
  const unknown = unknownPlaceholder(goal, members)
  if (unknown === null || (additionalProperties !== false && unknown.known === null)) return null
  const end = unknown.known === null ? ', which input_schema does not have' : `; did you mean {{${unknown.known}}}?`
  return { code: 'validation_failed', errors: [{ pointer: '/goal', message: `goal has {{${unknown.given}}}${end}` }] }
}

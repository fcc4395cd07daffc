/** The bodies that describe a task: of a create, of a schedule, and of an agent, by which tasks are made (U58). */
import * as z from 'zod'
import { IDLE_TTL_S, type Brief } from '../../core/terms/effect.ts'
import { Locale } from '../../core/terms/locale.ts'
import { modeOf } from '../../core/modes/index.ts'
import { MODE_NAMES, type ModeName } from '../../core/terms/mode-names.ts'
import { readOutputSchema } from '../../core/terms/schema/output-schema.ts'
import { Settings } from '../../core/terms/settings.ts'
import { Drive } from '../../core/terms/status.ts'
import { INPUT_BYTES_MAX, isAgentRef } from '../../core/workspace/agents/agent.ts'
import { RESOURCE_NAME_RULE } from '../../core/terms/values/resource-name.ts'
import { ADDRESS_CHARS_MAX } from '../../shell/network/address.ts'
import { nonBlankText, textUpTo, TimeZone } from './fields.ts'
import { Tools } from './tools/entries.ts'

const GOAL_MAX = 8_000
const INSTRUCTIONS_MAX = 16_000
export const METADATA_KEYS_MAX = 16
const METADATA_BYTES_MAX = 4_096

export const rounds = z.int().min(0).max(50).default(1).describe('rounds of the slice at most; 0 only plans')
export const max_ms = z.int().min(100).max(120_000).default(25_000).describe('no round begins after this time, in ms')

/** Every setting may be left out, so that the configuration fills it in. `Settings` would fill in its own defaults. */
const settings = Object.entries(Settings.shape).map(([name, schema]) => [name, schema.unwrap().optional()] as const)
export const SettingsInput = z.strictObject(Object.fromEntries(settings))

/** The settings of a new task: those of the caller over the configured ones, over the presets of the mode. */
export function effectiveSettings(
  mode: ModeName,
  configured: Partial<Settings>,
  given: Record<string, unknown> = {},
): Settings {
  return Settings.parse({ ...modeOf(mode).presets, ...configured, ...given })
}

export const METADATA_KEY = /^[A-Za-z0-9_.-]{1,64}$/
export const Metadata = z
  .record(z.string().regex(METADATA_KEY), textUpTo(512))
  .refine(
    (metadata) => Object.keys(metadata).length <= METADATA_KEYS_MAX,
    `must have at most ${METADATA_KEYS_MAX} keys`,
  )
  .refine((metadata) => bytesOf(metadata) <= METADATA_BYTES_MAX, `must have at most ${METADATA_BYTES_MAX} bytes in all`)
  .meta({ description: 'up to 16 labels of your own, 4 KB in all', maxProperties: METADATA_KEYS_MAX })

function bytesOf(metadata: Record<string, string>): number {
  return new TextEncoder().encode(Object.entries(metadata).flat().join('')).byteLength
}

/** An issue has the place of the word that is not taken. */
const ObjectSchema = z.record(z.string(), z.unknown()).superRefine((schema, issues) => {
  const read = readOutputSchema(schema)
  if (!read.ok) issues.addIssue({ code: 'custom', ...read.problem })
})

export const CallbackUrl = textUpTo(ADDRESS_CHARS_MAX)
const TASK_TITLE_MAX = 200
export const Title = nonBlankText(TASK_TITLE_MAX)

/** The defaults of a task. They are filled in late, because a member that the caller has left out is that of the agent. */
export const TASK_DEFAULTS = { mode: 'plan_execute', drive: 'manual', idle_ttl_s: IDLE_TTL_S } as const

const goal = nonBlankText(GOAL_MAX).describe('what is to be done, in English or Chinese')
const callback_url = CallbackUrl.optional().describe(
  'https, and a host that the internet knows; told of each change to input_required, waiting_external, paused, completed, failed, canceled (Standard Webhooks)',
)
/** How a task works. An agent has these members, and none of them may stand beside one. */
const workMembers = {
  mode: z.enum(MODE_NAMES).optional().describe(`default "${TASK_DEFAULTS.mode}"`),
  instructions: nonBlankText(INSTRUCTIONS_MAX)
    .nullable()
    .optional()
    .describe(
      'what the model has to keep to in every phase: role, language, tone, what to leave alone. It stands in the fixed part of each prompt, and changes nothing of how the mode works; null: none',
    ),
  output_schema: ObjectSchema.nullable()
    .optional()
    .describe(
      'JSON Schema of `result.data`, an object; at most 16 KB, references within it only. The task ends with one call that gives the data; null: the result is text',
    ),
  tools: Tools.optional(),
}
/** What a task is given besides. An agent may have these members too, and its caller may say otherwise. */
const ownMembers = {
  settings: SettingsInput.optional(),
  locale: Locale.optional().describe('language of prompts and texts; by the script of the goal when left out'),
  timezone: TimeZone.optional().describe('IANA zone in which dates of the goal are meant; default: TIMEZONE'),
  metadata: Metadata.optional(),
  title: Title.optional().describe('what you call the task; nothing is decided by it'),
  drive: Drive.optional().describe(
    `background: answered at once as \`queued\`, and the service works it off by itself; \`rounds\` is then ignored; default "${TASK_DEFAULTS.drive}"`,
  ),
  callback_url,
  idle_ttl_s: z
    .int()
    .min(60)
    .max(31_536_000)
    .optional()
    .describe(`seconds the task is kept after it has ended; default ${TASK_DEFAULTS.idle_ttl_s}`),
}
const beginning = {
  rounds,
  max_ms,
  hold: z
    .boolean()
    .default(false)
    .describe(
      'true: made and not begun; it takes files and remarks, and begins when it is resumed; `rounds` is then ignored',
    ),
}
/** A body nests no deeper than the gate allows. */
const hasInfinity = (value: unknown): boolean =>
  typeof value === 'number'
    ? !Number.isFinite(value)
    : typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity)
const agentInput = z
  .record(z.string(), z.unknown())
  .superRefine((input, issues) => {
    const bytes = new TextEncoder().encode(JSON.stringify(input)).byteLength
    const message = `must have at most ${INPUT_BYTES_MAX} bytes as JSON, not ${bytes}`
    if (bytes > INPUT_BYTES_MAX) issues.addIssue({ code: 'custom', message })
    // JSON knows no infinity: such a number would be stored as null.
    if (hasInfinity(input)) issues.addIssue({ code: 'custom', message: 'has a number that is too large' })
  })
  .optional()
  .describe(
    `what the agent works on, an object that is valid by its \`input_schema\`; at most ${INPUT_BYTES_MAX} bytes. It fills in the \`{{name}}\` of the agent's goal, and stands below the goal where it fills in nothing`,
  )
const agentGoal = goal.optional().describe('in place of the goal of the agent')

/** What is wrong with members that do not go together. */
interface Combined {
  goal?: string | undefined
  agent?: string | undefined
  input?: Record<string, unknown> | undefined
}
function checkCombination(body: Combined & { [Name in keyof typeof workMembers]?: unknown }, issues: z.RefinementCtx) {
  const { agent, goal: given, input } = body
  if (agent === undefined) {
    // As for any field that is missing.
    if (given === undefined) issues.addIssue({ code: 'invalid_type', expected: 'string', path: ['goal'], input: given })
    const message = 'belongs to an agent: name one as agent, or write it into goal'
    if (input !== undefined) issues.addIssue({ code: 'custom', path: ['input'], message })
    return
  }
  for (const name of Object.keys(workMembers))
    if (Object.hasOwn(body, name)) {
      const message = `is that of the agent ${agent}: leave it out, or put another version of the agent`
      issues.addIssue({ code: 'custom', path: [name], message })
    }
}

const agentMember = {
  agent: z
    .string()
    .superRefine((ref, issues) => {
      if (!isAgentRef(ref)) issues.addIssue({ code: 'custom', message: AGENT_REF_RULE })
    })
    .optional()
    .describe(
      'the agent by which the task is made, `name` for its newest version or `name@version`. The task keeps that version. `mode`, `instructions`, `tools` and `output_schema` are then those of the agent',
    ),
  input: agentInput,
}
const AGENT_REF_RULE = `must be the name of an agent (${RESOURCE_NAME_RULE}), maybe with @ and a version, such as support@3`

const taskMembers = {
  goal: goal.optional().describe('what is to be done, in English or Chinese. It is needed, unless `agent` has one'),
  ...workMembers,
  ...ownMembers,
  ...agentMember,
}
export const CreateTask = z.strictObject({ ...taskMembers, ...beginning }).superRefine(checkCombination)
/** The body of a create, without what its first slice may do. */
export type SentTask = Omit<z.output<typeof CreateTask>, keyof typeof beginning>
/** The same with all that its agent says, and with which agent has made it. */
export interface WholeTask extends Omit<SentTask, keyof typeof agentMember> {
  goal: string
  made_by: Pick<Brief, 'agent' | 'input'>
}
/** The task of a schedule. Its first slice has no request that could bound it, and a tick is what begins it. */
export const ScheduledTask = z
  .strictObject({
    ...taskMembers,
    drive: Drive.optional().describe(
      '`manual`: each task is planned, and then waits for requests; default "background"',
    ),
  })
  .superRefine(checkCombination)
/** The body of a task that is made by the agent of the path. */
export const CreateAgentTask = z.strictObject({ goal: agentGoal, input: agentInput, ...ownMembers, ...beginning })

const AGENT_TEXT_MAX = 1_000
export const PutAgent = z
  .strictObject({
    description: nonBlankText(AGENT_TEXT_MAX).optional().describe('for people: what it is for'),
    goal: nonBlankText(GOAL_MAX)
      .optional()
      .describe(
        'what each of its tasks is to do. `{{name}}` stands for the member `name` of the input; left out: to handle the input by the instructions',
      ),
    input_schema: ObjectSchema.nullable()
      .optional()
      .describe('JSON Schema of `input`, an object, with the words of `output_schema`; null: any object, or none'),
    ...workMembers,
    ...ownMembers,
  })
  .refine((agent) => Object.keys(agent).length > 0, {
    error: 'must have at least one member, such as goal or instructions',
    // A misspelt member is told as unknown.
    when: ({ issues }) => issues.length === 0,
  })
  .meta({ minProperties: 1 })

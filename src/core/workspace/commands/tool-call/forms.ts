/**
 * The tools by which models keep todos and events, and the members that each takes. They do what slash commands do. A model
 * fills in members instead of writing a command, so no text can be taken for an option.
 */
import { SPANS, VIEWS } from '../command.ts'
import { UNITS } from './values.ts'
import type { ValueName } from './values.ts'
import type { JsonSchema } from '../../../terms/schema/json-schema.ts'

export interface Member {
  /** Which value it gives, and so how it is read. */
  value: ValueName
  required: boolean
}
const needed = (value: ValueName): Member => ({ value, required: true })
const optional = (value: ValueName): Member => ({ value, required: false })

const TODO = { due: optional('due'), remind: optional('remind'), tag: optional('tag'), priority: optional('priority') }
const EVENT = { duration_minutes: optional('duration'), repeat: optional('repeat'), remind: optional('remind') }

const FORMS = {
  add_todo: { text: needed('text'), ...TODO },
  update_todo: { id: needed('id'), text: optional('text'), ...TODO },
  complete_todo: { id: needed('id') },
  delete_todo: { id: needed('id') },
  list_todos: { view: optional('view'), tag: optional('tag'), search: optional('search') },
  add_event: { title: needed('title'), start: needed('start'), ...EVENT },
  update_event: {
    id: needed('id'),
    title: optional('title'),
    start: optional('start'),
    ...EVENT,
    stop_repeat: optional('stop_repeat'),
  },
  delete_event: { id: needed('id') },
  list_events: { view: optional('span'), date: optional('date') },
}
export type CommandToolName = keyof typeof FORMS

/** The names of the tools, todos first. */
export const COMMAND_TOOL_NAMES = Object.keys(FORMS) as CommandToolName[] // keys of a literal

export const membersOf = (tool: CommandToolName): [name: string, member: Member][] => Object.entries(FORMS[tool])

/** The members in a text, such as `add_todo {text, due?}`. */
export const toolSyntax = (tool: CommandToolName): string =>
  `${tool} {${membersOf(tool)
    .map(([name, { required }]) => (required ? name : `${name}?`))
    .join(', ')}}`

/** Bare names are texts. */
const TYPES: Partial<Record<ValueName, string>> = {
  due: 'date-time',
  remind: 'date-time',
  start: 'date-time',
  date: 'date',
  id: 'number',
  priority: 'number',
  duration: 'number',
  view: VIEWS.join('|'),
  span: SPANS.join('|'),
  repeat: `{every: number, unit: ${UNITS.join('|')}, times?: number}`,
  stop_repeat: 'true',
}

/** The members with their types in short, for prompts that list tools as text. A schema would be four times as long. */
export const toolSignature = (tool: CommandToolName): string => {
  const parts = membersOf(tool).map(([name, { value, required }]) => {
    const type = TYPES[value]
    return `${name}${required ? '' : '?'}${type === undefined ? '' : `: ${type}`}`
  })
  return `{${parts.join(', ')}}`
}

const MOMENT = { type: 'string', description: 'YYYY-MM-DD HH:MM' }
const COUNT = { type: 'integer', minimum: 1 }
const TEXT = { type: 'string' }

const SCHEMAS: Record<ValueName, JsonSchema> = {
  text: TEXT,
  title: TEXT,
  search: TEXT,
  tag: TEXT,
  due: MOMENT,
  remind: MOMENT,
  start: MOMENT,
  date: { type: 'string', description: 'YYYY-MM-DD' },
  id: COUNT,
  priority: { type: 'integer', minimum: 0 },
  duration: COUNT,
  view: { type: 'string', enum: [...VIEWS] },
  span: { type: 'string', enum: [...SPANS] },
  repeat: {
    type: 'object',
    properties: { every: COUNT, unit: { type: 'string', enum: [...UNITS] }, times: { type: 'integer', minimum: 2 } },
    required: ['every', 'unit'],
    additionalProperties: false,
  },
  stop_repeat: { type: 'boolean' },
}

/** The JSON Schema of the members of a tool. */
export const toolParameters = (tool: CommandToolName): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(membersOf(tool).map(([name, { value }]) => [name, SCHEMAS[value]])),
  required: membersOf(tool).flatMap(([name, { required }]) => (required ? [name] : [])),
  additionalProperties: false,
})

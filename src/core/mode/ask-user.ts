/** The tool by which a model asks the user (ruling 37). No runner has it: the mode waits for the answer, which is its result. */
import * as z from 'zod'
import type { Locale } from '../terms/locale.ts'
import { isRecord } from '../terms/plain/is-record.ts'
import { Choices, requestedAnswerForm, ResponseSchema, type AnswerForm } from '../terms/schema/answer-form.ts'
import { isSameToolName, resolveToolName, type ClientTool } from '../terms/tools/client-tools.ts'
import type { JsonSchema } from '../terms/schema/json-schema.ts'
import { parseWellFormedJson } from './json-text.ts'
import { BUILT_IN_TOOLS, type ToolCard } from './tools.ts'

export const ASK_USER = 'ask_user'
/** Whether this proper name is that of the tool. What a model writes is resolved before (properToolName). */
export const asksUser = (tool: string): boolean => isSameToolName(tool, ASK_USER)

const ASK_USER_TEXT: Record<Locale, string> = {
  en: 'Asks the user for something that only the user knows; the result is the answer. One question at a time, and never again what was answered. choices: a few answers to choose from. response_schema: a JSON Schema of the answer, as text.',
  zh: '向用户询问只有用户知道的信息；结果为用户的回答。每次只问一个问题，已回答过的不得再问。choices：可供选择的几种答案。response_schema：答案的 JSON Schema，写成文字。',
}

const ASK_USER_PARAMETERS: JsonSchema = {
  type: 'object',
  properties: {
    question: { type: 'string' },
    choices: { type: 'array', items: { type: 'string' } },
    response_schema: { type: 'string' },
  },
  required: ['question'],
  additionalProperties: false,
}

const ASK_USER_CARD: ToolCard = {
  name: ASK_USER,
  idempotent: true,
  nature: 'reads',
  description: ASK_USER_TEXT,
  parameters: ASK_USER_PARAMETERS,
  text: null,
}

/** The tools of a task with the tool that asks the user. A tool of the client with its name takes its place. */
export const withAskUser = (cards: readonly ToolCard[]): readonly ToolCard[] =>
  cards.some(({ name }) => asksUser(name)) ? cards : [...cards, ASK_USER_CARD]

/** Whether a card is the one above. Asking ends no item, because the answer is what the item needs. */
export const isAskUserCard = (card: ToolCard): boolean => card === ASK_USER_CARD

type Named = Pick<ClientTool, 'name'>
/** By the tools of a client, what a model can mean beside them: a prompt resolves the name of each action that it shows. */
const known_names = new WeakMap<readonly ClientTool[], readonly Named[]>()

function namedTools(tools: readonly ClientTool[]): readonly Named[] {
  const known = known_names.get(tools)
  if (known !== undefined) return known
  const isReplaced = (card: ToolCard) => tools.some(({ name }) => isSameToolName(name, card.name))
  const named = [...tools, ...[...BUILT_IN_TOOLS, ASK_USER_CARD].filter((card) => !isReplaced(card))]
  known_names.set(tools, named)
  return named
}

/** The proper name of the tool that a model means. A tool of the client replaces a built-in tool with the same name. */
export const properToolName = (tools: readonly ClientTool[], given: string): string =>
  resolveToolName(namedTools(tools), given)

export interface UserQuestion extends AnswerForm {
  question: string
}
const Asked = z.object({
  question: z.string().trim().min(1).max(4_000),
  choices: Choices.nullable(),
  response_schema: ResponseSchema.nullable(),
})

/**
 * The question in the arguments of a call. A text that is no JSON is the question itself. A list of fewer than two choices is
 * none. `reason`: what is wrong, as text for the model.
 */
export function questionIn(args: string): { ok: true; value: UserQuestion } | { ok: false; reason: string } {
  const value = parseWellFormedJson(args)
  const members = isRecord(value) ? value : { question: typeof value === 'string' ? value : args }
  const asked = Asked.safeParse({
    question: members['question'] ?? members['text'],
    choices: choicesIn(members['choices']),
    response_schema: schemaIn(members['response_schema']),
  })
  if (!asked.success) {
    const issues = asked.error.issues.slice(0, 3).map(({ path, message }) => `${path.join('.')}: ${message}`)
    return { ok: false, reason: `${ASK_USER}: ${issues.join('; ')}` }
  }
  const { question, choices, response_schema } = asked.data
  const schema = choices === null ? response_schema : null
  return { ok: true, value: { question, ...requestedAnswerForm({ choices, response_schema: schema }) } }
}

function choicesIn(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? null
  const texts = value.map((one) => (typeof one === 'number' ? String(one) : typeof one === 'string' ? one.trim() : one))
  const choices = texts.filter((one) => one !== '')
  return choices.length < 2 ? null : choices
}

const schemaIn = (value: unknown): unknown =>
  value === undefined || value === '' ? null : isRecord(value) ? JSON.stringify(value) : value

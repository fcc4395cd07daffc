/** What a held call asks a person, the answer to it, and what observers are told of both. */
import type { Event, EventOf, Note, Recall } from '../../terms/effect.ts'
import type { Head } from '../../terms/head.ts'
import type { Locale } from '../../terms/locale.ts'
import { isRecord } from '../../terms/plain/is-record.ts'
import { ok, refuse, type Result } from '../../terms/refusal.ts'
import { normalizeAnswer, type AnswerForm, type SchemaValidator } from '../../terms/schema/answer-form.ts'
import { appliedSchema } from '../../terms/schema/tool-parameters.ts'
import { parseJson } from '../../terms/values/parse-json.ts'
import { briefOf, type Question } from '../../mode/mode.ts'
import { asksPerson } from './held-calls.ts'

const LOST: Record<Locale, { question: (tool: string) => string; choices: [string, string] }> = {
  en: {
    question: (tool) => `The worker was lost while ${tool} ran, so it may or may not have acted. Call it again?`,
    choices: ['repeat', 'skip'],
  },
  zh: {
    question: (tool) => `执行 ${tool} 时进程丢失，其操作可能已生效，也可能没有。是否重新调用？`,
    choices: ['重试', '跳过'],
  },
}
/** A person has to see that a tool asks, and which. Its text is the text of a server. */
const ASKS: Record<Locale, (tool: string, text: string) => string> = {
  en: (tool, text) => `${tool} asks: ${text}`,
  zh: (tool, text) => `${tool} 询问：${text}`,
}
const AGREES: Record<Locale, [string, string]> = { en: ['accept', 'decline'], zh: ['接受', '拒绝'] }
const DECLINING: ReadonlySet<string> = new Set(['decline', 'skip', '拒绝', '跳过'])

/** The question that a row asked for a tool. null: it asked none. */
export function questionOfTool(row: number, recall: Recall): Question | null {
  const fact = recall(row)
  const { locale } = briefOf(recall)
  const base = { row, request_id: `tool_${row}`, other_answers: false }
  if (fact.event.kind === 'tool_asked') {
    const { text, schema } = fact.event.question
    const tool = fact.effect?.kind === 'run_tool' ? fact.effect.tool : ''
    const question = ASKS[locale](tool, text)
    // It is shown as the server wrote it, with the titles of what there is to choose.
    return { ...base, question, choices: schema === null ? AGREES[locale] : null, response_schema: schema }
  }
  if (fact.event.kind !== 'outcome_unknown' || fact.effect?.kind !== 'run_tool') return null
  const { question, choices } = LOST[locale]
  return { ...base, question: question(fact.effect.tool), choices: [...choices], response_schema: null }
}

/** The question that a held call asks, even if the task is paused. null: it asks none. */
export const openToolQuestion = (head: Pick<Head, 'held' | 'end'>, recall: Recall): Question | null =>
  head.end === null && head.held !== null && asksPerson(head) ? questionOfTool(head.held.row, recall) : null

/** The event for a person's answer, or why it does not fit. A person may always decline. */
export function toolAnswer(question: Question, text: string, fits: SchemaValidator): Result<EventOf<'tool_answered'>> {
  const request = question.row
  if (DECLINING.has(text.trim().toLowerCase()))
    return ok({ kind: 'tool_answered', request, action: 'decline', content: null })
  const given = valueFor(question, text)
  const normalized = normalizeAnswer({ ...question, response_schema: appliedPart(question) }, given, fits)
  if (!normalized.ok) {
    const message = `input ${normalized.message}; "${AGREES.en[1]}" declines`
    return refuse({ code: 'validation_failed', errors: [{ pointer: '/input', message }] })
  }
  const value = question.response_schema === null ? null : parseJson(normalized.text)
  return ok({ kind: 'tool_answered', request, action: 'accept', content: isRecord(value) ? value : null })
}

/** The part of the schema of a question to which an answer is held. */
function appliedPart({ response_schema }: AnswerForm): AnswerForm['response_schema'] {
  const applied = response_schema === null ? null : appliedSchema(response_schema)
  return applied === null ? null : applied.ok ? applied.schema : { type: 'object' }
}

/** The answer in the words in which it is recorded. */
export const answerText = ({ action, content }: EventOf<'tool_answered'>): string =>
  action === 'decline' ? AGREES.en[1] : content === null ? AGREES.en[0] : JSON.stringify(content)

/** A person may write the value alone where the answer has one member. */
function valueFor({ response_schema }: AnswerForm, text: string): string {
  const properties = response_schema?.['properties']
  const [member, ...others] = isRecord(properties) ? Object.entries(properties) : []
  if (member === undefined || others.length > 0 || isRecord(parseJson(text))) return text
  const [name, schema] = member
  const isText = isRecord(schema) && schema['type'] === 'string'
  const value = isText ? text.trim() : (parseJson(text) ?? text.trim())
  return JSON.stringify({ [name]: value })
}

/** The row of the answer to a question that a row asked for a tool. It comes soon after the question. */
const ANSWER_ROWS = 500
export function answerRowOf(request: number, last: number, recall: Recall): number | null {
  for (let row = request + 1; row <= Math.min(last, request + ANSWER_ROWS); row++) {
    const { event } = recall(row)
    if (event.kind === 'tool_answered' && event.request === request) return row
  }
  return null
}

/** The notes for observers of a row that holds a call, or that answers one. */
export function heldNotes(before: Head, after: Head, event: Event, recall: Recall): Note[] {
  if (event.kind === 'tool_answered')
    return [
      { type: 'clarification_answered', payload: { request_id: `tool_${event.request}`, answer: answerText(event) } },
    ]
  const question = after.held === null || after.held.row === before.held?.row ? null : openToolQuestion(after, recall)
  if (question !== null) {
    const { request_id, question: text } = question
    return [{ type: 'clarification_requested', payload: { request_id, question: text } }]
  }
  if (event.kind !== 'tool_waits' || after.held === null) return []
  const { effect } = recall(after.held.row)
  const tool = effect?.kind === 'run_tool' ? effect.tool : ''
  return after.held.looks > 1 ? [] : [{ type: 'action_waiting', payload: { tool, message: event.message } }]
}

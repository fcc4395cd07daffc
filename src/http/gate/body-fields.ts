/** The fields of a body, whatever its content type: JSON, a form, or a text that stands for one field. */
import * as z from 'zod'
import type { BodyRule } from '../route.ts'
import { refuse, type HttpResult } from '../shapes/http-refusal.ts'
import { TASK_PART } from '../multipart/task-part.ts'
import { parseBody, jsonBody, type Body } from './body.ts'
import { checkFields } from './field-check.ts'
import type { OtherParts } from './hints/member-hint.ts'
import { typedValues } from './query.ts'
import { pointerToken, printableName } from '../shapes/pointers.ts'
import { textErrors } from './text-safety.ts'

export function readFields(
  rule: BodyRule,
  bytes: Uint8Array,
  headers: Headers,
  others: OtherParts,
): HttpResult<Record<string, unknown>> {
  const kinds = rule.kinds ?? (rule.text_field === null ? (['json'] as const) : (['json', 'form', 'text'] as const))
  const body = parseBody(bytes, headers, {
    kinds,
    empty: !rule.required,
    secret: hasSecret(rule),
    files: rule.files,
    field: rule.text_field,
  })
  if (!body.ok) return body
  const checked = checkBody(rule, body.value, others)
  if (checked.ok || checked.refusal.code !== 'validation_failed' || !isTextAsForm(rule, body.value)) return checked
  return refuse({ ...checked.refusal, hint: "It looks like plain text: send -H 'content-type: text/plain' with it." })
}

const hasSecret = ({ schema }: BodyRule) =>
  Object.values(schema.shape).some((field) => z.globalRegistry.get(field)?.['writeOnly'] === true)

function checkBody(rule: BodyRule, body: Body, others: OtherParts): HttpResult<Record<string, unknown>> {
  const fields = fieldsOf(rule, body)
  const errors = textErrors(fields)
  return errors.length > 0 ? refuse({ code: 'validation_failed', errors }) : checkFields(rule.schema, fields, others)
}

/** The fields of a form of several parts: each a part of its own, or all of them as JSON in the part `task`. */
export function readFormFields(
  rule: BodyRule,
  fields: ReadonlyMap<string, string>,
  others: OtherParts,
): HttpResult<Record<string, unknown>> {
  const task = fields.get(TASK_PART)
  if (task === undefined) return checkBody(rule, { kind: 'form', form: new URLSearchParams([...fields]) }, others)
  const other = [...fields.keys()].find((name) => name !== TASK_PART)
  if (other !== undefined) {
    const message = `${printableName(other)} stands beside the part "${TASK_PART}": put it into that part`
    return refuse({ code: 'validation_failed', errors: [{ pointer: pointerToken(other), message }] })
  }
  const parsed = jsonBody(task, false, rule.text_field)
  return parsed.ok ? checkBody(rule, parsed.value, others) : parsed
}

/** `curl -d 'buy milk'` sends a text as a form. Its field names are then words of the text. */
function isTextAsForm(rule: BodyRule, body: Body): boolean {
  if (body.kind !== 'form') return false
  const known = new Set([...Object.keys(rule.schema.shape), 'input', ...sendersOf(rule)])
  return body.form.size > 0 && [...body.form].every(([name, value]) => value === '' && !known.has(name))
}

function fieldsOf(rule: BodyRule, body: Body): unknown {
  switch (body.kind) {
    case 'empty':
      return {}
    case 'json':
      return rule.senders === undefined ? body.value : jsonFields(rule, body.value)
    case 'text':
      return { [rule.text_field ?? '']: body.text }
    case 'form':
      return formFields(rule, body.form)
  }
}

/** The text of a webhook under our own field name. Its other fields are left out. */
function jsonFields(rule: BodyRule, value: unknown): unknown {
  const field = rule.text_field ?? ''
  if (typeof value !== 'object' || value === null || field in value) return value
  const fields = new Map<string, unknown>(Object.entries(value))
  const sender = sendersOf(rule).find((name) => typeof fields.get(name) === 'string')
  return sender === undefined ? value : { [field]: fields.get(sender) }
}

/** The names that senders of webhooks give to their text (Twilio: Body, Slack: text). `input` is our own name. */
const SENDERS = ['Body', 'text'] as const
const sendersOf = ({ senders = SENDERS }: BodyRule): readonly string[] => senders

/**
 * A form of our own callers may have only the fields of the schema. A form whose text is in `Body` or `text` comes from a webhook, which
 * adds many fields of its own; these are left out.
 */
function formFields(rule: BodyRule, form: URLSearchParams): Record<string, unknown> {
  const field = rule.text_field ?? ''
  const texts = new Map(form)
  const isOurs = texts.has(field) || texts.has('input')
  const sender = isOurs ? undefined : sendersOf(rule).find((name) => texts.has(name))
  if (sender !== undefined) return { [field]: texts.get(sender) }
  // Where the input of an agent may stand, only a text is another name for the goal.
  const isObject = Object.hasOwn(rule.schema.shape, 'input') && texts.get('input')?.trimStart().startsWith('{') === true
  const alias = field === 'input' || texts.has(field) || isObject ? undefined : texts.get('input')
  if (alias === undefined) return typedValues(rule.schema, texts)
  texts.delete('input')
  return typedValues(rule.schema, texts.set(field, alias))
}

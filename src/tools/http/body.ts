/** The body of a plain HTTP tool: a JSON value with arguments in it, and how it is written by its type. */
import { argumentAlone, fillText } from '../../core/terms/values/http-template.ts'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import { textOfValue } from './serialize.ts'

/**
 * The template with its arguments. A text that is `{name}` alone becomes the argument as it is. undefined: it is an argument that is not
 * given, or a text with one, so the member that has it is left out.
 */
export function fillTemplate(template: unknown, args: Record<string, unknown>): unknown {
  if (typeof template === 'string') return fillLeaf(template, args)
  if (Array.isArray(template)) return template.map((one) => fillTemplate(one, args)).filter((one) => one !== undefined)
  if (!isRecord(template)) return template
  const members = Object.entries(template).map(([name, member]) => [name, fillTemplate(member, args)] as const)
  return Object.fromEntries(members.filter(([, member]) => member !== undefined))
}

function fillLeaf(template: string, args: Record<string, unknown>): unknown {
  const read = (name: string) => (Object.hasOwn(args, name) ? args[name] : undefined)
  const alone = argumentAlone(template)
  if (alone !== null) return read(alone)
  const text = fillText(template, (name) => {
    const value = read(name)
    return value === undefined ? null : textOfValue(value)
  })
  return text ?? undefined
}

/** null: a form is made of an object, and this is none. */
export function encodeBody(content_type: string, value: unknown): BodyInit | null {
  const type = content_type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/x-www-form-urlencoded')
    return isRecord(value) ? new URLSearchParams(fieldsOf(value)).toString() : null
  if (type === 'multipart/form-data') return isRecord(value) ? formOf(value) : null
  const isJson = type === 'application/json' || type.endsWith('+json')
  return isJson ? JSON.stringify(value) : textOfValue(value)
}

/** A list is a field that comes several times. */
const fieldsOf = (value: Record<string, unknown>): [string, string][] =>
  Object.entries(value).flatMap(([name, member]) =>
    (Array.isArray(member) ? member : [member]).map((one): [string, string] => [name, textOfValue(one)]),
  )

function formOf(value: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, text] of fieldsOf(value)) form.append(name, text)
  return form
}

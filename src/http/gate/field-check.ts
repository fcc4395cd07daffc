/** Checks fields by a zod schema. Each error names the field and what it must be, such as its range. */
import { FILE_NAME } from '../../core/terms/files/files.ts'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import { nameHint } from '../../core/terms/values/known-names.ts'
import * as z from 'zod'
import { USD } from '../../core/terms/money.ts'
import { fieldHint, NO_OTHER_PARTS, type OtherParts } from './hints/member-hint.ts'
import { innerSchema, meantForm, shapeOf } from './inner-schema.ts'
import { refuse, type FieldError, type HttpResult } from '../shapes/http-refusal.ts'
import { pointerToken, printableName } from '../shapes/pointers.ts'
import { ERRORS_MAX } from './text-safety.ts'
import { excessMembers, type ExcessMembers } from './member-limits.ts'

/** So many issues get a message, which is more than enough for ERRORS_MAX fields. */
const ISSUES_MAX = 200

/** The parsed input, or a 422 that names each wrong field. */
export function checkFields<S extends z.ZodObject>(
  schema: S,
  input: unknown,
  others: OtherParts = NO_OTHER_PARTS,
): HttpResult<z.output<S>> {
  const fields = { schema, input, others }
  const excess = excessMembers(schema, input)
  if (excess !== null) return refuse({ code: 'validation_failed', errors: excessErrors(fields, excess) })
  const parsed = schema.safeParse(input)
  if (parsed.success) return { ok: true, value: parsed.data }
  const errors = parsed.error.issues.slice(0, ISSUES_MAX).flatMap((issue) => errorsOf(fields, issue))
  // A number can break two rules at once. One message says both, so a field has one error.
  const once = [...new Map(errors.toReversed().map((error) => [error.pointer, error])).values()].toReversed()
  return refuse({ code: 'validation_failed', errors: once.slice(0, ERRORS_MAX) })
}

/** Fields and the schema that they are checked by. `others`: what the request may have beside them. */
interface Fields {
  schema: z.ZodObject
  input: unknown
  others: OtherParts
}

function errorsOf(fields: Fields, issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === 'unrecognized_keys') return unknownFields(fields, issue)
  const known = issue.code === 'invalid_union' ? formErrors(fields, issue) : null
  if (known !== null) return known
  if (issue.path.length === 0)
    return [{ pointer: '', message: `the body ${issue.code === 'custom' ? issue.message : 'must be a JSON object'}` }]
  return [{ pointer: pointerOf(issue.path), message: `${nameOf(issue.path)} ${messageOf(fields, issue)}` }]
}

/** The errors of the form that is meant, or else of the fields that look like those of a form. null: there are none. */
function formErrors(fields: Fields, issue: z.core.$ZodIssueInvalidUnion): FieldError[] | null {
  const { path, errors } = issue
  const union = unionAt(placeAt(fields, path))
  if (union === null) return null
  const form = meantForm(union.field, union.keys)
  if (form === 'several') return null
  if (form !== null) {
    const issues = (errors[union.field.options.indexOf(form)] ?? []).slice(0, ISSUES_MAX)
    return issues.flatMap((one) => errorsOf(fields, { ...one, path: [...path, ...one.path] }))
  }
  const keys = union.keys.slice(0, ERRORS_MAX).filter((key) => formHint(union.field, union.keys, key) !== '')
  return keys.length === 0 ? null : unknownFields(fields, { path, keys })
}

function excessErrors(fields: Fields, { path, reason }: ExcessMembers): FieldError[] {
  if (reason.kind === 'unknown_fields') return unknownFields(fields, { path, keys: reason.keys })
  return [{ pointer: pointerOf(path), message: `${nameOf(path)} ${reason.message}` }]
}

function unknownFields(fields: Fields, { path, keys }: { path: PropertyKey[]; keys: readonly string[] }): FieldError[] {
  const place = placeAt(fields, path)
  const union = unionAt(place)
  if (union !== null && meantForm(union.field, union.keys) === 'several')
    return [{ pointer: pointerOf(path), message: `${nameOf(path)} ${formsMessage(union.field)}` }]
  const what = path[0] === 'settings' ? 'setting' : 'field'
  return keys.slice(0, ERRORS_MAX).map((key) => ({
    pointer: pointerOf([...path, key]),
    message: `unknown ${what} "${printableName(key)}"${hintFor(fields, path, key)}`,
  }))
}

/** What the schema itself says of a value that has none of its forms. */
const formsMessage = (union: z.ZodUnion): string => {
  const message = union.safeParse(null).error?.issues[0]?.message ?? NO_MESSAGE
  return message === NO_MESSAGE ? `must be ${describe(union)}` : message
}

/** The end of a message about an unknown field. */
const hintOf = (name: string) => `; did you mean "${name}"?`

function hintFor({ schema, input, others }: Fields, path: PropertyKey[], key: string): string {
  const union = unionAt(placeAt({ schema, input, others }, path))
  return union === null ? fieldHint(key, schema, path, others) : formHint(union.field, union.keys, key)
}

/** A field that has this name a level deeper, beside the names of all that was given, or else a similar one of the form that is meant. */
function formHint(union: z.ZodUnion, keys: readonly string[], key: string): string {
  const form = meantForm(union, keys)
  const shape = shapeOf(form instanceof z.ZodObject ? form : union)
  if (Object.hasOwn(shape, key)) return ''
  const members = Object.entries(shapeOf(union))
  const deeper = members.find(([, member]) => keys.every((one) => Object.hasOwn(shapeOf(member), one)))
  return deeper === undefined ? nameHint(key, Object.keys(shape)) : hintOf(`${deeper[0]}.${key}`)
}

const pointerOf = (path: PropertyKey[]) => path.map(pointerToken).join('')
const nameOf = (path: PropertyKey[]) => path.map(printableName).join('.')

/** What zod says where a schema has no message of its own. */
const NO_MESSAGE = 'Invalid input'

/** A schema has its own message where a range does not say everything. */
function messageOf(fields: Fields, issue: z.core.$ZodIssue): string {
  if (issue.code === 'custom') return issue.message
  if (issue.code === 'invalid_union' && issue.message !== NO_MESSAGE) return issue.message
  if (issue.code === 'invalid_key') return 'must have a name of 1 to 64 of A-Z a-z 0-9 _ . -'
  const { field, given } = placeAt(fields, issue.path)
  if (given === undefined) return 'is required'
  return field === undefined ? 'is not valid' : `must be ${describe(field)}${givenName(innerSchema(field), given)}`
}

/** What was given in place of one of some names, and the name that was probably meant. */
function givenName(field: z.core.$ZodType, given: unknown): string {
  const names = field instanceof z.ZodUnion ? field.options.flatMap(namesIn) : namesIn(field)
  if (names.length === 0 || typeof given !== 'string') return ''
  return `, not "${printableName(given)}"${nameHint(given, names)}`
}

const namesIn = (field: z.core.$ZodType): string[] => (field instanceof z.ZodEnum ? field.options.map(String) : [])

/** The schema of a part of the input, and what was given there. */
interface Place {
  field: z.core.$ZodType | undefined
  given: unknown
}

const placeAt = ({ schema, input }: Fields, path: readonly PropertyKey[]): Place =>
  path.reduce<Place>(
    ({ field, given }, part) => ({
      field: field === undefined ? undefined : fieldOf(innerSchema(field), given, part),
      given: memberOf(given, part),
    }),
    { field: schema, given: input },
  )

function memberOf(value: unknown, part: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.getOwnPropertyDescriptor(value, part)?.value
}

function fieldOf(field: z.core.$ZodType, given: unknown, part: PropertyKey): z.core.$ZodType | undefined {
  if (field instanceof z.ZodArray) return field.element
  if (field instanceof z.ZodRecord) return field.valueType
  const union = unionAt({ field, given })
  const form = union === null ? null : meantForm(union.field, union.keys)
  const shape = shapeOf(form instanceof z.ZodObject ? form : field)
  return Object.hasOwn(shape, part) ? shape[String(part)] : undefined
}

/** The union at a place where an object was given, and the names of its members. null: it is another place. */
function unionAt({ field, given }: Place): { field: z.ZodUnion; keys: string[] } | null {
  const inner = field === undefined ? undefined : innerSchema(field)
  return inner instanceof z.ZodUnion && isRecord(given) ? { field: inner, keys: Object.keys(given) } : null
}

function describe(schema: z.core.$ZodType): string {
  const orNull = z.safeParse(schema, null).success ? ' or null' : ''
  return kindOf(innerSchema(schema)) + orNull
}

function kindOf(field: z.core.$ZodType): string {
  if (field instanceof z.ZodNumber)
    return `${field.format === 'safeint' ? 'a whole number' : 'a number'} ${rangeOf(field)}`
  if (field instanceof z.ZodUnion) return field.options.map(kindOf).join(', or ')
  if (field instanceof z.ZodObject && Object.keys(field.shape).length === 1)
    return `an object with ${Object.keys(field.shape).join()}`
  if (field instanceof z.ZodEnum) return `one of ${field.options.join(', ')}`
  if (field instanceof z.ZodBoolean) return 'true or false'
  if (field instanceof z.ZodString) return textKind(field)
  return field instanceof z.ZodArray ? listKind(field) : 'an object'
}

function listKind({ def }: z.ZodArray): string {
  const checks = (def.checks ?? []).map(({ _zod: { def } }) => def)
  const most = checks.flatMap((check) => ('maximum' in check ? [String(check.maximum)] : []))[0]
  const least = checks.flatMap((check) => ('minimum' in check ? [String(check.minimum)] : []))[0]
  if (most === undefined) return 'a list'
  return least === undefined ? `a list of at most ${most}` : `a list of ${least} to ${most}`
}

function rangeOf(field: z.ZodNumber): string {
  const { minValue: min, maxValue: max } = field
  return max === null || max >= Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
}

function textKind(field: z.ZodString): string {
  const form = formOf(field)
  if (form !== undefined) return form
  const max = field.maxLength ?? field.meta()?.maxLength
  const least = field.minLength ?? 0
  return typeof max === 'number' ? `a text of ${least} to ${max} characters` : 'a text'
}

/** What a text must be, by the pattern that refuses it. */
const FORMS = new Map([
  [String(USD), 'a decimal string in USD with at most nine digits and six decimal places, such as "0.50"'],
  [String(FILE_NAME), 'the name of a file: 1 to 128 letters, digits, ".", "_" or "-", and not "." or ".."'],
])

/** The empty text breaks the pattern of the field, and so reveals it. */
const formOf = (field: z.ZodString): string | undefined =>
  field
    .safeParse('')
    .error?.issues.flatMap(
      (issue) => (issue.code === 'invalid_format' ? FORMS.get(issue.pattern ?? '') : undefined) ?? [],
    )
    .at(0)

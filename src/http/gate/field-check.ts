/** Checks fields by a zod schema. Each error names the field and what it must be, such as its range. */
import { FILE_NAME } from '../../core/terms/files/files.ts'
import { nameHint } from '../../core/terms/values/known-names.ts'
import * as z from 'zod'
import { USD } from '../../core/terms/money.ts'
import { innerSchema } from './inner-schema.ts'
import { refuse, type FieldError, type HttpResult } from '../shapes/http-refusal.ts'
import { ERRORS_MAX, printableName, pointerToken } from './text-safety.ts'
import { excessMembers, type ExcessMembers } from './member-limits.ts'

/** So many issues get a message, which is more than enough for ERRORS_MAX fields. */
const ISSUES_MAX = 200

/** The parsed input, or a 422 that names each wrong field. */
export function checkFields<S extends z.ZodObject>(schema: S, input: unknown): HttpResult<z.output<S>> {
  const excess = excessMembers(schema, input)
  if (excess !== null) return refuse({ code: 'validation_failed', errors: excessErrors(schema, excess) })
  const parsed = schema.safeParse(input)
  if (parsed.success) return { ok: true, value: parsed.data }
  const errors = parsed.error.issues.slice(0, ISSUES_MAX).flatMap((issue) => errorsOf(schema, input, issue))
  // A number can break two rules at once. One message says both, so a field has one error.
  const once = [...new Map(errors.toReversed().map((error) => [error.pointer, error])).values()].toReversed()
  return refuse({ code: 'validation_failed', errors: once.slice(0, ERRORS_MAX) })
}

function errorsOf(schema: z.ZodObject, input: unknown, issue: z.core.$ZodIssue): FieldError[] {
  const pointer = pointerOf(issue.path)
  if (issue.code === 'unrecognized_keys') return unknownFields(schema, issue.path, issue.keys)
  const meant = issue.code === 'invalid_union' ? meantForm(issue.errors) : null
  if (meant !== null)
    return meant.flatMap((one) => errorsOf(schema, input, { ...one, path: [...issue.path, ...one.path] }))
  if (issue.path.length === 0) return [{ pointer: '', message: 'the body must be a JSON object' }]
  return [{ pointer, message: `${nameOf(issue.path)} ${messageOf(schema, input, issue)}` }]
}

/** The errors of the one form that is meant: the one with the fewest unknown fields, then with the fewest that are missing. null: none stands out. */
function meantForm(forms: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | null {
  const scored = forms
    .filter((issues) => issues.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys'))
    .map((issues) => ({ issues, score: issues.reduce((sum, issue) => sum + scoreOf(issue), 0) }))
    .toSorted((one, other) => one.score - other.score)
  const [first, second] = scored
  return first === undefined || first.score === second?.score ? null : first.issues
}

const UNKNOWN_SCORE = 1_000
function scoreOf(issue: z.core.$ZodIssue): number {
  if (issue.code === 'unrecognized_keys') return issue.path.length === 0 ? UNKNOWN_SCORE * issue.keys.length : 0
  return issue.code === 'invalid_type' && issue.path.length === 1 && issue.input === undefined ? 1 : 0
}

function excessErrors(schema: z.ZodObject, { path, reason }: ExcessMembers): FieldError[] {
  if (reason.kind === 'unknown_fields') return unknownFields(schema, path, reason.keys)
  return [{ pointer: pointerOf(path), message: `${nameOf(path)} ${reason.message}` }]
}

function unknownFields(schema: z.ZodObject, path: PropertyKey[], keys: readonly string[]): FieldError[] {
  const what = path[0] === 'settings' ? 'setting' : 'field'
  const object = path.reduce<z.core.$ZodType | undefined>(fieldOf, schema)
  return keys.slice(0, ERRORS_MAX).map((key) => ({
    pointer: pointerOf([...path, key]),
    message: `unknown ${what} "${printableName(key)}"${hintFor(schema, object, key)}`,
  }))
}

/** The field that was probably meant: one of this name outside, or a level deeper, such as `settings.max_steps`, or a similar one of the object. */
function hintFor(schema: z.ZodObject, object: z.core.$ZodType | undefined, key: string): string {
  if (Object.hasOwn(schema.shape, key)) return `; did you mean "${key}" of the body itself?`
  const deeper = Object.entries(shapeOf(object)).find(([, field]) => Object.hasOwn(shapeOf(field), key))
  return deeper === undefined ? nameHint(key, Object.keys(shapeOf(object))) : `; did you mean "${deeper[0]}.${key}"?`
}

/** The fields of an object's schema; none of any other. */
function shapeOf(schema: z.core.$ZodType | undefined): z.core.$ZodLooseShape {
  const field = schema === undefined ? undefined : objectIn(innerSchema(schema))
  return field instanceof z.ZodObject ? field.shape : {}
}

/** Of several forms the first object, or the one that has this field. */
function objectIn(field: z.core.$ZodType, part?: PropertyKey): z.core.$ZodType | undefined {
  if (!(field instanceof z.ZodUnion)) return field
  return field.options.find(
    (one) => one instanceof z.ZodObject && (part === undefined || Object.hasOwn(one.shape, part)),
  )
}

const pointerOf = (path: PropertyKey[]) => path.map(pointerToken).join('')
const nameOf = (path: PropertyKey[]) => path.map(printableName).join('.')

/** What zod says where a schema has no message of its own. */
const NO_MESSAGE = 'Invalid input'

/** A schema has its own message where a range does not say everything. */
function messageOf(schema: z.ZodObject, input: unknown, issue: z.core.$ZodIssue): string {
  if (issue.code === 'custom') return issue.message
  if (issue.code === 'invalid_union' && issue.message !== NO_MESSAGE) return issue.message
  if (issue.code === 'invalid_key') return 'must have a name of 1 to 64 of A-Z a-z 0-9 _ . -'
  const given = memberAt(input, issue.path)
  if (given === undefined) return 'is required'
  const field = issue.path.reduce<z.core.$ZodType | undefined>(fieldOf, schema)
  return field === undefined ? 'is not valid' : `must be ${describe(field)}${givenName(innerSchema(field), given)}`
}

/** What was given in place of one of some names, and the name that was probably meant. */
function givenName(field: z.core.$ZodType, given: unknown): string {
  const names = field instanceof z.ZodUnion ? field.options.flatMap(namesIn) : namesIn(field)
  if (names.length === 0 || typeof given !== 'string') return ''
  return `, not "${printableName(given)}"${nameHint(given, names)}`
}

const namesIn = (field: z.core.$ZodType): string[] => (field instanceof z.ZodEnum ? field.options.map(String) : [])

function memberAt(input: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((value, part) => {
    if (typeof value !== 'object' || value === null) return undefined
    return Object.getOwnPropertyDescriptor(value, part)?.value
  }, input)
}

function fieldOf(schema: z.core.$ZodType | undefined, part: PropertyKey): z.core.$ZodType | undefined {
  if (schema === undefined) return undefined
  const field = objectIn(innerSchema(schema), part)
  if (field instanceof z.ZodObject) return field.shape[String(part)]
  if (field instanceof z.ZodArray) return field.element
  return field instanceof z.ZodRecord ? field.valueType : undefined
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
  const most = (def.checks ?? []).flatMap(({ _zod: { def } }) => ('maximum' in def ? [def.maximum] : []))
  return most.length === 0 ? 'a list' : `a list of at most ${String(most[0])}`
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

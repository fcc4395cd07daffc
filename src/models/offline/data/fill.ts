/** Fills a schema from what came of a task. A value that is found nowhere is empty where the schema allows it, and else missing. */
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { bulletsIn, dateIn, emailIn, lineValue, numberFor, wordsOf, yesNoFor } from './find.ts'

interface Item {
  title: string
  status: string
  result: string | null
}
/** What the values are taken from. */
interface Facts {
  goal: string
  text: string
  items: readonly Item[]
}
type Schema = Record<string, unknown>
type Found = { value: unknown } | null

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const formsOf = ({ anyOf, oneOf, allOf }: Schema): Schema[] => listOf(anyOf ?? oneOf ?? allOf).filter(isRecord)
const typesOf = ({ type }: Schema): unknown[] => (Array.isArray(type) ? type : [type])
const found = (value: unknown): Found => (value === null || value === undefined ? null : { value })

/** Names of members for the whole answer, for a part of the work, and for whether it is done. */
const ANSWERS = new Set('answer content description message note output reply response result summary text'.split(' '))
const TITLES = new Set(['title', 'name', 'item', 'step', 'task', 'todo'])
const DONE = new Set(['achieved', 'completed', 'done', 'finished', 'is done', 'ok', 'success', 'successful'])

/** The object that a schema wants, and the names of members for which there is no value. */
export function fillObject(schema: Schema, facts: Facts, path = ''): { value: Schema; missing: string[] } {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = listOf(schema['required'])
  const missing: string[] = []
  const members = Object.entries(properties).flatMap(([name, part]) => {
    if (!isRecord(part)) return []
    const own = findValue(part, wordsOf(name), facts, `${path}${name}.`)
    const value = own ?? (required.includes(name) ? emptyValue(part) : null)
    if (value === null && required.includes(name)) missing.push(`${path}${name}`)
    return value === null ? [] : [[name, value.value] as const]
  })
  return { value: Object.fromEntries(members), missing }
}

function findValue(schema: Schema, name: string, facts: Facts, path: string): Found {
  if ('const' in schema) return { value: schema['const'] }
  for (const form of formsOf(schema)) {
    const value = findValue(form, name, facts, path)
    if (value !== null) return value
  }
  if (schema['enum'] !== undefined) return namedValue(listOf(schema['enum']), name, facts)
  for (const type of typesOf(schema)) {
    const value = byType(type, schema, name, facts, path)
    if (value !== null) return value
  }
  return null
}

function byType(type: unknown, schema: Schema, name: string, facts: Facts, path: string): Found {
  switch (type) {
    case 'string':
      return textValue(schema, name, facts)
    case 'number':
    case 'integer':
      return numberValue(type, schema, name, facts)
    case 'boolean':
      return found(yesNoFor(facts.text, name) ?? (DONE.has(name) ? isAllDone(facts) : null))
    case 'array':
      return listValue(schema, name, facts, path)
    case 'object': {
      const { value, missing } = fillObject(schema, facts, path)
      return missing.length === 0 && Object.keys(value).length > 0 ? { value } : null
    }
    default:
      return null
  }
}

const isAllDone = ({ items }: Facts): boolean | null =>
  items.length === 0 ? null : items.every(({ status }) => status === 'completed')

/** The value of a list that stands behind the name, or else in the text. */
function namedValue(values: unknown[], name: string, { text }: Facts): Found {
  const where = (lineValue(text, name) ?? text).toLowerCase()
  return found(values.find((value) => typeof value === 'string' && where.includes(value.toLowerCase())))
}

function textValue(schema: Schema, name: string, facts: Facts): Found {
  const { format, minLength = 0, maxLength } = schema
  const own = lineValue(facts.text, name)
  const value = format === 'date' ? dateIn(own ?? facts.text) : format === 'email' ? emailIn(own ?? facts.text) : own
  const text = value ?? (format === undefined ? bySense(name, facts) : null)
  if (text === null || text.length < Number(minLength)) return null
  return { value: typeof maxLength === 'number' ? text.slice(0, maxLength).toWellFormed() : text }
}

function bySense(name: string, { goal, text, items }: Facts): string | null {
  if (name === 'goal' || name === 'request') return goal
  if (ANSWERS.has(name)) return text === '' ? null : text
  const [only] = items.length === 1 ? items : []
  if (name === 'status') return only?.status ?? null
  return TITLES.has(name) ? (only?.title ?? null) : null
}

function numberValue(type: unknown, schema: Schema, name: string, { text }: Facts): Found {
  const value = numberFor(text, name)
  if (value === null || (type === 'integer' && !Number.isInteger(value))) return null
  const isLow = typeof schema['minimum'] === 'number' && value < schema['minimum']
  const isHigh = typeof schema['maximum'] === 'number' && value > schema['maximum']
  return isLow || isHigh ? null : { value }
}

/** The lines of a list in the text, or what came of each part of the work. */
function listValue({ items: part, maxItems, minItems = 0 }: Schema, name: string, facts: Facts, path: string): Found {
  if (!isRecord(part)) return null
  const entries = part['type'] === 'object' ? objectsFor(part, facts, path) : textsFor(part, name, facts)
  const list = typeof maxItems === 'number' ? entries.slice(0, maxItems) : entries
  return list.length === 0 || list.length < Number(minItems) ? null : { value: list }
}

function objectsFor(part: Schema, facts: Facts, path: string): unknown[] {
  const filled = facts.items.map((item) =>
    fillObject(part, { goal: facts.goal, text: item.result ?? item.title, items: [item] }, path),
  )
  return filled.every(({ missing }) => missing.length === 0) ? filled.map(({ value }) => value) : []
}

function textsFor(part: Schema, name: string, { text, items }: Facts): unknown[] {
  if (part['type'] !== 'string' || part['enum'] !== undefined || part['format'] !== undefined) return []
  const isWork = TITLES.has(name.endsWith('s') ? name.slice(0, -1) : name)
  const bullets = bulletsIn(text)
  if (isWork && items.length > 0) return items.map(({ title }) => title)
  return bullets.length > 0 ? bullets : items.map(({ title, result }) => result ?? title)
}

/** The value that says that nothing is known. null: the schema has none. */
function emptyValue(schema: Schema): Found {
  if ('default' in schema) return { value: schema['default'] }
  if (listOf(schema['enum']).includes(null) || typesOf(schema).includes('null')) return { value: null }
  const forms = formsOf(schema).map(emptyValue)
  const empty = forms.find((form) => form?.value === null) ?? forms.find((form) => form !== null)
  if (empty !== undefined) return empty
  if (schema['enum'] !== undefined || schema['format'] !== undefined) return null
  if (typesOf(schema).includes('string')) return Number(schema['minLength'] ?? 0) === 0 ? { value: '' } : null
  if (typesOf(schema).includes('array')) return Number(schema['minItems'] ?? 0) === 0 ? { value: [] } : null
  return typesOf(schema).includes('object') ? emptyObject(schema) : null
}

function emptyObject(schema: Schema): Found {
  const { value, missing } = fillObject(schema, { goal: '', text: '', items: [] })
  return missing.length === 0 && Object.keys(value).length >= Number(schema['minProperties'] ?? 0) ? { value } : null
}

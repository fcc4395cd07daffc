/** Reads the input of the file tools as models write it: JSON whose members have several names, or just a file name. */
import { fileName } from './files.ts'
import { jsonOrText } from '../values/parse-json.ts'

const NAME_MEMBERS = ['name', 'path', 'file', 'filename'] as const

type Fields = ReadonlyMap<string, unknown>

export function fieldsOf(input: string): Fields {
  const value = jsonOrText(input)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return new Map(Object.entries(value))
  return new Map([['name', typeof value === 'string' ? value : input]])
}

/** The file name in the fields. null: the model gave none, or it is not valid. */
export function fileNameIn(fields: Fields): string | null {
  const given = NAME_MEMBERS.map((member) => fields.get(member)).find((value) => typeof value === 'string')
  return typeof given === 'string' ? fileName(given) : null
}

/** A whole number that is at least `least`, or `preset` if none is given. null: the value is something else. */
export function numberIn(fields: Fields, member: string, least: number, preset: number): number | null {
  const given = fields.get(member) ?? preset
  return typeof given === 'number' && Number.isInteger(given) && given >= least ? given : null
}

/** The input of a write, or the field that is not valid. A lone surrogate in the content is replaced. */
type FileWriteInput = { ok: true; name: string; content: string } | { ok: false; invalid: 'name' | 'content' }

export function parseFileWrite(input: string): FileWriteInput {
  const fields = fieldsOf(input)
  const name = fileNameIn(fields)
  if (name === null) return { ok: false, invalid: 'name' }
  const content = fields.get('content')
  return typeof content === 'string'
    ? { ok: true, name, content: content.toWellFormed() }
    : { ok: false, invalid: 'content' }
}

/** The input of the file tools as models write it: JSON whose members have several names, or just the name of a file. */
import { fileName } from './files.ts'

const NAME_MEMBERS = ['name', 'path', 'file', 'filename'] as const

type Fields = ReadonlyMap<string, unknown>

export function fieldsOf(input: string): Fields {
  const value = parsed(input)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return new Map(Object.entries(value))
  return new Map([['name', typeof value === 'string' ? value : input]])
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** null: none was given, or it is no file name. */
export function nameIn(fields: Fields): string | null {
  const given = NAME_MEMBERS.map((member) => fields.get(member)).find((value) => typeof value === 'string')
  return typeof given === 'string' ? fileName(given) : null
}

/** A whole number from `least` on, `otherwise` where none is given; null: something else was. */
export function numberIn(fields: Fields, member: string, least: number, otherwise: number): number | null {
  const given = fields.get(member) ?? otherwise
  return typeof given === 'number' && Number.isInteger(given) && given >= least ? given : null
}

/** What a write is to write; a half of a pair of surrogates is no text. */
export type Writing = { ok: true; name: string; content: string } | { ok: false; flaw: 'name' | 'content' }

export function writingIn(input: string): Writing {
  const fields = fieldsOf(input)
  const name = nameIn(fields)
  if (name === null) return { ok: false, flaw: 'name' }
  const content = fields.get('content')
  return typeof content === 'string'
    ? { ok: true, name, content: content.toWellFormed() }
    : { ok: false, flaw: 'content' }
}

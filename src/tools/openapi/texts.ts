/** Texts of an OpenAPI document as models and people read them, and the names of its tools. */
import type { Locale } from '../../core/terms/locale.ts'
import { freeName } from '../listed-name.ts'

/** Marks take room too. */
const READ_FACTOR = 4

/** A text without tags, invisible characters and layout, cut at `chars_max`. */
export function plainText(text: string, chars_max: number): string {
  const plain = text
    .slice(0, chars_max * READ_FACTOR)
    .replaceAll(/<\/?[A-Za-z][^<>]*>/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
    .trim()
  if (plain.length <= chars_max) return plain
  // The cut may divide a character.
  return chars_max === 0 ? '' : `${plain.slice(0, chars_max - 1).replace(/\p{Cs}$/u, '')}…`
}

const DASH = '_'

/** `<source>.<operation>` of A-Z a-z 0-9 _ -, at most 64 characters, different from the taken ones also without case and signs. */
export function toolName(source: string, operation: { id: string; key: string }, taken: ReadonlySet<string>): string {
  const id = /^[A-Za-z0-9_-]+$/.test(operation.id) ? operation.id : withDashes(operation.id)
  return freeName(`${source}.${id}`, operation.key, taken)
}

const ARGUMENT_CHARS_MAX = 64

/** A name that all providers take for an argument, and that a place in an address can have. */
export function argumentName(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/.test(name)) return name
  const plain = withDashes(name)
  const begun = /^[A-Za-z]/.test(plain) ? plain : `${DASH}${plain}`
  return (begun === DASH ? 'value' : begun).slice(0, ARGUMENT_CHARS_MAX)
}

const withDashes = (text: string) => text.replaceAll(/[^A-Za-z0-9-]+/g, DASH).replaceAll(/^_|_$/g, '')

/** The argument by which a model selects what it sees of an answer. */
export const SELECTION = 'fields'
export const FIELDS: Record<Locale, string> = {
  en: 'The members of the answer that you want to see, such as id or items.name. Left out: all of them.',
  zh: '你想看到的返回成员，例如 id 或 items.name。不填则显示全部。',
}

/** What was left out or changed, each with the tools that it is about. */
export type Notes = Map<string, string[]>

export function addNote(notes: Notes, text: string, tool?: string): void {
  const tools = notes.get(text) ?? []
  notes.set(text, tool === undefined || tools.includes(tool) ? tools : [...tools, tool])
}

const NOTES_MAX = 40
const NOTE_CHARS_MAX = 300
const TOOLS_SHOWN = 3

export function noteTexts(notes: Notes): string[] {
  const texts = [...notes].slice(0, NOTES_MAX).map(([text, tools]) => {
    const more = tools.length > TOOLS_SHOWN ? ` and ${tools.length - TOOLS_SHOWN} more` : ''
    const about = tools.length === 0 ? '' : `${tools.slice(0, TOOLS_SHOWN).join(', ')}${more}: `
    return plainText(`${about}${text}`, NOTE_CHARS_MAX)
  })
  return notes.size > NOTES_MAX ? [...texts, `and ${notes.size - NOTES_MAX} more notes`] : texts
}

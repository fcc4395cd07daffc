/**
 * What no text of a request may contain, whatever its schema says: NUL and lone surrogates, which storage would change
 * (ruling 24), nesting beyond reason, and `__proto__`, which turns into a prototype as soon as an object is copied.
 */
import type { FieldError } from './errors.ts'

const DEPTH_MAX = 32
/** More errors help nobody, and a body of 1 MiB can hold a hundred thousand. */
export const ERRORS_MAX = 20

/** Says what is wrong with a text, or null. */
export function textFlaw(text: string): string | null {
  if (text.includes('\0')) return 'must not contain NUL'
  if (!text.isWellFormed()) return 'must not contain lone surrogates'
  return null
}

/** A name for a message. Cut, since a key may be as long as a body; whatever is no text becomes U+FFFD. */
export const shown = (name: PropertyKey) => String(name).slice(0, 80).toWellFormed()
/** A reference token of RFC 6901. */
export const token = (key: PropertyKey) => `/${shown(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** The flaws of parsed JSON, the first 20; empty when it is clean. Never goes deeper than 32 levels. */
export function flawsOf(value: unknown): FieldError[] {
  const errors: FieldError[] = []
  visit(value, '', 0, errors)
  return errors
}

function visit(value: unknown, pointer: string, depth: number, errors: FieldError[]): void {
  if (errors.length >= ERRORS_MAX) return
  if (typeof value === 'string') {
    const flaw = textFlaw(value)
    if (flaw !== null) errors.push({ pointer, message: `${pointer.slice(1) || 'the text'} ${flaw}` })
  } else if (typeof value === 'object' && value !== null) {
    visitMembers(value, pointer, depth + 1, errors)
  }
}

function visitMembers(container: object, pointer: string, depth: number, errors: FieldError[]): void {
  if (depth > DEPTH_MAX) {
    errors.push({ pointer: '', message: `the body is nested deeper than ${DEPTH_MAX} levels` })
    return
  }
  for (const [key, member] of Object.entries(container)) {
    const flaw = Array.isArray(container) ? null : keyFlaw(key)
    if (flaw === null) visit(member, pointer + token(key), depth, errors)
    else errors.push({ pointer: pointer + token(key), message: flaw })
    if (errors.length >= ERRORS_MAX) return
  }
}

function keyFlaw(key: string): string | null {
  if (key === '__proto__') return 'unknown field "__proto__"'
  const flaw = textFlaw(key)
  return flaw === null ? null : `a field name ${flaw}`
}

/**
 * What no text of a request may contain, whatever its schema says: NUL and lone surrogates, which storage would change
 * (U24), nesting beyond reason, and `__proto__`, which turns into a prototype as soon as an object is copied.
 */
import type { FieldError } from '../shapes/http-refusal.ts'

const DEPTH_MAX = 32
/** More errors help nobody, and a body of 1 MiB can hold a hundred thousand. */
export const ERRORS_MAX = 20

/** Says what is wrong with a text, or null. */
export function textError(text: string): string | null {
  if (text.includes('\0')) return 'must not contain NUL'
  if (!text.isWellFormed()) return 'must not contain lone surrogates'
  return null
}

/** A name for a message. Cut, since a key may be as long as a body; whatever is no text becomes U+FFFD. */
export const printableName = (name: PropertyKey) => String(name).slice(0, 80).toWellFormed()
/** A reference token of RFC 6901. */
export const pointerToken = (key: PropertyKey) => `/${printableName(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** Where a member stands: its key, and where what holds it stands. Made a pointer only when something is wrong there. */
interface Place {
  key: PropertyKey
  parent: Place | null
}
const pointerOf = (place: Place | null): string =>
  place === null ? '' : pointerOf(place.parent) + pointerToken(place.key)

/** The flaws of parsed JSON, the first 20; empty when it is clean. Never goes deeper than 32 levels. */
export function textErrors(value: unknown): FieldError[] {
  const errors: FieldError[] = []
  visit(value, null, 0, errors)
  return errors
}

function visit(value: unknown, place: Place | null, depth: number, errors: FieldError[]): void {
  if (typeof value === 'string') {
    const flaw = textError(value)
    if (flaw === null) return
    const pointer = pointerOf(place)
    errors.push({ pointer, message: `${pointer.slice(1) || 'the text'} ${flaw}` })
  } else if (typeof value === 'object' && value !== null) {
    visitMembers(value, place, depth + 1, errors)
  }
}

function visitMembers(container: object, parent: Place | null, depth: number, errors: FieldError[]): void {
  if (depth > DEPTH_MAX) {
    errors.push({ pointer: '', message: `the body is nested deeper than ${DEPTH_MAX} levels` })
    return
  }
  if (Array.isArray(container)) return visitElements(container, parent, depth, errors)
  for (const key of Object.keys(container)) {
    const flaw = keyError(key)
    if (flaw === null) visit(Reflect.get(container, key), { key, parent }, depth, errors)
    else errors.push({ pointer: pointerOf({ key, parent }), message: flaw })
    if (errors.length >= ERRORS_MAX) return
  }
}

function visitElements(list: readonly unknown[], parent: Place | null, depth: number, errors: FieldError[]): void {
  for (let key = 0; key < list.length && errors.length < ERRORS_MAX; key++) {
    const element = list[key]
    // A list of half a million numbers is passed over in a millisecond.
    if (typeof element === 'string' || typeof element === 'object') visit(element, { key, parent }, depth, errors)
  }
}

function keyError(key: string): string | null {
  if (key === '__proto__') return 'unknown field "__proto__"'
  const flaw = textError(key)
  return flaw === null ? null : `a field name ${flaw}`
}

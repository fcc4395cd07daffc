/**
 * Finds what no request may contain, whatever its schema says: NUL and lone surrogates, which storage would change (U24), deep nesting,
 * and `__proto__`, which becomes a prototype when an object is copied.
 */
import type { FieldError } from '../shapes/http-refusal.ts'
import { pointerToken } from '../shapes/pointers.ts'

const DEPTH_MAX = 32
/** A body of 1 MiB can have a hundred thousand errors. A caller reads only the first ones. */
export const ERRORS_MAX = 20

/** What is wrong with a text, or null. */
export function textError(text: string): string | null {
  if (text.includes('\0')) return 'must not contain NUL'
  if (!text.isWellFormed()) return 'must not contain lone surrogates'
  return null
}

/** The path to a member, as a list. It becomes a pointer only for an error. */
interface Place {
  key: PropertyKey
  parent: Place | null
}
const pointerOf = (place: Place | null): string =>
  place === null ? '' : pointerOf(place.parent) + pointerToken(place.key)

/** The first 20 errors of parsed JSON. Nothing deeper than 32 levels is visited. */
export function textErrors(value: unknown): FieldError[] {
  const errors: FieldError[] = []
  visit(value, null, 0, errors)
  return errors
}

function visit(value: unknown, place: Place | null, depth: number, errors: FieldError[]): void {
  if (typeof value === 'string') {
    const error = textError(value)
    if (error === null) return
    const pointer = pointerOf(place)
    errors.push({ pointer, message: `${pointer.slice(1) || 'the text'} ${error}` })
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
    const error = keyError(key)
    if (error === null) visit(Reflect.get(container, key), { key, parent }, depth, errors)
    else errors.push({ pointer: pointerOf({ key, parent }), message: error })
    if (errors.length >= ERRORS_MAX) return
  }
}

function visitElements(list: readonly unknown[], parent: Place | null, depth: number, errors: FieldError[]): void {
  for (let key = 0; key < list.length && errors.length < ERRORS_MAX; key++) {
    const element = list[key]
    // Other elements are skipped, so that a list of half a million numbers takes a millisecond.
    if (typeof element === 'string' || typeof element === 'object') visit(element, { key, parent }, depth, errors)
  }
}

function keyError(key: string): string | null {
  if (key === '__proto__') return 'unknown field "__proto__"'
  const error = textError(key)
  return error === null ? null : `a field name ${error}`
}

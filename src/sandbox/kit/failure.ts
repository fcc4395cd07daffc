/** Describes an error for the host. The thrown value may be anything, even an object whose getters throw. */
import { valueText } from './plain.ts'

interface ThrownError {
  /** `TypeError: x is not a function`. */
  said: string
  stack: string
}

/** The bounds of a description. The first lines of a stack are the innermost, so the start is kept. */
const SAID_CHARS_MAX = 2_000
const STACK_CHARS_MAX = 4_000
const THROWN_CHARS_MAX = 200

export function describeThrown(thrown: unknown): ThrownError {
  try {
    const kind: string = typeof thrown
    // The interpreter throws nothing at all where it has no memory left.
    if (kind === 'unknown') return { said: 'InternalError: out of memory', stack: '' }
    if (typeof thrown !== 'object' || thrown === null) return { said: `thrown: ${String(thrown)}`, stack: '' }
    const { name, message, stack } = thrown as Record<string, unknown>
    const text = [name, message].filter((part) => typeof part === 'string' && part !== '').join(': ')
    return {
      said: text.slice(0, SAID_CHARS_MAX) || `thrown: ${shortJson(thrown)}`,
      stack: typeof stack === 'string' ? stack.slice(0, STACK_CHARS_MAX) : '',
    }
  } catch {
    return { said: 'thrown: what cannot be read', stack: '' }
  }
}

function shortJson(thrown: object): string {
  const json = valueText(thrown)
  return json.length > THROWN_CHARS_MAX ? `${json.slice(0, THROWN_CHARS_MAX)}…` : json
}

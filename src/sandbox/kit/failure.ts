/** An error as the host tells of it. What was thrown may be anything, getters that throw among it. */

export interface Failure {
  /** `TypeError: x is not a function`. */
  said: string
  stack: string
}

export function failureOf(thrown: unknown): Failure {
  try {
    if (typeof thrown !== 'object' || thrown === null) return { said: `thrown: ${String(thrown)}`, stack: '' }
    const { name, message, stack } = thrown as Record<string, unknown>
    const said = [name, message].filter((part) => typeof part === 'string' && part !== '').join(': ')
    return { said: said || 'thrown: an object', stack: typeof stack === 'string' ? stack : '' }
  } catch {
    return { said: 'thrown: what cannot be read', stack: '' }
  }
}

/** What a checker finds: a broken promise, named by its law. It ends the case; the runner adds the seed and the trace. */
const LAW = Symbol('law')

export function violation(law: string, detail: string): Error {
  return Object.assign(new Error(`${law}: ${detail}`), { [LAW]: law })
}

/** The law an error names; null when the code under test threw it itself. */
export function lawOf(error: unknown): string | null {
  return error instanceof Error && LAW in error && typeof error[LAW] === 'string' ? error[LAW] : null
}

export function demand(holds: boolean, law: string, detail: () => string): void {
  if (!holds) throw violation(law, detail())
}

/** The first broken promise that was found inside a call of a model or a tool. */
export interface Findings {
  broken: Error | null
}

/** The shell makes an event of whatever a model or a tool throws, a violation too: so it is kept here as well. */
export function noting<T>(findings: Findings, work: () => T): T {
  const note = (error: unknown) => {
    if (error instanceof Error && lawOf(error) !== null) findings.broken ??= error
  }
  try {
    const result = work()
    if (result instanceof Promise) result.catch(note)
    return result
  } catch (error) {
    note(error)
    throw error
  }
}

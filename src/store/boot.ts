/** A random id per process, made lazily in module scope: it tells a dead process's lease from a live one's (P5). */
let boot: string | undefined

export const bootId = (): string => (boot ??= crypto.randomUUID())

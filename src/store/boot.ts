/** A random id per process, made lazily in module scope: it tells a dead process's lease from a live one's (docs/protocol.md 5). */
let boot: string | undefined

export const bootId = (): string => (boot ??= crypto.randomUUID())

/** The errors of a refusal at the fields of a form. */
import type { Problem } from '../../api/wire.ts'

/** Returns what the service says about a field or a part of it; null if nothing. */
export function serviceErrorAt(problem: Problem | null, pointer: string): string | null {
  const within = (problem?.errors ?? []).filter(({ pointer: at }) => at === pointer || at.startsWith(`${pointer}/`))
  const texts = within.map(({ pointer: at, message }) => `${at.slice(pointer.length + 1)} ${message}`.trim())
  return texts.length === 0 ? null : texts.join('; ')
}

/** Returns what the service says about all that is no field of these pointers; null if nothing. */
export function serviceErrorBeside(problem: Problem | null, pointers: readonly string[]): string | null {
  const isOfField = (at: string) => pointers.some((pointer) => at === pointer || at.startsWith(`${pointer}/`))
  const texts = (problem?.errors ?? []).filter(({ pointer }) => !isOfField(pointer)).map(({ message }) => message)
  return texts.length === 0 ? null : texts.join('; ')
}

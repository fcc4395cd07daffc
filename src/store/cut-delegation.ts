/** A command with its texts cut: a report alone may have 1.9 MB, and a list asks a hundred tasks at once. */
import type { Delegation } from '../core/terms/delegation.ts'
import { cut } from '../core/terms/text.ts'

export function cutDelegation(delegation: Delegation, chars: number): Delegation {
  const { command, report } = delegation
  return { ...delegation, command: shortened(command, chars), report: report && shortened(report, chars) }
}

function shortened<T extends object>(of: T, chars: number): T {
  const texts = Object.entries(of).map(([name, value]) => [name, typeof value === 'string' ? cut(value, chars) : value])
  return Object.fromEntries(texts) as T // the same names; each text is a text still
}

/** The registry of modes: one line each. */
import type { Mode } from '../mode.ts'
import { unreadable } from '../unreadable.ts'
import { planExecute } from './plan-execute/machine.ts'

/**
 * A state is made by its own mode, and parsed by that mode's schema when a head is read back, so forgetting its type here is safe.
 */
const erase = <S extends { phase: string }>(mode: Mode<S>) => mode as unknown as Mode<{ phase: string }>

const MODES: ReadonlyMap<string, Mode<{ phase: string }>> = new Map([[planExecute.name, erase(planExecute)]])

export function modeOf(name: string): Mode<{ phase: string }> {
  const mode = MODES.get(name)
  if (mode === undefined) throw unreadable(`unknown mode ${name}`)
  return mode
}

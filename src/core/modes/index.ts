/** The registry of modes: one line each. */
import type { Mode } from '../mode.ts'
import { unreadable } from '../unreadable.ts'
import { planExecute } from './plan-execute/machine.ts'

/**
 * Modes are stored by name and their state is parsed by their own schema before a handler sees it, so forgetting the
 * state's type here is safe.
 */
const erase = <S extends { phase: string }>(mode: Mode<S>) => mode as unknown as Mode<{ phase: string }>

const MODES: ReadonlyMap<string, Mode<{ phase: string }>> = new Map([[planExecute.name, erase(planExecute)]])

export function modeOf(name: string): Mode<{ phase: string }> {
  const mode = MODES.get(name)
  if (mode === undefined) throw unreadable(`unknown mode ${name}`)
  return mode
}

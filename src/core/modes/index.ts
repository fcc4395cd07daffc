/** The registry of modes. The modes are loaded by whoever serves requests or holds tasks, so that a start need not read them (U28). */
import { unreadable } from '../terms/unreadable.ts'
import type { AnyMode, MODES } from './all.ts'

export type { AnyMode } from './all.ts'

let modes: typeof MODES | null = null

/** Loads the modes once. Everything below calls modeOf() without waiting. */
export async function loadModes(): Promise<void> {
  modes ??= (await import('./all.ts')).MODES
}

export function modeOf(name: string): AnyMode {
  if (modes === null) throw new Error('the modes are not loaded: loadModes() comes first')
  if (!isModeName(name)) throw unreadable(`unknown mode ${name}`)
  return modes[name]
}

const isModeName = (name: string): name is keyof typeof MODES => modes !== null && Object.hasOwn(modes, name)

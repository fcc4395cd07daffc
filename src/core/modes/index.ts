/** The registry of modes. The modes are loaded by whoever serves requests or holds tasks, so that a start need not read them (U28). */
import { unreadable } from '../terms/unreadable.ts'
import type { AnyMode } from './all.ts'
import type * as Loaded from './all.ts'

export type { AnyMode } from './all.ts'

let loaded: typeof Loaded | null = null

/** Loads the modes once. Everything below calls modeOf() without waiting. */
export async function loadModes(): Promise<void> {
  loaded ??= await import('./all.ts')
}

const known = (): typeof Loaded => {
  if (loaded === null) throw new Error('the modes are not loaded: loadModes() comes first')
  return loaded
}

export function modeOf(name: string): AnyMode {
  const modes = known().MODES
  if (!isModeName(modes, name)) throw unreadable(`unknown mode ${name}`)
  return modes[name]
}

const isModeName = (modes: typeof Loaded.MODES, name: string): name is keyof typeof modes => Object.hasOwn(modes, name)

export const contractError: typeof Loaded.contractError = (...reply) => known().contractError(...reply)

/** The readers of replies are loaded with the modes, which are all that else reads them. */
export const cutReason: typeof Loaded.cutReason = (...reply) => known().cutReason(...reply)
export const dataReader: typeof Loaded.dataReader = (...settings) => known().dataReader(...settings)

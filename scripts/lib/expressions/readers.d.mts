import type { Expression } from './found.mjs'

export interface ReadModule {
  /** Its path in `src`. */
  file: string
  literals: readonly Pick<Expression, 'source'>[]
  made: number
}
export function isReading(module: Pick<ReadModule, 'literals' | 'made'>): boolean
export function unmeasured(modules: readonly ReadModule[], named: ReadonlySet<string>): string[]

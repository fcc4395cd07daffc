import type { Expression, Missed, Place } from './found.mjs'

export interface Exception {
  file: string
  source?: string
  proof: string
}
export function complaints(found: {
  expressions: readonly Expression[]
  late: readonly Place[]
  unseen?: readonly Place[]
  missed?: readonly Missed[]
  exceptions: readonly Exception[]
}): string[]

/** The life of a task (core/workspace/incarnation.ts), over its rows: read as it is stored, so that of a task that cannot be read it is known as well. */
import { unreadable } from '../../../core/terms/unreadable.ts'
import type { Rows } from './rows.ts'

export function lifeOf(rows: Pick<Rows, 'stored'>): string {
  const slice: unknown = rows.stored(0, 1)[0]?.slice ?? ''
  if (typeof slice !== 'string') throw unreadable('row 1 has no life')
  return slice
}

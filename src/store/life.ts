/** The life of a task (core/lives.ts), over its rows: read as it is stored, so that of a task that cannot be read it is known as well. */
import type { Rows } from './rows.ts'

export const lifeOf = (rows: Pick<Rows, 'stored'>): string => rows.stored(0, 1)[0]?.slice ?? ''

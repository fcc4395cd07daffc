import type { Exception } from './checked.mjs'

export const EXCEPTIONS: readonly Exception[]

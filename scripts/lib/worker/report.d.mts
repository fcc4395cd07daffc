/** Types of report.mjs for the tests. */
import type { Spent } from './spent.d.mts'

export function reportOf(ended: {
  file: string | null
  stdout: string
  stderr: string
  code: number | null
  signal: string | null
  spent: Spent
}): { content_type: string; body: string; unsaid: boolean }

/** Types of report.mjs for the tests. */
export function reportOf(ended: {
  file: string | null
  stdout: string
  stderr: string
  code: number | null
  signal: string | null
}): { content_type: string; body: string }

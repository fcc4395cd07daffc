/** Types of process.mjs for the tests. */
export function beginOf(pid: number): string

/** Types of patience.mjs for the tests. */
export function wait(ms: number, stop?: AbortSignal): Promise<void>
export function backoff_ms(failures: number, random?: number): number
export function pause_ms(outcome: { retry_after_ms: number | null }, failures: number): number

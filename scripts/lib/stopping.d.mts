/** Types of stopping.mjs for the tests. */
export function stopRequests(options: { drain: () => void; abort: () => void; now_ms?: () => number }): {
  orphaned(): void
  signaled(): void
}

/** Types of output.mjs for the tests. */
export function boundedText(limits: { head_chars: number; tail_chars: number }): {
  add(chunk: Uint8Array): void
  text(): string
}

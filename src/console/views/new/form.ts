/** What every part of the form works on: the draft, how it is changed, and what is wrong where. */
import type { Draft } from './draft.ts'

export interface Form {
  draft: Draft
  change(part: Partial<Draft>): void
  /** What is wrong at a pointer, in words; null: nothing. */
  flaw(pointer: string): string | null
}

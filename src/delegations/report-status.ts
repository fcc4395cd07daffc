/** The words workers write for how it went (O2-07). */
import type { ReportStatus } from '../core/terms/delegation.ts'

const WORDS: Record<Exclude<ReportStatus, 'UNKNOWN'>, readonly string[]> = {
  SUCCESS: ['success', 'completed', 'complete', 'done', 'ok', '成功', '已完成', '完成'],
  FAILED: ['failed', 'failure', 'error', '失败'],
  PARTIAL_SUCCESS: ['partial', 'partial success', 'partially completed', '部分成功', '部分完成'],
}
const STATUS_OF: ReadonlyMap<string, ReportStatus> = new Map(
  // Of Object.entries, TypeScript knows the keys as strings; these are the ones above.
  Object.entries(WORDS).flatMap(([status, words]) => words.map((word) => [word, status as ReportStatus] as const)),
)

const WORD_CHARS_MAX = 200
const COMMENT = /(?:^|\s)#.*/s
/** Quotes, emphasis, ticks, and what ends a sentence: none of them turns a word into its opposite. */
const AROUND =
  /^[\s\ufe0f"'`“”‘’「」*_✅✔☑]+|(?<![\s\ufe0f"'`“”‘’「」*_✅✔☑.,;!。，；！])[\s\ufe0f"'`“”‘’「」*_✅✔☑.,;!。，；！]+$/gu

/** `UNKNOWN`: none of the words that are known, among them `waiting_input` and a template that nobody has filled in. */
export function reportStatusOf(word: string | null): ReportStatus {
  if (word === null || word.length > WORD_CHARS_MAX) return 'UNKNOWN'
  const bare = word.replace(COMMENT, '').replace(AROUND, '')
  return STATUS_OF.get(bare.toLowerCase().replace(/[\s_-]+/g, ' ')) ?? 'UNKNOWN'
}

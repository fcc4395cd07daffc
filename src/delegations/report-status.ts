/** The words that workers write for the status (O2-07). */
import type { ReportStatus } from '../core/terms/delegation.ts'

const WORDS: Record<Exclude<ReportStatus, 'UNKNOWN'>, readonly string[]> = {
  SUCCESS: ['success', 'completed', 'complete', 'done', 'ok', '成功', '已完成', '完成'],
  FAILED: ['failed', 'failure', 'error', '失败'],
  PARTIAL_SUCCESS: ['partial', 'partial success', 'partially completed', '部分成功', '部分完成'],
}
const STATUS_OF: ReadonlyMap<string, ReportStatus> = new Map(
  // TypeScript types the keys of Object.entries as strings; they are the keys above.
  Object.entries(WORDS).flatMap(([status, words]) => words.map((word) => [word, status as ReportStatus] as const)),
)

const WORD_CHARS_MAX = 200
const COMMENT = /(?:^|\s)#.*/s
/** Quotes, emphasis, ticks and the end of a sentence; none of them changes the meaning of a word. */
const AROUND =
  /^[\s\ufe0f"'`“”‘’「」*_✅✔☑]+|(?<![\s\ufe0f"'`“”‘’「」*_✅✔☑.,;!。，；！])[\s\ufe0f"'`“”‘’「」*_✅✔☑.,;!。，；！]+$/gu

/** `UNKNOWN`: no known word, for example `waiting_input` or a template that was not filled in. */
export function reportStatusOf(word: string | null): ReportStatus {
  if (word === null || word.length > WORD_CHARS_MAX) return 'UNKNOWN'
  const bare = word.replace(COMMENT, '').replace(AROUND, '')
  return STATUS_OF.get(bare.toLowerCase().replace(/[\s_-]+/g, ' ')) ?? 'UNKNOWN'
}

/** What is read from the bytes that an address answered, and how large the parts of it may be. */
import type { Attempt } from '../core/terms/attempt.ts'

/** The bytes of an answer, with what its sender said of them. */
export interface PageSource {
  bytes: Uint8Array<ArrayBuffer>
  /** The `Content-Type` as it was sent; empty where there was none. */
  content_type: string
  /** Where the answer came from. Relative links start there. */
  address: string
  /** Whether `bytes` are only the beginning of the answer. */
  is_cut: boolean
}

/** How much work a page may be. The bound depends on whether other requests wait meanwhile. */
export interface PageBounds {
  /** Elements and texts of an HTML page. */
  nodes_max: number
  pdf_bytes_max: number
  /** Unpacked bytes of a PDF, which bound the time that it takes. */
  pdf_unpacked_bytes_max: number
  pdf_pages_max: number
}
const MIB = 1_048_576
/** For an isolate where no other request waits. */
export const PAGES: PageBounds = {
  nodes_max: 20_000,
  pdf_bytes_max: 10 * MIB,
  pdf_unpacked_bytes_max: 64 * MIB,
  pdf_pages_max: 200,
}
/** For an isolate where other requests wait meanwhile. */
export const SMALL_PAGES: PageBounds = {
  nodes_max: 5_000,
  pdf_bytes_max: 2 * MIB,
  pdf_unpacked_bytes_max: 8 * MIB,
  pdf_pages_max: 30,
}

export interface PageLink {
  text: string
  address: string
}
/** What a page holds, in Markdown where it is HTML. */
export interface WebPage {
  kind: 'html' | 'pdf' | 'json' | 'text'
  title: string | null
  description: string | null
  /** When it was published or last changed, as the page says it. */
  date: string | null
  text: string
  /** The links that are not in the text. */
  links: PageLink[]
  /** Whether there is more of the page than `text`. */
  is_cut: boolean
  /** Whether the page has scripts and next to no text, so that a browser would show more. */
  is_made_by_script: boolean
}

/** Why nothing was read: the bytes are no text, or a PDF that cannot be read. `detail` is a number of the reason. */
export interface PageError {
  kind: 'binary' | 'pdf_too_large' | 'pdf_unpacks' | 'pdf_encrypted' | 'pdf_damaged'
  detail: number
}
export type PageResult = Attempt<WebPage, PageError>

/** The most characters that are kept of one page. */
export const TEXT_CHARS_MAX = 400_000
const WORDS_CHARS_MAX = 500

/** One line of text, or null where there is nothing to see. */
export function lineOf(text: string | null | undefined): string | null {
  const line = (text ?? '')
    .slice(0, 4 * WORDS_CHARS_MAX)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed()
  if (line === '') return null
  return line.length > WORDS_CHARS_MAX ? `${line.slice(0, WORDS_CHARS_MAX).toWellFormed()}…` : line
}

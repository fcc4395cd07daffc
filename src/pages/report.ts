/**
 * What the model is shown of a page: what it is, one part of its text, and its other links. The first line says that all of it is data, because
 * the text was written by strangers.
 */
import type { PageJob, PageReport } from '../shell/ports.ts'
import type { WebPage, PageLink, PageResult } from './page.ts'
import { PAGE_WORDS, type PageWords } from './texts.ts'

type Shown = Pick<PageJob, 'address' | 'content_type' | 'page' | 'chars_max' | 'locale'>

/** The fewest characters of a part, however short observations are. */
const PART_CHARS_MIN = 200
/** What a mode may put around the text, and the line about a missing end. */
const FRAME_CHARS = 160
/** The part of the room for links that are not in the text. */
const LINKS_PART = 0.2

export function pageReport(read: PageResult, shown: Shown): PageReport {
  const words = PAGE_WORDS[shown.locale]
  if (!read.ok) return { ok: false, code: 'unreadable', text: words.errors[read.error.kind](read.error.detail) }
  const page = read.value
  const links = linksText(page.links, LINKS_PART * shown.chars_max, words)
  if (page.text === '') return { ok: true, code: 'page_empty', text: emptyText(page, links, shown, words) }
  const facts = (parts: number) => headOf(page, shown, words, parts)
  const room = shown.chars_max - jsonChars(facts(1_000) + links) - FRAME_CHARS
  // The room for the links is left in every part, so that the parts are the same for every call.
  const parts = partsOf(page.text, Math.max(PART_CHARS_MIN, room))
  const part = parts[shown.page - 1]
  if (part === undefined) return { ok: false, code: 'no_such_page', text: words.noSuchPage(shown.page, parts.length) }
  const text = [facts(parts.length), part, ...(links === '' || shown.page > 1 ? [] : [links])].join('\n')
  return { ok: true, code: page.is_made_by_script ? 'page_empty' : 'page_read', text }
}

function headOf(
  page: WebPage,
  { address, content_type, page: number }: Shown,
  words: PageWords,
  parts: number,
): string {
  return [
    words.data(address),
    ...(page.title === null ? [] : [words.title(page.title)]),
    [words.type(content_type || page.kind), ...(page.date === null ? [] : [words.date(page.date)])].join(' · '),
    ...(page.is_made_by_script ? [words.madeByScript] : []),
    ...(page.is_cut && number === parts ? [words.cut] : []),
    ...(parts > 1 ? [words.part(number, parts)] : []),
    '---',
  ].join('\n')
}

function emptyText(page: WebPage, links: string, { address, content_type }: Shown, words: PageWords): string {
  const reason = page.kind === 'pdf' ? words.imagesOnly : page.is_made_by_script ? words.madeByScript : words.empty
  return [
    words.data(address),
    ...(page.title === null ? [] : [words.title(page.title)]),
    words.type(content_type || page.kind),
    reason,
    ...(page.description === null ? [] : [page.description]),
    ...(links === '' ? [] : [links]),
  ].join('\n')
}

function linksText(links: readonly PageLink[], room: number, words: PageWords): string {
  const lines: string[] = []
  let chars = jsonChars(words.links) + 2
  for (const { text, address } of links) {
    const line = `- [${text}](${address})`
    chars += jsonChars(line) + 2
    if (chars > room) break
    lines.push(line)
  }
  return lines.length === 0 ? '' : ['---', words.links, ...lines].join('\n')
}

/** How many characters JSON takes for a text. */
const jsonChars = (text: string): number => JSON.stringify(text).length - 2

const PREFERRED_PART = 0.7

/** Cuts a text into parts of at most so many characters of JSON, between paragraphs where there is one, else between lines or words. */
export function partsOf(text: string, chars_max: number): string[] {
  const parts: string[] = []
  let start = 0
  while (start < text.length) {
    const end = endOfPart(text, start, chars_max)
    const part = text.slice(start, end).trim()
    if (part !== '') parts.push(part)
    start = end
  }
  return parts.length === 0 ? [''] : parts
}

function endOfPart(text: string, start: number, chars_max: number): number {
  let [end, chars] = [start, 0]
  while (end < text.length) {
    const next = text.codePointAt(end) ?? 0
    chars += next > 0xffff ? 2 : next < 32 || next === 34 || next === 92 ? controlChars(next) : 1
    if (chars > chars_max && end > start) break
    end += next > 0xffff ? 2 : 1
  }
  if (end >= text.length) return end
  const least = start + Math.floor((end - start) * PREFERRED_PART)
  for (const boundary of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(boundary, end)
    if (at > least) return at
  }
  return end
}

/** JSON has short escapes for white space, quotation marks and backslashes, and long ones for the rest. */
const controlChars = (code: number) => (code >= 32 || code === 9 || code === 10 || code === 13 ? 2 : 6)

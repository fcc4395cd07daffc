/**
 * Cleans the results of providers: plain text on one line, and links to the web only. A result is written by strangers; its markup, line breaks
 * or direction marks must not shape the list that a model or a person reads.
 */
import type { SearchHit } from '../shell/ports.ts'

/** The most characters of a title and of a summary that are kept. */
const TITLE_MAX = 200
const SUMMARY_MAX = 500
/** A longer link is dropped, because people cannot use it. */
const LINK_MAX = 2_000

/** A result of a provider; `html` says that title and summary are markup and not plain text. */
interface RawHit {
  title: string
  summary: string | null | undefined
  link: string
  html?: boolean
}

/** The first `top_k` usable results, each link once. A result without a web link is dropped; one without a title shows its host. */
export function toHits(raws: RawHit[], top_k: number): SearchHit[] {
  const hits = new Map<string, SearchHit>()
  for (const raw of raws) {
    if (hits.size >= top_k) break
    const url = webUrl(raw.link)
    if (url === null || hits.has(url.href)) continue
    const title = cleanText(raw.title, raw.html === true, TITLE_MAX)
    const summary = cleanText(raw.summary ?? '', raw.html === true, SUMMARY_MAX)
    hits.set(url.href, { title: title === '' ? url.hostname : title, summary, link: url.href })
  }
  return [...hits.values()]
}

function webUrl(link: string): URL | null {
  const url = URL.canParse(link) ? new URL(link) : null
  const usable = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.href.length <= LINK_MAX
  return usable ? url : null
}

/** Cuts the text before the work, because an attack may be long, and again after it. */
function cleanText(text: string, html: boolean, chars_max: number): string {
  const source = text.slice(0, 20 * chars_max)
  const plain = html ? decodeEntities(withoutTags(source)) : source
  const line = plain
    .toWellFormed()
    .replace(/[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const chars = [...line]
  return chars.length > chars_max ? `${chars.slice(0, chars_max).join('').trimEnd()}…` : line
}

/** `[^<>]` keeps the search for an end from scanning the whole text once for every "<". */
function withoutTags(html: string): string {
  return html
    .replace(/<!--[^<>]*-->|<\/?(?:br|p|div|li|ul|ol|tr|td|th|h[1-6])(?:\s[^<>]*|\/)?>/gi, ' ')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  middot: '·',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
}

/** Decodes each entity once: `&amp;lt;` is the text `&lt;`. Unknown ones stay as they are. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? whole) : whole
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' '
  })
}

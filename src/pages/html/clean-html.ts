/**
 * Rewrites HTML as a small well-formed document, in one pass and in a bounded number of elements. What comes behind may then take more than
 * linear time, because neither depth nor length of its input is a choice of the page.
 */
import { Parser } from 'htmlparser2'
import { lineOf, type PageLink } from '../page.ts'

export interface CleanHtml {
  html: string
  title: string | null
  description: string | null
  date: string | null
  /** All links of the page with a text, each address once. */
  links: PageLink[]
  /** Texts that the page holds for programs (JSON-LD). */
  data: string[]
  scripts: number
  /** The visible characters. */
  chars: number
  /** The most nodes that a parser makes of `html`: it may make nodes of its own of an escaped character and of the text behind it. */
  nodes: number
  is_cut: boolean
}

/** Their content is not for readers. */
const DROPPED: ReadonlySet<string> = new Set(
  'script style noscript template svg math iframe object embed canvas audio video select textarea button dialog'.split(
    ' ',
  ),
)
/** Their tags are left out, and what they hold is kept. */
const UNWRAPPED: ReadonlySet<string> = new Set(
  'html head body form font center meta link base input title source track wbr area map frameset frame'.split(' '),
)
const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'col'])
/** What the extraction and the Markdown look at. */
const ATTRIBUTES: readonly string[] = ['class', 'id', 'role', 'itemprop', 'alt', 'datetime', 'dir', 'rel']

/** Deeper elements are left out and their texts kept. Real pages have less than half of this. */
const DEPTH_MAX = 60
/** The parser looks through its open elements at each end tag, so a page that opens more than this is read no further. */
const OPEN_MAX = 512
const ATTRIBUTE_CHARS_MAX = 200
const ADDRESS_CHARS_MAX = 2_000
const TEXT_CHARS_MAX = 1_000_000
const LINKS_MAX = 200
const LINK_TEXT_CHARS_MAX = 200
const DATA_CHARS_MAX = 100_000
/** The parser is stopped between pieces of the page. */
const PIECE_CHARS = 16_384

export function cleanHtml(source: string, address: string, nodes_max: number): CleanHtml {
  const writer = newWriter(nodes_max)
  const facts = newFacts(address)
  let opened = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      opened += 1
      if (opened > OPEN_MAX) return writer.stop()
      facts.open(name, attributes, writer.isHidden())
      writer.open(name, attributes, facts.addressOf)
    },
    ontext(text) {
      if (!facts.text(text)) writer.text(text)
    },
    onclosetag(name) {
      opened -= 1
      facts.close(name)
      writer.close(name)
    },
  })
  let at = 0
  while (at < source.length && !writer.isFull()) {
    parser.write(source.slice(at, at + PIECE_CHARS))
    at += PIECE_CHARS
  }
  if (!writer.isFull()) parser.end()
  const { html, chars, nodes } = writer.result()
  return { ...facts.result(), html: documentOf(html), chars, nodes, is_cut: writer.isFull() }
}

const documentOf = (body: string) => `<!doctype html><html><head></head><body>${body}</body></html>`
type Attributes = Record<string, string>

/** Writes the elements that readers see. Once it is full it takes no more. */
function newWriter(nodes_max: number) {
  const parts: string[] = []
  const open: { name: string; is_written: boolean; is_dropped: boolean }[] = []
  let [depth, dropped, nodes, splits, chars, is_full] = [0, 0, 0, 0, 0, false]
  const closeLast = () => {
    const last = open.pop()
    if (last?.is_dropped === true) dropped -= 1
    if (last?.is_written !== true) return
    depth -= 1
    parts.push(`</${last.name}>`)
  }
  return {
    stop: () => void (is_full = true),
    isFull: () => is_full,
    isHidden: () => dropped > 0,
    open(name: string, attributes: Attributes, addressOf: (href: string) => string | null) {
      if (is_full) return
      const is_dropped = DROPPED.has(name) || isInvisible(attributes)
      if (is_dropped) dropped += 1
      const is_void = VOID.has(name)
      const is_written = dropped === 0 && !UNWRAPPED.has(name) && depth < DEPTH_MAX && TAG.test(name)
      if (is_written) {
        nodes += 1
        parts.push(`<${name}${shownAttributes(name, attributes, addressOf)}>`)
        if (!is_void) depth += 1
      }
      open.push({ name, is_written: is_written && !is_void, is_dropped })
      if (nodes >= nodes_max) is_full = true
    },
    text(text: string) {
      if (is_full || dropped > 0) return
      const kept = text.slice(0, TEXT_CHARS_MAX - chars)
      nodes += 1
      splits += kept.match(SPLITTING)?.length ?? 0
      chars += kept.trim().length
      parts.push(escaped(kept))
      if (nodes >= nodes_max || splits >= SPLITS_PER_NODE_MAX * nodes_max || kept.length < text.length) is_full = true
    },
    close(name: string) {
      if (is_full || open.at(-1)?.name !== name) return
      closeLast()
    },
    result() {
      while (open.length > 0) closeLast()
      return { html: parts.join(''), chars, nodes: nodes + 2 * splits }
    },
  }
}

/** Other names are custom elements, which are kept too, or rubbish. */
const TAG = /^[a-z][a-z0-9-]{0,30}$/

function isInvisible({ hidden, style, 'aria-hidden': aria }: Attributes): boolean {
  const styled = (style ?? '').slice(0, ADDRESS_CHARS_MAX).replace(/\s/g, '').toLowerCase()
  return (
    hidden !== undefined || aria === 'true' || styled.includes('display:none') || styled.includes('visibility:hidden')
  )
}

function shownAttributes(name: string, attributes: Attributes, addressOf: (href: string) => string | null): string {
  const shown = ATTRIBUTES.flatMap((attribute) => {
    const value = attributes[attribute]
    return value === undefined ? [] : [` ${attribute}="${escaped(value.slice(0, ATTRIBUTE_CHARS_MAX))}"`]
  })
  const href = name === 'a' ? addressOf(attributes['href'] ?? '') : null
  // The extractor drops an image without a source; the Markdown names it by its text alone.
  if (name === 'img') shown.push(' src="#"')
  return [...shown, ...(href === null ? [] : [` href="${escaped(href)}"`])].join('')
}

/** What is escaped here, or by a serializer, and then read as a text of its own. */
const SPLITTING = /[&<>"\u00a0]/g
/** A page with more of them for each node that it may have is cut. */
const SPLITS_PER_NODE_MAX = 5
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? char)

/** Gathers what the page says of itself: its title, its links, and its texts for programs. */
function newFacts(address: string) {
  let base = address
  const meta = new Map<string, string>()
  const links = new Map<string, string>()
  let titles: string | null = null
  let link: { address: string; text: string } | null = null
  const data: string[] = []
  let reading: 'title' | 'data' | null = null
  let [scripts, data_chars] = [0, 0]
  const addressOf = (href: string): string | null => {
    const url = href === '' || href.length > ADDRESS_CHARS_MAX ? null : URL.parse(href.trim(), base)
    return url !== null && /^(?:https?|mailto):$/.test(url.protocol) && url.href.length <= ADDRESS_CHARS_MAX
      ? url.href
      : null
  }
  const closeLink = () => {
    const text = lineOf(link?.text)?.slice(0, LINK_TEXT_CHARS_MAX) ?? null
    if (link !== null && text !== null && links.size < LINKS_MAX && !links.has(link.address))
      links.set(link.address, text)
    link = null
  }
  return {
    addressOf,
    open(name: string, attributes: Attributes, is_hidden: boolean) {
      if (name === 'title' && titles === null && !is_hidden) reading = 'title'
      if (name === 'base') base = addressOf(attributes['href'] ?? '') ?? base
      if (name === 'meta') noteMeta(meta, attributes)
      if (name === 'script') {
        scripts += 1
        if ((attributes['type'] ?? '').toLowerCase().startsWith('application/ld+json')) {
          reading = 'data'
          data.push('')
        }
      }
      if (name !== 'a' || is_hidden) return
      closeLink()
      const href = addressOf(attributes['href'] ?? '')
      if (href !== null && !href.startsWith('mailto:') && href !== address) link = { address: href, text: '' }
    },
    /** Whether the text is taken, because it is none for readers. */
    text(text: string): boolean {
      if (reading === 'title') titles = ((titles ?? '') + text).slice(0, 4 * ADDRESS_CHARS_MAX)
      if (reading === 'data' && data_chars < DATA_CHARS_MAX) {
        data_chars += text.length
        data.push((data.pop() ?? '') + text)
      }
      if (reading === null && link !== null && link.text.length < LINK_TEXT_CHARS_MAX) link.text += text
      return reading !== null
    },
    close(name: string) {
      if (name === 'a') closeLink()
      if (name === 'title' || name === 'script') reading = null
    },
    result(): Omit<CleanHtml, 'html' | 'chars' | 'nodes' | 'is_cut'> {
      closeLink()
      const first = (...names: string[]) => names.map((name) => lineOf(meta.get(name))).find((value) => value !== null)
      return {
        title: first('og:title') ?? lineOf(titles),
        description: first('description', 'og:description', 'twitter:description') ?? null,
        date: first('article:published_time', 'date', 'datepublished', 'dc.date', 'article:modified_time') ?? null,
        links: [...links].map(([at, text]) => ({ text, address: at })),
        data,
        scripts,
      }
    },
  }
}

const META_MAX = 200
function noteMeta(meta: Map<string, string>, { property, name, itemprop, content }: Attributes): void {
  const key = (property ?? name ?? itemprop ?? '').toLowerCase()
  if (key !== '' && content !== undefined && !meta.has(key) && meta.size < META_MAX)
    meta.set(key, content.slice(0, 4_000))
}

/**
 * The readable part of an HTML page. The extractor is made for articles; of a page that is none, such as a list of links, it keeps too
 * little, and then the whole page is taken.
 */
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom/worker'
import { lineOf, TEXT_CHARS_MAX, type WebPage } from '../page.ts'
import { cleanHtml, type CleanHtml } from './clean-html.ts'
import { markdownOf, type DomElement, type Markdown } from './markdown.ts'

/** A page with fewer visible characters shows nothing that is worth its address. */
const EMPTY_CHARS = 200
/** An article with fewer characters than this, and with a smaller part of the page, is only a part of what was meant. */
const ARTICLE_CHARS = 2_000
const ARTICLE_PART = 0.4
/** The extractor passes all children of an element to one call, and each of them takes room on the stack. A page with more nodes is taken whole. */
const EXTRACTED_NODES_MAX = 40_000

export function readHtml(source: string, address: string, nodes_max: number): WebPage {
  const clean = cleanHtml(source, address, nodes_max)
  const article = clean.chars === 0 ? null : articleOf(clean)
  const data = dataOf(clean.data)
  const { text, addresses } = article?.markdown ?? { text: '', addresses: new Set<string>() }
  return {
    kind: 'html',
    title: clean.title ?? data.title,
    description: clean.description ?? data.description,
    date: clean.date ?? article?.date ?? data.date,
    text: text === '' ? (data.text ?? '') : text.slice(0, TEXT_CHARS_MAX),
    links: clean.links.filter((link) => !addresses.has(link.address)),
    is_cut: clean.is_cut || text.length > TEXT_CHARS_MAX,
    is_made_by_script: clean.chars < EMPTY_CHARS && clean.scripts > 0,
  }
}

interface Article {
  markdown: Markdown
  date: string | null
}

function articleOf(clean: CleanHtml): Article {
  const found = clean.nodes > EXTRACTED_NODES_MAX ? null : extractedOf(clean.html)
  const date = lineOf(found?.publishedTime)
  const article = found?.content ? markdownOf(found.content) : null
  const is_enough = (chars: number) => chars >= ARTICLE_CHARS || chars >= ARTICLE_PART * clean.chars
  if (article !== null && article.text !== '' && is_enough(article.text.length)) return { markdown: article, date }
  // The extractor has changed its document.
  const { body } = parseHTML(clean.html).document
  const whole = markdownOf(body)
  return { markdown: whole, date }
}

function extractedOf(html: string) {
  const { document } = parseHTML(html)
  const options = { charThreshold: EMPTY_CHARS, disableJSONLD: true, keepClasses: true }
  // The cast holds because the serializer is given the element that was found, which is of the document above.
  const serializer = (element: unknown) => element as DomElement
  return new Readability<DomElement>(document, { ...options, serializer }).parse()
}

interface PageData {
  title: string | null
  description: string | null
  date: string | null
  text: string | null
}

const DATA_TEXT_CHARS_MAX = 20_000

/** What the page says of itself for programs. Pages that scripts make often have their text here. */
function dataOf(texts: readonly string[]): PageData {
  const nodes = texts.flatMap(nodesIn)
  const first = (...names: string[]): string | null =>
    nodes.flatMap((node) => names.map((name) => node.get(name))).find((value) => typeof value === 'string') ?? null
  return {
    title: lineOf(first('headline', 'name')),
    description: lineOf(first('description')),
    date: lineOf(first('datePublished', 'dateModified')),
    text: first('articleBody', 'text')?.slice(0, DATA_TEXT_CHARS_MAX).toWellFormed() ?? null,
  }
}

const NODES_MAX = 50
function nodesIn(text: string): Map<string, unknown>[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  const asList = (one: unknown): unknown[] => (Array.isArray(one) ? one.slice(0, NODES_MAX) : [one])
  return asList(value)
    .flatMap((one) => [one, ...asList(isObject(one) ? Reflect.get(one, '@graph') : [])])
    .filter(isObject)
    .map((node) => new Map(Object.entries(node)))
}
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

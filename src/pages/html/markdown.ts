/** An element as Markdown. Its depth is bounded by the document that it comes from (clean-html.ts), so that this may call itself. */

const BLOCKS: ReadonlySet<string> = new Set(
  'P DIV SECTION ARTICLE MAIN HEADER FOOTER NAV ASIDE FIGURE FIGCAPTION ADDRESS DETAILS SUMMARY DL DT DD UL OL LI BLOCKQUOTE PRE TABLE THEAD TBODY TFOOT TR TH TD CAPTION H1 H2 H3 H4 H5 H6 HR FIELDSET LEGEND HGROUP'.split(
    ' ',
  ),
)
const MARKS: Readonly<Record<string, string>> = { STRONG: '**', B: '**', EM: '*', I: '*', DEL: '~~', S: '~~' }

/** The part of a document that is read here. The types of this project have no document. */
interface DomNode {
  nodeType: number
  textContent: string | null
}
export interface DomElement extends DomNode {
  tagName: string
  childNodes: Iterable<DomNode>
  children: Iterable<DomElement>
  firstElementChild: DomElement | null
  getAttribute(name: string): string | null
  querySelector(selectors: string): DomElement | null
}

export interface Markdown {
  text: string
  /** Where its links lead. */
  addresses: ReadonlySet<string>
}

export function markdownOf(root: DomElement): Markdown {
  const addresses = new Set<string>()
  return { text: blocksOf(root, addresses).join('\n\n'), addresses }
}

/** The blocks of an element. Text between them is a block of its own. */
function blocksOf(element: DomElement, addresses: Set<string>): string[] {
  const blocks: string[] = []
  let line: string[] = []
  const endLine = () => {
    const text = tidied(line.join(''))
    if (text !== '') blocks.push(text)
    line = []
  }
  for (const node of element.childNodes) {
    if (isElement(node) && (BLOCKS.has(node.tagName) || holdsBlock(node))) {
      endLine()
      for (const block of blockOf(node, addresses)) if (block !== '') blocks.push(block)
    } else line.push(inlineOf(node, addresses))
  }
  endLine()
  return blocks
}

const isElement = (node: DomNode): node is DomElement => node.nodeType === 1

/** Whether an element of a line, such as a link, has a block right in it. */
function holdsBlock(element: DomElement): boolean {
  for (const node of element.childNodes) if (isElement(node) && BLOCKS.has(node.tagName)) return true
  return false
}

function blockOf(element: DomElement, addresses: Set<string>): string[] {
  const { tagName: name } = element
  if (/^H[1-6]$/.test(name)) {
    const text = oneLine(inlineOfChildren(element, addresses))
    return text === '' ? [] : [`${'#'.repeat(Number(name[1]))} ${text}`]
  }
  if (name === 'UL' || name === 'OL') return [listOf(element, addresses)]
  if (name === 'PRE') return [codeBlock(element)]
  if (name === 'TABLE') return tableOf(element, addresses)
  if (name === 'HR') return ['---']
  if (name === 'BLOCKQUOTE') return [indented(blocksOf(element, addresses).join('\n\n'), '> ', '> ')]
  if (name === 'DT') return blocksOf(element, addresses).map((block) => `**${block.replaceAll('**', '')}**`)
  if (name === 'A') return linkedBlocks(element, addresses)
  return blocksOf(element, addresses)
}

/** A link around blocks stands behind them. */
function linkedBlocks(element: DomElement, addresses: Set<string>): string[] {
  const blocks = blocksOf(element, addresses)
  const href = element.getAttribute('href')
  if (href === null || blocks.length === 0) return blocks
  addresses.add(href)
  return [...blocks, `[→](${href})`]
}

function listOf(list: DomElement, addresses: Set<string>): string {
  const is_ordered = list.tagName === 'OL'
  let number = 0
  const items: string[] = []
  for (const node of list.childNodes) {
    const text = isElement(node) ? blocksOf(node, addresses).join('\n') : ''
    if (text === '') continue
    number += 1
    const bullet = is_ordered ? `${number}. ` : '- '
    items.push(indented(text, bullet, ' '.repeat(bullet.length)))
  }
  return items.join('\n')
}

const indented = (text: string, first: string, next: string) =>
  text
    .split('\n')
    .map((line, index) => (index === 0 ? first : next) + line)
    .map((line) => (line.trim() === '' ? line.trimEnd() : line))
    .join('\n')

function codeBlock(element: DomElement): string {
  const code = (element.textContent ?? '').replace(/^\n/, '').trimEnd()
  if (code === '') return ''
  const language = /(?:^|\s)lang(?:uage)?-([a-z0-9+#]{1,20})/i.exec(classesOf(element))?.[1] ?? ''
  return `${fenceOf(code)}${language}\n${code}\n${fenceOf(code)}`
}

const classesOf = (element: DomElement) =>
  [element, element.firstElementChild].map((one) => one?.getAttribute('class') ?? '').join(' ')

/** Longer than any run of backticks in the code. */
const fenceOf = (code: string) =>
  '`'.repeat(Math.max(2, ...Array.from(code.matchAll(/`+/g), ([run]) => Math.min(run.length, 20))) + 1)

/** A table of data as Markdown. One that only arranges the page is read cell by cell. */
function tableOf(table: DomElement, addresses: Set<string>): string[] {
  const rows = rowsOf(table)
  const width = Math.max(0, ...rows.map((cells) => cells.length))
  if (width < 2 || rows.length < 2 || rows.some((cells) => cells.some(isLayout))) return blocksOf(table, addresses)
  const lines = rows.map((cells) => {
    const texts = cells.map((cell) => oneLine(inlineOfChildren(cell, addresses)).replaceAll('|', '\\|'))
    return `| ${[...texts, ...Array<string>(width - texts.length).fill('')].join(' | ')} |`
  })
  return [[lines[0], `|${' --- |'.repeat(width)}`, ...lines.slice(1)].join('\n')]
}

const CELLS_MAX = 200
function rowsOf(table: DomElement): DomElement[][] {
  const rows: DomElement[][] = []
  for (const node of table.childNodes) {
    if (!isElement(node)) continue
    if (node.tagName === 'TR') rows.push([...node.children].slice(0, CELLS_MAX))
    else if (/^T(?:HEAD|BODY|FOOT)$/.test(node.tagName)) rows.push(...rowsOf(node))
  }
  return rows
}
/** Whether a cell holds a part of the page: another table, a heading, or several paragraphs. */
const isLayout = (cell: DomElement) => cell.querySelector('table, h1, h2, h3, p + p, div + div, pre') !== null

const inlineOfChildren = (element: DomElement, addresses: Set<string>): string => {
  const parts: string[] = []
  for (const node of element.childNodes) parts.push(inlineOf(node, addresses))
  return parts.join('')
}

function inlineOf(node: DomNode, addresses: Set<string>): string {
  if (!isElement(node)) return node.nodeType === 3 ? (node.textContent ?? '').replace(/\s+/g, ' ') : ''
  const { tagName: name } = node
  if (name === 'BR') return '\n'
  if (name === 'IMG') return imageText(node)
  const text = inlineOfChildren(node, addresses)
  if (name === 'CODE' || name === 'KBD') return text.trim() === '' ? text : `\`${text.replaceAll('`', "'")}\``
  const mark = MARKS[name]
  if (mark !== undefined)
    return text.trim() === '' ? text : `${mark}${text.trim()}${mark}${/\s$/.test(text.slice(-1)) ? ' ' : ''}`
  if (name === 'A') return linkText(node, text, addresses)
  return BLOCKS.has(name) ? ` ${text} ` : text
}

function imageText(image: DomElement): string {
  const alt = oneLine(image.getAttribute('alt') ?? '')
  return alt === '' ? '' : `![${alt}]`
}

function linkText(link: DomElement, text: string, addresses: Set<string>): string {
  const href = link.getAttribute('href')
  const words = oneLine(text)
  if (href === null || words === '') return text
  addresses.add(href)
  return `[${words}](${href})`
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
/** The lines of a paragraph, without spaces around them. */
const tidied = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replace(/ {2,}/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

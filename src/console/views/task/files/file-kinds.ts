/** The kinds of files by their names, and how each is shown. Names and contents come from models and may be hostile. */
import { parseJson } from '../../../parse.ts'

type PreviewKind = 'image' | 'markdown' | 'table' | 'json' | 'text' | 'none'
const PREVIEW_KINDS: Readonly<Record<string, PreviewKind>> = {
  svg: 'image',
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  webp: 'image',
  md: 'markdown',
  csv: 'table',
  tsv: 'table',
  json: 'json',
  txt: 'text',
  log: 'text',
  js: 'text',
  py: 'text',
  html: 'text',
  xml: 'text',
  yaml: 'text',
  yml: 'text',
}
const IMAGES: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}
const endingOf = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase()
const entryFor = <T>(table: Readonly<Record<string, T>>, name: string): T | null => {
  const ending = endingOf(name)
  return Object.hasOwn(table, ending) ? (table[ending] ?? null) : null
}

/** Decides by the name alone how a file is shown. All texts are shown as text, HTML too. */
export const previewKindOf = (name: string): PreviewKind => entryFor(PREVIEW_KINDS, name) ?? 'none'
/** Returns the type under which the browser gets a picture; null for any other file. */
export const imageTypeOf = (name: string): string | null => entryFor(IMAGES, name)

/** Returns the files among `names` that a Markdown text shows as pictures. They are drawn below the text, not in it. */
export function picturesIn(markdown: string, names: readonly string[]): string[] {
  const matches = [...markdown.matchAll(/!\[[^[\]\n]{0,1000}\]\(\s*<?(?:\.\/)?([A-Za-z0-9._-]{1,128})[>\s)]/g)]
  const pictures = matches.map(([, name = '']) => name)
  return [...new Set(pictures)].filter((name) => names.includes(name) && imageTypeOf(name) !== null)
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB'] as const
const KIB = 1024
export function sizeText(bytes: number): string {
  const power = bytes < KIB ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(KIB)), UNITS.length - 1)
  const amount = bytes / KIB ** power
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[power] ?? 'B'}`
}

/** Indents JSON, and returns any other text as it is. */
export function prettyJson(text: string): string {
  const read = parseJson(text)
  return read.ok ? JSON.stringify(read.value, null, 2) : text
}

/** The number of characters of a text that are drawn. */
export const TEXT_CHARS_MAX = 200_000

/** Kinds of files by their names, and how each is shown. Names and contents come from models: hostile. */

type PreviewKind = 'image' | 'markdown' | 'table' | 'json' | 'text' | 'none'
const SHAPES: Readonly<Record<string, PreviewKind>> = {
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
const found = <T>(table: Readonly<Record<string, T>>, name: string): T | null => {
  const ending = endingOf(name)
  return Object.hasOwn(table, ending) ? (table[ending] ?? null) : null
}

/** How a file is shown, by its name alone: what is text is shown as text, HTML too. */
export const previewKindOf = (name: string): PreviewKind => found(SHAPES, name) ?? 'none'
/** The type under which the browser is given a picture, and nothing else: null for what is none. */
export const imageTypeOf = (name: string): string | null => found(IMAGES, name)

/** The pictures among `names` that a Markdown text shows, each once, in its order: they are drawn below it, not in it. */
export function picturesIn(markdown: string, names: readonly string[]): string[] {
  const named = [...markdown.matchAll(/!\[[^[\]\n]{0,1000}\]\(\s*<?(?:\.\/)?([A-Za-z0-9._-]{1,128})[>\s)]/g)]
  const wanted = named.map(([, name = '']) => name)
  return [...new Set(wanted)].filter((name) => names.includes(name) && imageTypeOf(name) !== null)
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB'] as const
const KIB = 1024
export function sizeText(bytes: number): string {
  const power = bytes < KIB ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(KIB)), UNITS.length - 1)
  const amount = bytes / KIB ** power
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[power] ?? 'B'}`
}

/** Pretty where it is JSON, else as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Characters of a text that are drawn. */
export const TEXT_CHARS_MAX = 200_000

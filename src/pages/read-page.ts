/** Reads the bytes of an answer by what they are. What reads HTML and PDFs is loaded by the first of its kind. */
import { decodeText } from './charset.ts'
import { prettyJson } from './pretty-json.ts'
import { TEXT_CHARS_MAX, type WebPage, type PageBounds, type PageResult, type PageSource } from './page.ts'

/** `pause` lets other requests be served where the reading is in this isolate. */
export async function readPage(
  source: PageSource,
  bounds: PageBounds,
  pause: () => Promise<void>,
): Promise<PageResult> {
  const { bytes, content_type, address, is_cut } = source
  if (isPdf(bytes)) {
    const { readPdf } = await import('./pdf/read-pdf.ts')
    return await readPdf(bytes, is_cut, bounds, pause)
  }
  const essence = (content_type.split(';', 1)[0] ?? '').trim().toLowerCase()
  const text = decodeText(bytes, content_type, !essence.startsWith('text/plain'))
  if (text.slice(0, PROBE_CHARS).includes('\0'))
    return { ok: false, error: { kind: 'binary', detail: bytes.byteLength } }
  await pause()
  if (isHtml(essence, text)) {
    const { readHtml } = await import('./html/read-html.ts')
    const page = readHtml(text, address, bounds.nodes_max)
    return { ok: true, value: { ...page, is_cut: page.is_cut || is_cut } }
  }
  const json = /[/+]json$/.test(essence) || (essence === '' && /^\s*[[{]/.test(text.slice(0, PROBE_CHARS)))
  const pretty = json ? prettyJson(text) : null
  return { ok: true, value: plainPage(pretty === null ? 'text' : 'json', pretty ?? text, is_cut) }
}

/** The beginning of a text says whether it is one. */
const PROBE_CHARS = 1_024

/** A PDF may begin with a few other bytes. */
const isPdf = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes.subarray(0, 32)).includes('%PDF-')

const HTML_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml'])
const UNSAID_TYPES: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'application/unknown'])

const isHtml = (essence: string, text: string) =>
  HTML_TYPES.has(essence) ||
  (UNSAID_TYPES.has(essence) && /^\s*<(?:!doctype html|html|head|body)\b/i.test(text.slice(0, PROBE_CHARS)))

const plainPage = (kind: 'json' | 'text', text: string, is_cut: boolean): WebPage => ({
  kind,
  title: null,
  description: null,
  date: null,
  text: text.slice(0, TEXT_CHARS_MAX).replace(/\r\n?/g, '\n').toWellFormed().trimEnd(),
  links: [],
  is_cut: is_cut || text.length > TEXT_CHARS_MAX,
  is_made_by_script: false,
})

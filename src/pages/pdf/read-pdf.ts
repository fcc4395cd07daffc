/** The text of a PDF, page by page. Images, forms and scripts in it are not looked at. */
import { getDocumentProxy } from 'unpdf'
import { lineOf, TEXT_CHARS_MAX, type WebPage, type PageBounds, type PageError, type PageResult } from '../page.ts'
import { unpacksTo } from './unpacked-size.ts'

const fail = (kind: PageError['kind'], detail = 0): PageResult => ({ ok: false, error: { kind, detail } })
const MIB = 1_048_576

export async function readPdf(
  bytes: Uint8Array<ArrayBuffer>,
  is_cut: boolean,
  bounds: PageBounds,
  pause: () => Promise<void>,
): Promise<PageResult> {
  const { pdf_bytes_max, pdf_unpacked_bytes_max } = bounds
  if (is_cut || bytes.byteLength > pdf_bytes_max) return fail('pdf_too_large', Math.floor(pdf_bytes_max / MIB))
  if (unpacksTo(bytes, pdf_unpacked_bytes_max)) return fail('pdf_unpacks', Math.floor(pdf_unpacked_bytes_max / MIB))
  try {
    // The reader takes the bytes away, and what it says goes to nobody.
    const file = await getDocumentProxy(bytes, { verbosity: 0, isEvalSupported: false, disableFontFace: true })
    try {
      return { ok: true, value: await pageOf(file, bounds.pdf_pages_max, pause) }
    } finally {
      await file.destroy()
    }
  } catch (error) {
    return fail(error instanceof Error && error.name === 'PasswordException' ? 'pdf_encrypted' : 'pdf_damaged')
  }
}

type PdfFile = Awaited<ReturnType<typeof getDocumentProxy>>

async function pageOf(file: PdfFile, pages_max: number, pause: () => Promise<void>): Promise<WebPage> {
  const { info } = await file.getMetadata()
  const facts = new Map<string, unknown>(Object.entries(info))
  const pages: string[] = []
  let chars = 0
  const last = Math.min(file.numPages, pages_max)
  for (let number = 1; number <= last && chars < TEXT_CHARS_MAX; number += 1) {
    await pause()
    const text = await textOf(file, number)
    chars += text.length
    if (text !== '') pages.push(`## ${number} / ${file.numPages}\n\n${text}`)
  }
  const text = pages.join('\n\n')
  return {
    kind: 'pdf',
    title: lineOf(asText(facts.get('Title'))),
    description: lineOf(asText(facts.get('Subject'))),
    date: dateOf(asText(facts.get('ModDate')) ?? asText(facts.get('CreationDate'))),
    text: text.slice(0, TEXT_CHARS_MAX),
    links: [],
    is_cut: file.numPages > last || text.length > TEXT_CHARS_MAX,
    is_made_by_script: false,
  }
}

async function textOf(file: PdfFile, number: number): Promise<string> {
  const page = await file.getPage(number)
  const { items } = await page.getTextContent()
  const parts = items.flatMap((item) => ('str' in item ? [item.str, item.hasEOL ? '\n' : ''] : []))
  page.cleanup()
  return parts.join('').slice(0, TEXT_CHARS_MAX).trim().toWellFormed()
}

const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null)
/** A date as PDFs write it: `D:20240131…`. */
function dateOf(text: string | null): string | null {
  const found = /^D:(\d{4})(\d{2})?(\d{2})?/.exec(text ?? '')
  return found === null
    ? null
    : found
        .slice(1)
        .filter((part) => part !== undefined)
        .join('-')
}

/** Small PDFs, written by hand with their table of objects. */
import { zlibSync } from 'fflate'

const ASCII = new TextEncoder()

/** A PDF of one page per text, with plain streams unless `packed` says how each is made. */
export function pdfOf(
  texts: readonly string[],
  { title, extra = '' }: { title?: string; extra?: string } = {},
): Uint8Array<ArrayBuffer> {
  const kids = texts.map((_, index) => `${4 + 2 * index} 0 R`).join(' ')
  const pages = texts.flatMap((text, index) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents ${5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    streamOf(ASCII.encode(text === '' ? '' : `BT /F1 12 Tf 10 200 Td (${text}) Tj ET`), ''),
  ])
  return fileOf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count ${texts.length} >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      ...pages,
      `<< ${title === undefined ? '' : `/Title (${title})`} /ModDate (D:20240131120000Z) >>`,
    ],
    `/Info ${4 + 2 * texts.length} 0 R ${extra}`,
  )
}

/** A PDF with one packed stream that unpacks to so many bytes, packed `levels` times. */
export function bombOf(bytes: number, levels = 1): Uint8Array<ArrayBuffer> {
  let packed: Uint8Array = new Uint8Array(bytes)
  for (let level = 0; level < levels; level += 1) packed = zlibSync(packed)
  const filters = Array<string>(levels).fill('/FlateDecode').join(' ')
  return fileOf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>',
      streamOf(packed, `/Filter [${filters}]`),
    ],
    '',
  )
}

const streamOf = (data: Uint8Array, more: string): (string | Uint8Array)[] => [
  `<< /Length ${data.length} ${more} >>\nstream\n`,
  data,
  '\nendstream',
]

function fileOf(objects: readonly (string | (string | Uint8Array)[])[], trailer: string): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = []
  let length = 0
  const write = (piece: string | Uint8Array) => {
    const bytes = typeof piece === 'string' ? ASCII.encode(piece) : piece
    pieces.push(bytes)
    length += bytes.length
  }
  write('%PDF-1.4\n')
  const offsets = objects.map((object, index) => {
    const at = length
    write(`${index + 1} 0 obj\n`)
    for (const piece of [object].flat()) write(piece)
    write('\nendobj\n')
    return at
  })
  const table = length
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  write(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`)
  write(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${table}\n%%EOF\n`)
  const file = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    file.set(piece, at)
    at += piece.length
  }
  return file
}

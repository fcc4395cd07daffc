/**
 * What it takes to summarise a dataset and to load its columns, by what it takes to read and decode its bytes: a CSV of 100,000 rows and one of
 * 50 MB, made the same each time, read from a disk in chunks of 64 KB.
 */
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileEntry } from '../src/core/terms/files/files.ts'
import { loadColumns } from '../src/datasets/columns.ts'
import { summarizeDataset } from '../src/datasets/summary.ts'
import type { OpenFile } from '../src/shell/ports.ts'

const CHUNK_BYTES = 65_536
const MB = 1_000_000
const PRODUCTS = 100
const REGIONS = ['North', 'South', 'East', 'West']

export interface Measured {
  what: 'decode' | 'summary' | 'columns'
  mb: number
  rows: number
  ms: number
  mb_per_s: number
  /** By what decoding takes. */
  ratio: number
  /** Of the heap and of what lies beside it, array buffers among that; looked at with each chunk and at the end, with its garbage. */
  peak_mb: number
  /** Of array buffers alone: numbers and codes of columns, and chunks. */
  buffers_mb: number
}

const WANTED = ['region', 'amount']
const loadedColumns = (file: OpenFile) => loadColumns(file, null, (name) => WANTED.includes(name))

const two = (number: number) => String(number).padStart(2, '0')

function* linesOf(rows: number): Generator<string> {
  yield 'date,region,product,units,amount,order_id\n'
  for (let n = 0; n < rows; n++) {
    const date = `${2022 + (n % 3)}-${two((n % 12) + 1)}-${two((n % 28) + 1)}`
    const amount = ((n * 7_919) % 100_000) / 100
    yield `${date},${REGIONS[n % REGIONS.length]},Product ${n % PRODUCTS},${n % 50},${amount.toFixed(2)},${1_000_000 + n}\n`
  }
}

function opened(path: string, look: () => void): OpenFile {
  const chunks = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  chunks.on('data', look)
  // Node's type of a stream for browsers is not that of the platform, which it is.
  const body = Readable.toWeb(chunks) as unknown as ReadableStream<Uint8Array>
  const { size } = statSync(path)
  return { entry: fileEntry({ name: 'sales.csv', seq: 1, at: 0, bytes: size, source: 'client', blob: null }), body }
}

async function decoded({ body }: OpenFile): Promise<number> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let characters = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return characters
    characters += decoder.decode(value, { stream: true }).length
  }
}

async function summarised(file: OpenFile): Promise<number> {
  const read = await summarizeDataset(file, null, 5)
  if (!read.ok) throw new Error(`not read: ${read.error.kind}`)
  return read.value.rows
}

/** As code is given them that names these two. */
async function loaded(file: OpenFile): Promise<number> {
  const read = await loadedColumns(file)
  if (!read.ok) throw new Error(`not loaded: ${read.error.kind}`)
  return read.value.columns.length
}

/** Throws when rows are missing. */
export async function measureDataset(rows: number, runs: number): Promise<Measured[]> {
  const place = mkdtempSync(join(tmpdir(), 'bench-dataset-'))
  try {
    const path = join(place, 'sales.csv')
    await pipeline(Readable.from(linesOf(rows)), createWriteStream(path))
    const decode = await fastest(path, runs, decoded)
    const measured: Measured[] = [told('decode', rows, path, decode, decode.ms)]
    for (const [what, act] of [
      ['summary', summarised],
      ['columns', loaded],
    ] as const) {
      const best = await fastest(path, runs, act)
      if (best.answer !== rows) throw new Error(`${what}: ${best.answer} rows of ${rows}`)
      measured.push(told(what, rows, path, best, decode.ms))
    }
    return measured
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

interface Best {
  ms: number
  peak: number
  buffers: number
  answer: number
}

async function fastest(path: string, runs: number, act: (file: OpenFile) => Promise<number>): Promise<Best> {
  const best: Best = { ms: Number.POSITIVE_INFINITY, peak: 0, buffers: 0, answer: 0 }
  const look = () => {
    // What is external has the array buffers in it.
    const { heapUsed, external, arrayBuffers } = process.memoryUsage()
    best.peak = Math.max(best.peak, heapUsed + external)
    best.buffers = Math.max(best.buffers, arrayBuffers)
  }
  for (let run = 0; run < runs; run++) {
    const start = performance.now()
    best.answer = await act(opened(path, look))
    look()
    best.ms = Math.min(best.ms, performance.now() - start)
  }
  return best
}

function told(
  what: Measured['what'],
  rows: number,
  path: string,
  { ms, peak, buffers }: Best,
  decode_ms: number,
): Measured {
  const mb = statSync(path).size / MB
  const fixed = (value: number) => Number(value.toFixed(1))
  return {
    what,
    mb: fixed(mb),
    rows,
    ms: fixed(ms),
    mb_per_s: fixed((mb / ms) * 1_000),
    ratio: fixed(ms / decode_ms),
    peak_mb: fixed(peak / MB),
    buffers_mb: fixed(buffers / MB),
  }
}

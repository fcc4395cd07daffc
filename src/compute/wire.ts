/**
 * The messages between the API and the compute Worker. A request is one line of JSON, the job, and behind it the bytes of its file; an answer
 * is JSON. Both sides validate what they get, because they may be of different releases.
 */
import * as z from 'zod'
import { Locale } from '../core/terms/locale.ts'

/** The longest job: code and earlier results of the largest size, with each character escaped. */
export const LINE_BYTES_MAX = 8_388_608
/** The longest answer: results and charts of the largest size. */
export const ANSWER_BYTES_MAX = 8_388_608

/** The header with the time that a job may take in all. A supervisor between the two Workers ends a process that has not answered by then. */
export const WALL_HEADER = 'compute-wall-ms'

/** The statuses besides 200. */
export const STATUS = { bad_job: 400, failed: 500, restarted: 502, busy: 503, stopped: 504 } as const

const Sheet = z.union([z.string(), z.number(), z.null()])
const FileLine = z.object({
  name: z.string(),
  seq: z.int(),
  at: z.number(),
  bytes: z.number(),
  content_type: z.string(),
  source: z.enum(['client', 'tool', 'mode']),
})
const Common = { tenant: z.string(), timeout_ms: z.number().positive(), locale: Locale }

export const CodeRequest = z.object({
  ...Common,
  code: z.string(),
  dataset: FileLine.nullable(),
  sheet: Sheet,
  results: z.string().nullable(),
  key: z.string(),
})
type CodeRequest = z.infer<typeof CodeRequest>

export const DatasetRequest = z.object({
  ...Common,
  dataset: FileLine,
  sheet: Sheet,
  preview_rows: z.int().nonnegative(),
  chars_max: z.int().nonnegative(),
})
type DatasetRequest = z.infer<typeof DatasetRequest>

export const PageRequest = z.object({
  ...Common,
  source: FileLine,
  content_type: z.string(),
  address: z.string(),
  is_cut: z.boolean(),
  page: z.int().positive(),
  chars_max: z.int().nonnegative(),
})
/** What a job says besides the bytes behind it. */
export type JobRequest = CodeRequest | DatasetRequest | z.infer<typeof PageRequest>

export const CodeAnswer = z.object({
  ok: z.boolean(),
  stdout: z.string(),
  stderr: z.string(),
  results: z.string().nullable(),
  charts: z.array(z.object({ extension: z.literal('svg'), content: z.string() })),
})
export const DatasetAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), text: z.string() }),
  z.object({
    ok: z.literal(false),
    code: z.enum(['unknown_sheet', 'unreadable', 'compute_failed']),
    text: z.string(),
  }),
])

export const PageAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), code: z.enum(['page_read', 'page_empty']), text: z.string() }),
  z.object({ ok: z.literal(false), code: z.enum(['no_such_page', 'unreadable', 'compute_failed']), text: z.string() }),
])

export const requestLine = (asked: JobRequest): Uint8Array => new TextEncoder().encode(`${JSON.stringify(asked)}\n`)

interface SplitBody {
  /** The first line; null: it is too long, or the body has none. */
  line: string | null
  rest: ReadableStream<Uint8Array>
}

const LINE_END = 10

/** Takes the first line off a body; the rest is read on demand. Rejects when the body breaks off before the line ends. */
export async function firstLineOf(body: ReadableStream<Uint8Array>): Promise<SplitBody> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    const end = done ? -1 : value.indexOf(LINE_END)
    const part = done ? new Uint8Array() : end === -1 ? value : value.subarray(0, end)
    chunks.push(part)
    size += part.length
    if (done || size > LINE_BYTES_MAX) return { line: null, rest: restOf(reader, new Uint8Array()) }
    if (end !== -1) return { line: await new Blob(chunks).text(), rest: restOf(reader, value.subarray(end + 1)) }
  }
}

function restOf(reader: ReadableStreamDefaultReader<Uint8Array>, first: Uint8Array): ReadableStream<Uint8Array> {
  let begun = first.length === 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!begun) {
          begun = true
          return controller.enqueue(first)
        }
        const { done, value } = await reader.read()
        if (done) return controller.close()
        controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

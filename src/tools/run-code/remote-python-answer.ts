/** Reads the answer of a runner. It has run untrusted code, so what does not fit is cut or left out and never passed on. */
import * as z from 'zod'
import type { Locale } from '../../core/terms/locale.ts'
import { parseWellFormedJson } from '../../core/mode/json-text.ts'
import type { HttpAnswer } from '../../shell/network/bounded-fetch.ts'
import type { CodeRun } from '../../shell/ports.ts'
import { RUN_END_WORDS } from './remote-python-text.ts'

/** This is more than a prompt ever shows. */
const OUTPUT_CHARS_MAX = 100_000
const CHARTS_MAX = 8

const Chart = z.object({ content_type: z.enum(['image/png', 'image/svg+xml']), base64: z.string() })
const RunAnswer = z.object({
  status: z.enum(['success', 'error']),
  exit_code: z.int().nullable(),
  timed_out: z.boolean(),
  stdout: z.string(),
  stderr: z.string(),
  results: z.string().nullable(),
  charts: z.array(Chart),
})
const Missing = z.object({ missing: z.array(z.string()) })

export function lacksDataset(answer: HttpAnswer, id: string): boolean {
  if (answer.kind !== 'answered' || answer.status !== 409) return false
  const read = Missing.safeParse(parseWellFormedJson(new TextDecoder().decode(answer.body)))
  return read.success && read.data.missing.includes(id)
}

/** null: the answer does not follow the contract. */
export function readRunnerAnswer(value: unknown, locale: Locale): CodeRun | null {
  const read = RunAnswer.safeParse(value)
  if (!read.success) return null
  const { status, exit_code, timed_out, stdout, stderr, results, charts } = read.data
  const ended = RUN_END_WORDS[locale]({ timed_out, exit_code })
  const said = clean(stderr.length > OUTPUT_CHARS_MAX ? stderr.slice(-OUTPUT_CHARS_MAX) : stderr)
  return {
    ok: status === 'success' && exit_code === 0 && !timed_out,
    stdout: clean(stdout.slice(0, OUTPUT_CHARS_MAX)),
    stderr: ended === null ? said : `${said}${said === '' || said.endsWith('\n') ? '' : '\n'}${ended}`,
    results: results === null || parseWellFormedJson(results) === undefined ? null : results,
    charts: charts.slice(0, CHARTS_MAX).flatMap(chartOf),
  }
}

/** A cut may have split a surrogate pair, and NUL is not text. */
const clean = (text: string) => text.toWellFormed().replaceAll('\0', '\uFFFD')

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

function chartOf({ content_type, base64 }: z.infer<typeof Chart>): CodeRun['charts'] {
  const bytes = bytesOf(base64)
  if (bytes === null) return []
  if (content_type === 'image/png')
    return PNG.every((byte, at) => bytes[at] === byte) ? [{ extension: 'png', content: bytes }] : []
  const text = new TextDecoder().decode(bytes)
  return text.includes('<svg') ? [{ extension: 'svg', content: text }] : []
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}

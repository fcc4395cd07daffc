/** The body of a report: the report file (S2-13), or its parts as JSON. */
import type * as z from 'zod'
import { SECTION_CHARS_MAX, type Amounts, type ReportStatus, type SentReport } from '../../../core/terms/delegation.ts'
import { microDollars } from '../../../core/terms/money.ts'
import { cut, utf8Bytes } from '../../../core/terms/text.ts'
import { reportStatusOf } from '../../../delegations/report-status.ts'
import { mediaTypeOf } from '../../gate/body.ts'
import type { SendReport } from '../../shapes/delegation-requests.ts'
import { refuse, type HttpResult } from '../../shapes/http-refusal.ts'

type Fields = z.output<typeof SendReport>

/** A row of a task may have 2 MB, and it has a few more fields. */
const REPORT_BYTES_MAX = 1_900_000

/** 413 for a report that is too long as JSON, where a character may take six times its bytes. */
export async function parseReport(fields: Fields, { headers }: Request): Promise<HttpResult<SentReport>> {
  const isFile = mediaTypeOf(headers.get('content-type') ?? '') !== 'application/json'
  const file = await readFile(fields.text ?? '')
  const sent = isFile ? file : reportOf(fields, file)
  if (utf8Bytes(JSON.stringify(sent)) <= REPORT_BYTES_MAX) return { ok: true, value: sent }
  return refuse({ code: 'payload_too_large', max_bytes: REPORT_BYTES_MAX, stored: true })
}

/** The first report file loads its reader, so that it does not slow down the start. */
async function readFile(text: string): Promise<SentReport> {
  const { readReportFile } = await import('../../../delegations/report-file.ts')
  return readReportFile(text)
}

/**
 * A report as JSON. What its members leave out is read from its text, which may be a whole report file. A text without any part is
 * the results, so that nothing that a worker has said is lost.
 */
function reportOf(fields: Fields, { report: read }: SentReport): SentReport {
  const text = fields.text ?? ''
  const parts = {
    results: fields.results ?? read.results,
    pitfalls: fields.pitfalls ?? read.pitfalls,
    next_steps: fields.next_steps ?? read.next_steps,
  }
  const isBare = Object.values(parts).every((part) => part === null)
  const said = text.trim()
  return {
    command_id: fields.command_id ?? null,
    report: {
      status: fields.status === undefined ? statusIn(read, text) : reportStatusOf(fields.status),
      session_id: fields.session_id ?? read.session_id,
      ...parts,
      results: isBare && said !== '' ? cut(said, SECTION_CHARS_MAX) : parts.results,
      text,
    },
    spent: fields.spent === undefined ? null : amountsOf(fields.spent),
  }
}

/** The status that a text names, or that its first words are, such as `Done: …`. */
function statusIn({ status }: SentReport['report'], text: string): ReportStatus {
  if (status !== 'UNKNOWN') return status
  const [first = ''] = text
    .trimStart()
    .slice(0, FIRST_WORDS_CHARS)
    .split(/[\n:：.。!！,，;；–—]/, 1)
  return reportStatusOf(first)
}
const FIRST_WORDS_CHARS = 100

const amountsOf = ({ tokens, cost_usd, seconds }: NonNullable<Fields['spent']>): Amounts => ({
  ...(tokens === undefined ? {} : { tokens }),
  ...(cost_usd === undefined ? {} : { cost: microDollars(cost_usd) }),
  ...(seconds === undefined ? {} : { working_ms: seconds * 1000 }),
})

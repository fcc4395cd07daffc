/** The body of a report: the report file (S2-13), or its parts as JSON. */
import type * as z from 'zod'
import type { Amounts, SentReport } from '../../../core/terms/delegation.ts'
import { microDollars } from '../../../core/terms/money.ts'
import { utf8Bytes } from '../../../core/terms/text.ts'
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
  const sent = isFile ? await readFile(fields.text) : reportOf(fields)
  if (utf8Bytes(JSON.stringify(sent)) <= REPORT_BYTES_MAX) return { ok: true, value: sent }
  return refuse({ code: 'payload_too_large', max_bytes: REPORT_BYTES_MAX, stored: true })
}

/** The first report file loads its reader, so that it does not slow down the start. */
async function readFile(text: string): Promise<SentReport> {
  const { readReportFile } = await import('../../../delegations/report-file.ts')
  return readReportFile(text)
}

function reportOf({ status, session_id, command_id, results, pitfalls, next_steps, text, spent }: Fields): SentReport {
  return {
    command_id: command_id ?? null,
    report: {
      status: status === undefined ? 'UNKNOWN' : reportStatusOf(status),
      session_id: session_id ?? null,
      results: results ?? null,
      pitfalls: pitfalls ?? null,
      next_steps: next_steps ?? null,
      text,
    },
    spent: spent === undefined ? null : amountsOf(spent),
  }
}

const amountsOf = ({ tokens, cost_usd, seconds }: NonNullable<Fields['spent']>): Amounts => ({
  ...(tokens === undefined ? {} : { tokens }),
  ...(cost_usd === undefined ? {} : { cost: microDollars(cost_usd) }),
  ...(seconds === undefined ? {} : { working_ms: seconds * 1000 }),
})

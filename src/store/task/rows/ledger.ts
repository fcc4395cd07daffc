/** Reads what closed rows say of the budget, out of parts of their heads. The state of the mode, which is most of a head, is not read. */
import * as z from 'zod'
import type { LedgerRow } from '../../../core/replay/export/export-page.ts'
import { PauseReason, pauseReasonText } from '../../../core/terms/pause-reason.ts'
import { parseJson } from '../../../core/terms/values/parse-json.ts'
import { NO_TOKENS, TokenKinds } from '../../../core/terms/values/usage.ts'

/** What SQL takes out of a row. The last members are JSON. */
export type LedgerRecord = {
  seq: number
  kind: string
  at: number
  closed_at: number | null
  attempt: number | null
  output_cap: number | null
  budget: string | null
  ended: string | null
  paused: string | null
}

/** `where` is the condition for the head, and has the rows that are read. */
export const LEDGER_COLUMNS = `seq, kind, at, json_extract(head, '$.updated_at') AS closed_at,
  CASE WHEN json_valid(lease) THEN json_extract(lease, '$.attempt') END AS attempt,
  CASE WHEN json_valid(reserved) THEN json_extract(reserved, '$.output_tokens') END AS output_cap,
  json_extract(head, '$.budget') AS budget, json_extract(head, '$.end') AS ended, json_extract(head, '$.pause_reason') AS paused`

const Amount = z.number().min(0)
const Axis = z.looseObject({ used: Amount, max: Amount.nullable().default(null) })
/** Early releases had fewer axes, and did not divide tokens into kinds. */
const LedgerBudget = z.looseObject({
  steps: Axis,
  tokens: Axis,
  cost: Axis.default({ used: 0, max: null }),
  working_ms: Axis,
  token_kinds: TokenKinds.default(NO_TOKENS),
})
const LedgerEnd = z.looseObject({ status: z.string(), reason: z.string() }).nullable().catch(null)
const LedgerPause = PauseReason.nullable().catch(null)

/** null: the row is damaged. */
export function ledgerRow(record: LedgerRecord): LedgerRow | null {
  const budget = LedgerBudget.safeParse(parseJson(record.budget ?? ''))
  if (!budget.success || typeof record.closed_at !== 'number') return null
  const { steps, tokens, cost, working_ms, token_kinds } = budget.data
  const end = LedgerEnd.parse(parseJson(record.ended ?? 'null') ?? null)
  const paused = LedgerPause.parse(parseJson(record.paused ?? 'null') ?? null)
  return {
    seq: record.seq,
    kind: record.kind,
    at: record.at,
    closed_at: record.closed_at,
    attempt: record.attempt,
    output_cap: record.output_cap,
    used: { steps: steps.used, tokens: tokens.used, kinds: token_kinds, cost: cost.used, ms: working_ms.used },
    max: { steps: steps.max, tokens: tokens.max, cost: cost.max, ms: working_ms.max },
    end: end === null ? null : { status: end.status, reason: end.reason },
    paused: paused === null ? null : pauseReasonText(paused),
  }
}

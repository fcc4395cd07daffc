/** A report as the form holds it, and as it is sent (`POST /delegations/:id/report`). */
import type { DelegationView } from '../../api/wire.ts'

export const REPORT_OUTCOMES = ['SUCCESS', 'PARTIAL_SUCCESS', 'FAILED', 'UNKNOWN'] as const
type ReportOutcome = (typeof REPORT_OUTCOMES)[number]

export interface ReportDraft {
  status: ReportOutcome
  command_id: string
  session_id: string
  results: string
  pitfalls: string
  next_steps: string
  text: string
  tokens: string
  cost_usd: string
  seconds: string
}

/** A new report names its command, so that it is never recorded for another one. It names the session that the command continues. */
export const newReportDraft = ({
  command_id,
  session_id,
}: Pick<DelegationView, 'command_id' | 'session_id'>): ReportDraft => ({
  status: 'SUCCESS',
  command_id,
  session_id: session_id === 'auto' ? '' : session_id,
  results: '',
  pitfalls: '',
  next_steps: '',
  text: '',
  tokens: '',
  cost_usd: '',
  seconds: '',
})

/** Sends only the filled fields and the text, even if that is empty. The service refuses what is no number. */
export function reportBody(draft: ReportDraft): Record<string, unknown> {
  const { status, text } = draft
  const texts = filled({
    command_id: draft.command_id.trim(),
    session_id: draft.session_id.trim(),
    results: draft.results,
    pitfalls: draft.pitfalls,
    next_steps: draft.next_steps,
  })
  const spent = {
    ...numbers({ tokens: draft.tokens, seconds: draft.seconds }),
    ...filled({ cost_usd: draft.cost_usd.trim() }),
  }
  return { status, ...texts, text, ...(Object.keys(spent).length === 0 ? {} : { spent }) }
}

const filled = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''))
const numbers = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(filled(texts)).map(([name, text]) => [name, Number(text)]))

/** Splits a file into its front matter and the rest. */
export function splitFrontMatter(text: string): { front: string; body: string } {
  const found = /^---\n([\s\S]*?)\n---\n/.exec(text)
  return found === null ? { front: '', body: text } : { front: found[1] ?? '', body: text.slice(found[0].length) }
}

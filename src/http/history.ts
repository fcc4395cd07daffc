/** The routes that show what a task did: its journal and its stored rows, page by page. */
import type { Routes } from './contract.ts'
import { ledgerCsv, redacted } from './ledger.ts'
import { exportText, journalText } from './plain.ts'
import { refused, type Handler } from './route.ts'

export const listJournal: Handler<Routes['listJournal']> = async ({ service }, { caller, params, query }) => {
  const { limit, after, redact } = query
  const page = await service.listJournal(caller, params.id, { limit, after })
  if (!page.ok) return refused(page.refusal)
  const json = redact ? { ...page.value, data: page.value.data.map(redacted) } : page.value
  const { next_cursor } = json
  // A table has no place for a cursor, and without one its reader would take the first page for the whole.
  const more = `/tasks/${params.id}/journal?limit=${limit}&after=${next_cursor}${redact ? '&redact=true' : ''}`
  const headers: Record<string, string> = next_cursor === null ? {} : { link: `<${more}>; rel="next"` }
  const csv = { text: () => ledgerCsv(json.data), headers }
  return { kind: 'answer', status: 200, json, lines: () => journalText(json), csv }
}

export const exportTask: Handler<Routes['exportTask']> = async ({ service }, { caller, params, query }) => {
  const page = await service.exportTask(caller, params.id, query)
  if (!page.ok) return refused(page.refusal)
  const { next_cursor } = page.value
  const more = `/tasks/${params.id}/export?limit=${query.limit}&after=${next_cursor}`
  const headers: Record<string, string> = next_cursor === null ? {} : { link: `<${more}>; rel="next"` }
  return { kind: 'answer', status: 200, json: page.value, lines: () => exportText(page.value), headers }
}

/** The routes that show what a task did: its events and its journal, page by page. */
import type { Routes } from './contract.ts'
import { eventsText, journalText } from './plain.ts'
import { refused, type Handler } from './route.ts'

export const listEvents: Handler<Routes['listEvents']> = async ({ service }, { caller, params, query }) => {
  const page = await service.listEvents(caller, params.id, query)
  if (!page.ok) return refused(page.refusal)
  return { kind: 'answer', status: 200, json: page.value, lines: () => eventsText(page.value) }
}

export const listJournal: Handler<Routes['listJournal']> = async ({ service }, { caller, params, query }) => {
  const page = await service.listJournal(caller, params.id, query)
  if (!page.ok) return refused(page.refusal)
  return { kind: 'answer', status: 200, json: page.value, lines: () => journalText(page.value) }
}

/** The routes of what callbacks were not told in time. */
import type { Routes } from './contract.ts'
import { deliveriesText, deliveryLine } from './plain.ts'
import { refused, REPLAYED, type Handler } from './route.ts'

export const listDeliveries: Handler<Routes['listDeliveries']> = async ({ service }, { caller, query }) => {
  const { status = null, limit, after } = query
  const page = await service.listDeliveries(caller, status, { limit, after })
  if (!page.ok) return refused(page.refusal)
  return { kind: 'answer', status: 200, json: page.value, lines: () => deliveriesText(page.value) }
}

export const redeliver: Handler<Routes['redeliver']> = async ({ service }, { caller, params }) => {
  const again = await service.redeliver(caller, params.id)
  if (!again.ok) return refused(again.refusal)
  const { delivery, replayed } = again.value
  const headers: Record<string, string> = replayed ? REPLAYED : {}
  return { kind: 'answer', status: 200, json: delivery, lines: () => [deliveryLine(delivery)], headers }
}

/** Callbacks: whether a task may have the one it asks for, and the routes of what they were not told in time. */
import type { Config } from '../config.ts'
import { readAddress } from '../shell/address.ts'
import type { Routes } from './contract.ts'
import type { HttpRefusal } from './errors.ts'
import { deliveriesText, deliveryLine } from './plain.ts'
import { refused, REPLAYED, type Handler } from './route.ts'

const POINTER = '/callback_url'

/** null: it may be told there. The rules hold again before each try, as the configuration may change. */
export function callbackRefusal(config: Config, tenant: string, url: string | null): HttpRefusal | null {
  if (url === null) return null
  const address = readAddress(url, config.environment === 'development')
  const unsigned = (config.webhook_secrets.get(tenant) ?? []).length === 0
  if (address.ok && !unsigned) return null
  const message = address.ok ? UNSIGNED : `callback_url ${address.flaw}`
  return { code: 'validation_failed', errors: [{ pointer: POINTER, message }] }
}
const UNSIGNED =
  'callback_url needs a secret to sign with, and this tenant has none: ask whoever runs the service to set WEBHOOK_SECRET'

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

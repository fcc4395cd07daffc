/** The routes of what callbacks were not told in time: a part of the table in contract.ts. */
import * as z from 'zod'
import type { Route, Success } from './route.ts'
import { DeliveryParams, DeliveryQuery, NoQuery, Redeliver } from './schemas.ts'

const webhooks = { tag: 'Webhooks', open: false, also: [] } as const

export const WEBHOOK_ROUTES = {
  listDeliveries: {
    ...webhooks,
    method: 'get',
    path: '/webhooks/deliveries',
    summary: 'Deliveries that were given up',
    description:
      'What the callbacks of tasks were not told: given up after ten tries in 75 hours, or no longer wanted by the receiver (410), and ' +
      'what became of those that were sent again. Newest first, at most the newest 1000. A delivery that arrives in time is not listed.',
    params: z.object({}),
    query: DeliveryQuery,
    body: null,
    headers: [],
    success: {
      status: 200,
      description: 'One page of deliveries',
      content: { kind: 'json', schema: 'DeliveryPage', more: [] },
      headers: {},
    } satisfies Success,
    problems: [],
  },
  redeliver: {
    ...webhooks,
    method: 'post',
    path: '/webhooks/deliveries/{id}/redeliver',
    summary: 'Send a delivery again',
    description:
      'From the beginning and at once, with the same `webhook-id`, and all that its task has to tell after it. One that is still being ' +
      'sent goes on as it is.',
    params: DeliveryParams,
    query: NoQuery,
    body: { schema: Redeliver, text_field: null, required: false },
    headers: ['Idempotency-Key'],
    success: {
      status: 200,
      description: 'The delivery, to be sent again',
      content: { kind: 'json', schema: 'Delivery', more: [] },
      headers: {},
    } satisfies Success,
    problems: ['delivery_not_found', 'state_unreadable', 'idempotency_key_reused', 'request_in_progress'],
  },
} as const satisfies Record<string, Route>

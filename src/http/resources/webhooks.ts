/** Deliveries of webhooks that were given up: list them, send one again, and try an address. */
import * as z from 'zod'
import { DeliveryStatus } from '../../core/terms/status.ts'
import { answerReply, endpoint, refusalReply, replayHeaders, replyTo } from '../endpoint.ts'
import { addressRefusal } from '../gate/callback-address.ts'
import { configFor } from '../gate/caller-config.ts'
import { countWebhookTest } from '../gate/rate-limit.ts'
import { bodyOf, IDEMPOTENCY_PROBLEMS, jsonAnswer } from '../route-builders.ts'
import { NoParams, NoQuery, pageRange } from '../shapes/fields.ts'
import { Redeliver, TestWebhook } from '../shapes/requests.ts'

const DeliveryParams = z.object({
  id: z.string().meta({ description: 'the id of the delivery', maxLength: 200 }),
})
const DeliveryQuery = z.strictObject({
  status: z
    .enum([...DeliveryStatus.options, 'all'])
    .default('all')
    .describe('`all`: each that is on record'),
  ...pageRange,
})

const DELIVERY_ROUTE = { tag: 'Webhooks', open: false, also: [] } as const

export const WEBHOOK_ROUTES = {
  listDeliveries: endpoint(
    {
      ...DELIVERY_ROUTE,
      method: 'get',
      path: '/webhooks/deliveries',
      summary: 'Deliveries that were given up',
      description:
        'What the callbacks of tasks were not told: given up after ten tries in 75 hours, or no longer wanted by the receiver (410), and ' +
        'what became of those that were sent again. Newest first, at most the newest 1000. A delivery that arrives in time is not listed.',
      params: NoParams,
      query: DeliveryQuery,
      body: null,
      headers: [],
      success: jsonAnswer('One page of deliveries', 'DeliveryPage'),
      problems: [],
    },
    async ({ service }, { caller, query }) => {
      const { status, ...range } = query
      const page = await service.listDeliveries(caller, status === 'all' ? null : status, range)
      return replyTo(page, (value) =>
        answerReply(value, async () => (await import('../text/plain.ts')).deliveriesText(value)),
      )
    },
  ),
  testWebhook: endpoint(
    {
      ...DELIVERY_ROUTE,
      method: 'post',
      path: '/webhooks/test',
      summary: 'Send a test delivery',
      description:
        'One message of the type `webhook.test`, signed like any other, to an address by the rules of `callback_url`. What comes back is 200 here: ' +
        '`ok` says whether a real delivery would have been taken. It is not tried again, and nothing is kept. At most 10 per minute.',
      params: NoParams,
      query: NoQuery,
      body: bodyOf(TestWebhook, null, true),
      headers: [],
      success: jsonAnswer('What came back', 'WebhookTest'),
      problems: [],
    },
    async (ports, { caller, body }) => {
      const { service, count_request } = ports
      const config = await configFor(ports, caller)
      const named = { path: ['url'], url: body.url, is_signed: true }
      const refusal =
        addressRefusal(config, caller.tenant, [named]) ?? (await countWebhookTest(count_request, caller.tenant))
      if (refusal !== null) return refusalReply(refusal)
      return replyTo(await service.testWebhook(caller, body.url), (test) =>
        answerReply(test, async () => (await import('../text/plain.ts')).webhookTestText(test)),
      )
    },
  ),
  redeliver: endpoint(
    {
      ...DELIVERY_ROUTE,
      method: 'post',
      path: '/webhooks/deliveries/{id}/redeliver',
      summary: 'Send a delivery again',
      description:
        'From the beginning and at once, with the same `webhook-id`, and all that its task has to tell after it. One that is still being ' +
        'sent goes on as it is.',
      params: DeliveryParams,
      query: NoQuery,
      body: bodyOf(Redeliver, null, false),
      headers: ['Idempotency-Key'],
      success: jsonAnswer('The delivery, to be sent again', 'Delivery'),
      problems: ['delivery_not_found', 'state_unreadable', ...IDEMPOTENCY_PROBLEMS],
    },
    async ({ service }, { caller, params }) =>
      replyTo(await service.redeliver(caller, params.id), ({ delivery, replayed }) =>
        answerReply(
          delivery,
          async () => [(await import('../text/plain.ts')).deliveryLine(delivery)],
          replayHeaders(replayed),
        ),
      ),
  ),
}

/** Where a tenant has the spans of its tasks sent, beside the receiver of the service. */
import type { TraceReceiver } from '../../core/shown/receiver-view.ts'
import type { Caller } from '../../shell/caller.ts'
import { configFor } from '../gate/caller-config.ts'
import { addressRefusal } from '../gate/callback-address.ts'
import { answerReply, emptyReply, endpoint, refusalReply, replyTo } from '../endpoint.ts'
import { bodyOf, emptyAnswer, jsonAnswer } from '../route-builders.ts'
import { NoParams, NoQuery } from '../shapes/fields.ts'
import { PutReceiver } from '../shapes/telemetry-requests.ts'

const RECEIVER_ROUTE = {
  tag: 'Service',
  open: false,
  path: '/telemetry',
  params: NoParams,
  query: NoQuery,
  body: null,
  headers: [],
  also: [],
} as const

/** Spans tell of every task of the tenant, so only a key that may read tasks says where they go. The route itself needs `tasks:write`. */
const readerRefusal = ({ scopes }: Caller) =>
  scopes.includes('tasks:read')
    ? null
    : refusalReply({ code: 'insufficient_scope', needed: 'tasks:read', given: scopes })

const linesOf = (receiver: TraceReceiver) => async () => (await import('../text/usage-text.ts')).receiverText(receiver)

export const TELEMETRY_ROUTES = {
  putReceiver: endpoint(
    {
      ...RECEIVER_ROUTE,
      method: 'put',
      summary: 'Have the spans of your tasks sent to you',
      description:
        'OpenTelemetry spans (OTLP over HTTP) of each run of work, model call, tool call and delegation go to this address too, beside the ' +
        'receiver of the service. A change counts within half a minute. Headers may name secrets; put them first with `PUT /secrets/{name}`. ' +
        'A key needs both `tasks:read` and `tasks:write`, because spans tell of every task of the tenant.',
      body: bodyOf(PutReceiver, null, true),
      success: jsonAnswer('Where spans go from now on', 'TraceReceiver'),
      problems: ['traces_off', 'quota_exceeded'],
    },
    async (ports, { caller, body }) => {
      const unread = readerRefusal(caller)
      if (unread !== null) return unread
      const { service } = ports
      const config = await configFor(ports, caller)
      const refusal = addressRefusal(config, caller.tenant, [
        { path: ['endpoint'], url: body.endpoint, is_signed: false },
      ])
      if (refusal !== null) return refusalReply(refusal)
      const { secretNames } = await import('../../shell/secrets/references.ts')
      const named = Object.entries(body.headers).map(([name, text]) => [name, secretNames(text)] as const)
      const names = named.flatMap(([, read]) => (read.ok ? read.value : []))
      const unknown = await service.unknownSecrets(caller, names)
      if (!unknown.ok) return refusalReply(unknown.refusal)
      const errors = named.flatMap(([header, read]) =>
        (read.ok ? read.value : []).flatMap((name) => {
          const missing = unknown.value.find((one) => one.name === name)
          if (missing === undefined) return []
          const message = `headers.${header} names the secret "${name}", which is not there${missing.hint}; put it with PUT /secrets/${name}`
          return [{ pointer: `/headers/${header}`, message }]
        }),
      )
      if (errors.length > 0) return refusalReply({ code: 'validation_failed', errors })
      return replyTo(await service.putReceiver(caller, body), (receiver) => answerReply(receiver, linesOf(receiver)))
    },
  ),
  getReceiver: endpoint(
    {
      ...RECEIVER_ROUTE,
      method: 'get',
      summary: 'Where your spans go',
      description:
        'The receiver of the tenant, and its latest failure. A header shows the name of its secret; any other value is hidden.',
      success: jsonAnswer('The receiver', 'TraceReceiver'),
      problems: ['receiver_not_found'],
    },
    async ({ service }, { caller }) =>
      replyTo(await service.getReceiver(caller), (receiver) => answerReply(receiver, linesOf(receiver))),
  ),
  deleteReceiver: endpoint(
    {
      ...RECEIVER_ROUTE,
      method: 'delete',
      summary: 'Send your spans nowhere of yours',
      description:
        'The receiver of the service still gets them, if there is one. A key needs both `tasks:read` and `tasks:write`.',
      success: emptyAnswer(204, 'It is gone'),
      problems: ['receiver_not_found'],
    },
    async ({ service }, { caller }) => readerRefusal(caller) ?? emptyReply(await service.deleteReceiver(caller)),
  ),
}

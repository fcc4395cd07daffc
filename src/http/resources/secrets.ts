/** The secrets of a tenant: put, looked up, listed and deleted. A value comes in and never goes out. */
import * as z from 'zod'
import type { SecretView } from '../../core/shown/secret-view.ts'
import { isResourceName, RESOURCE_NAME_RULE } from '../../core/terms/values/resource-name.ts'
import { readSecretHost } from '../../shell/secrets/hosts.ts'
import { answerReply, emptyReply, endpoint, refusalReply, replyTo } from '../endpoint.ts'
import { bodyOf, emptyAnswer, jsonAnswer } from '../route-builders.ts'
import { NoParams, NoQuery, pageLimit } from '../shapes/fields.ts'
import { PutSecret } from '../shapes/requests.ts'

const SecretParams = z.object({
  name: z.string().meta({ description: `the name of the secret: ${RESOURCE_NAME_RULE}`, maxLength: 64 }),
})
const SecretsQuery = z.strictObject({
  limit: pageLimit,
  after: z.string().max(64).default('').describe('next_cursor of the page before: the name of its last secret'),
})

const SECRETS_ROUTE = { tag: 'Secrets', open: false, body: null, headers: [], also: [] } as const
const SECRET_ROUTE = { ...SECRETS_ROUTE, path: '/secrets/{name}', params: SecretParams, query: NoQuery } as const

const lineOf = (secret: SecretView) => async () => [(await import('../text/plain.ts')).secretLine(secret)]

export const SECRET_ROUTES = {
  putSecret: endpoint(
    {
      ...SECRET_ROUTE,
      method: 'put',
      summary: 'Put a secret',
      description:
        'A value for the headers of tools, which name it as `secret:NAME`, and the hosts that it may be sent to. It is stored sealed, and no ' +
        'answer, event or prompt ever has it. Putting it again replaces value and hosts. A tenant has at most 100.',
      body: bodyOf(PutSecret, null, true),
      success: jsonAnswer('A new secret', 'Secret', 201, { Location: 'the path of the secret' }),
      also: [jsonAnswer('It takes the place of the one that was there', 'Secret')],
      problems: ['too_many_secrets', 'quota_exceeded'],
    },
    async ({ service }, { caller, params, body }) => {
      const { name } = params
      if (!isResourceName(name))
        return refusalReply({
          code: 'validation_failed',
          errors: [{ pointer: '/name', message: `name must be ${RESOURCE_NAME_RULE}` }],
        })
      // The schema has refused what cannot be read as a host.
      const hosts = body.hosts.flatMap((host) => readSecretHost(host)).flatMap((host) => (host.ok ? host.value : []))
      const put = await service.putSecret(caller, { name, value: body.value, hosts })
      return replyTo(put, ({ secret, created }) => {
        const reply = answerReply(secret, lineOf(secret))
        return created ? { ...reply, status: 201, headers: { location: `/secrets/${name}` } } : reply
      })
    },
  ),
  getSecret: endpoint(
    {
      ...SECRET_ROUTE,
      method: 'get',
      summary: 'One secret',
      description: 'Its hosts, its dates and its last use. Its value cannot be read.',
      success: jsonAnswer('The secret, without its value', 'Secret'),
      problems: ['secret_not_found'],
    },
    async ({ service }, { caller, params }) =>
      replyTo(await service.getSecret(caller, params.name), (secret) => answerReply(secret, lineOf(secret))),
  ),
  deleteSecret: endpoint(
    {
      ...SECRET_ROUTE,
      method: 'delete',
      summary: 'Delete a secret',
      description: 'A call that names it fails from now on, also of a task that is under way.',
      success: emptyAnswer(204, 'It is gone'),
      problems: ['secret_not_found'],
    },
    async ({ service }, { caller, params }) => emptyReply(await service.deleteSecret(caller, params.name)),
  ),
  listSecrets: endpoint(
    {
      ...SECRETS_ROUTE,
      method: 'get',
      path: '/secrets',
      summary: 'List the secrets',
      description: 'By name: hosts, dates and last use of each. No values.',
      params: NoParams,
      query: SecretsQuery,
      success: jsonAnswer('One page of secrets', 'SecretPage'),
      problems: [],
    },
    async ({ service }, { caller, query }) =>
      replyTo(await service.listSecrets(caller, query), (page) =>
        answerReply(page, async () => (await import('../text/plain.ts')).secretsText(page)),
      ),
  ),
}

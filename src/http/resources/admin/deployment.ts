/** What operators ask of a deployment: what is bound, whether it answers, and what that and the variables switch on (OPS-15). */
import { SCHEMA_VERSION } from '../../../core/terms/head.ts'
import { rfc3339 } from '../../../core/terms/text.ts'
import { answerReply, endpoint, refusalReply } from '../../endpoint.ts'
import { jsonAnswer } from '../../route-builders.ts'
import { NoParams, NoQuery } from '../../shapes/fields.ts'
import { ADMIN_ROUTE } from './admin-route.ts'

export const DEPLOYMENT_ROUTES = {
  getDeployment: endpoint(
    {
      ...ADMIN_ROUTE,
      method: 'get',
      path: '/admin/deployment',
      summary: 'Look at the deployment',
      description:
        'For operators. Each binding with its state, after one small question that writes nothing; AI, BROWSER, ANALYTICS and RATE_LIMITER are not asked. ' +
        'All questions together take a second at most, and Cloudflare counts them as a few reads. Then what the bindings and the variables switch on. Values of variables are never told.',
      params: NoParams,
      query: NoQuery,
      body: null,
      success: jsonAnswer('The deployment', 'Deployment'),
      problems: ['operator_only'],
    },
    async ({ config, probe_bindings, has_local_compute, version, now }, { caller }) => {
      if (caller.is_operator !== true) return refusalReply({ code: 'operator_only' })
      const [{ bindings, queue, index_fed }, { featuresOf, shortKeys }] = await Promise.all([
        probe_bindings(),
        import('./features.ts'),
      ])
      const { environment, sharded_tenants } = config
      const deployment = {
        version,
        schema_version: SCHEMA_VERSION,
        environment,
        at: rfc3339(now()),
        bindings,
        queue,
        index_fed,
        features: featuresOf(bindings, config, has_local_compute),
        sharded_tenants,
        short_keys: shortKeys(config.api_keys),
      }
      return answerReply(deployment, async () => (await import('../../text/admin-text.ts')).deploymentText(deployment))
    },
  ),
}

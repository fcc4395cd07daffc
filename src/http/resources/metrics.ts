/** The metrics of the whole deployment, as Prometheus reads them. They belong to the operator, so no key of a tenant opens them. */
import type { Config } from '../../config.ts'
import { authenticator } from '../gate/auth/auth.ts'
import { adminKeys, metricsToken } from '../gate/auth/verifiers.ts'
import type { HttpRefusal } from '../shapes/http-refusal.ts'
import { endpoint, refusalReply } from '../endpoint.ts'
import { documentAnswer } from '../route-builders.ts'
import { NoParams } from '../shapes/fields.ts'

export const METRICS_ROUTES = {
  getMetrics: endpoint(
    {
      tag: 'Service',
      open: true,
      operator: true,
      method: 'get',
      path: '/metrics',
      params: NoParams,
      query: null,
      body: null,
      headers: [],
      also: [],
      problems: ['unauthorized', 'not_found'],
      summary: 'Metrics of the deployment for Prometheus',
      description:
        'Counters and gauges of all tenants together, in the text format 0.0.4, or in OpenMetrics 1.0 for an `Accept` that prefers ' +
        '`application/openmetrics-text`. It wants `METRICS_TOKEN`, or `ADMIN_KEY`, as bearer token; in development without one it is open. ' +
        'In production without one there is no such route. Counts may be ten seconds old.',
      success: documentAnswer('The metrics', '*/*'),
    },
    async ({ config, read_metrics, version }, { request }) => {
      const refusal = await metricsRefusal(config, request)
      if (refusal !== null) return refusalReply(refusal)
      if (read_metrics === null)
        return refusalReply({ code: 'not_found', hint: 'metrics are added up where METRICS is bound in wrangler.toml' })
      const { formFor, metricsText, OPEN_METRICS_TYPE, TEXT_TYPE } =
        await import('../../telemetry/metrics/text-format.ts')
      const form = formFor(request.headers.get('accept'))
      const type = form === 'openmetrics' ? OPEN_METRICS_TYPE : TEXT_TYPE
      const response = new Response(metricsText(await read_metrics(), version, form), {
        headers: { 'content-type': type },
      })
      return { kind: 'document', response }
    },
  ),
}

/** Where nobody can be told from a stranger there is no such route; development serves nobody but whoever started it. */
async function metricsRefusal(
  { metrics_token, admin_keys, environment }: Pick<Config, 'metrics_token' | 'admin_keys' | 'environment'>,
  request: Request,
): Promise<HttpRefusal | null> {
  if (metrics_token === null && environment === 'development') return null
  const scrapers = metrics_token === null ? [] : [metricsToken(metrics_token)]
  const operators = admin_keys.length === 0 ? [] : [adminKeys(admin_keys)]
  if (scrapers.length + operators.length === 0)
    return { code: 'not_found', hint: 'metrics are shown where METRICS_TOKEN is set' }
  const nobody = { tenantOf: async () => null, findTenant: async () => null }
  const holder = await authenticator([...scrapers, ...operators], nobody, async () => null)(request)
  return holder.ok ? null : holder.refusal
}

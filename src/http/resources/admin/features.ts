/** What the bindings and the variables of a deployment switch on. Of variables only the names are told. */
import type { Config } from '../../../config.ts'
import type { ApiKey } from '../../../config-keys.ts'
import type { BindingView, FeatureView } from '../../../core/shown/deployment-view.ts'

/** Shorter keys can be guessed by who may try often. */
const KEY_CHARS_MIN = 24

/** Keys that are configured as their SHA-256 have no length that could be told. */
export const shortKeys = (keys: readonly ApiKey[]): number =>
  keys.filter(({ secret }) => secret.kind === 'plain' && secret.key.length < KEY_CHARS_MIN).length

export function featuresOf(
  bindings: readonly BindingView[],
  config: Config,
  has_local_compute: boolean,
): FeatureView[] {
  const has = (name: BindingView['name']) => bindings.some((one) => one.name === name && one.state !== 'absent')
  const feature = (name: FeatureView['name'], text: string, on: boolean, by: string[]): FeatureView => ({
    name,
    text,
    on,
    by,
  })
  const bound = (name: FeatureView['name'], text: string, by: BindingView['name']) => feature(name, text, has(by), [by])
  const is_own = has_local_compute && !has('COMPUTE')
  const { exports_rows, traces } = config
  return [
    bound('job_queue', 'jobs by a queue', 'JOBS'),
    bound('files', 'files', 'FILES'),
    feature('compute', 'datasets and code', has('COMPUTE') || is_own, is_own ? [] : ['COMPUTE']),
    feature('python', 'Python', config.code_runner !== null, ['CODE_RUNNER_URL']),
    bound('browser', 'pages that scripts make', 'BROWSER'),
    bound('index_database', 'lists by a database', 'INDEX'),
    feature('tenant_shards', 'workspaces over several objects', config.sharded_tenants > 0, ['TENANT_SHARDS']),
    feature('registry', 'keys at run time', has('REGISTRY'), ['ADMIN_KEY', 'REGISTRY']),
    feature('logins', 'logins', config.login !== null, ['AUTH_ISSUER']),
    feature('signed_callbacks', 'signed callbacks', config.webhook_secrets.size > 0, ['WEBHOOK_SECRET']),
    feature('usage', 'usage', config.usage, ['USAGE']),
    feature('spans', 'spans', traces.enabled && traces.receiver !== null, ['OTEL_EXPORTER_OTLP_ENDPOINT']),
    feature('tenant_spans', 'spans to receivers of tenants', traces.enabled && exports_rows, [
      'USAGE',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
    ]),
    bound('metrics', 'metrics', 'METRICS'),
    bound('platform_rate_limit', 'requests counted by the platform', 'RATE_LIMITER'),
    bound('analytics', 'counts for analytics', 'ANALYTICS'),
    feature('fixed_links', 'links with a fixed address', config.public_url !== null, ['PUBLIC_URL']),
  ]
}

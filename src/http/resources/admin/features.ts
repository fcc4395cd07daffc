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
  const feature = (name: string, on: boolean, by: string): FeatureView => ({ name, on, by })
  const computes = has('COMPUTE') || has_local_compute
  return [
    feature('jobs by a queue', has('JOBS'), has('JOBS') ? 'JOBS' : 'JOBS; without it each object does its own'),
    feature('files', has('FILES'), 'FILES'),
    feature('datasets and code', computes, has('COMPUTE') || !computes ? 'COMPUTE' : 'this Worker itself'),
    feature('Python', config.code_runner !== null, 'CODE_RUNNER_URL'),
    feature('pages that scripts make', has('BROWSER'), 'BROWSER'),
    feature('lists by a database', has('INDEX'), 'INDEX'),
    feature('workspaces over several objects', config.sharded_tenants > 0, 'TENANT_SHARDS'),
    feature('keys at run time', has('REGISTRY'), 'ADMIN_KEY and REGISTRY'),
    feature('logins', config.login !== null, 'AUTH_ISSUER'),
    feature('signed callbacks', config.webhook_secrets.size > 0, 'WEBHOOK_SECRET'),
    feature('usage', config.usage, 'USAGE'),
    feature('spans', config.traces.enabled && config.traces.receiver !== null, 'OTEL_EXPORTER_OTLP_ENDPOINT'),
    feature('metrics', has('METRICS'), 'METRICS'),
    feature('requests counted by the platform', has('RATE_LIMITER'), 'RATE_LIMITER'),
    feature('counts for analytics', has('ANALYTICS'), 'ANALYTICS'),
    feature('links with a fixed address', config.public_url !== null, 'PUBLIC_URL'),
  ]
}

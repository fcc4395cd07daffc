/** Whether this service may be sent to an address that a request names: the rules hold again before each call, as the configuration may change. */
import type { ClientTool } from '../../core/terms/client-tools.ts'
import type { Config } from '../../config.ts'
import { readAddress } from '../../shell/network/address.ts'
import type { FieldError, HttpRefusal } from '../shapes/http-refusal.ts'
import { ERRORS_MAX } from './text-safety.ts'

/** null: it may be sent there. What is wanted of it (callbacks, tools) is signed, so the tenant needs a secret. */
export function addressRefusal(
  config: Config,
  tenant: string,
  { callback_url, tools }: { callback_url: string | null; tools: readonly Pick<ClientTool, 'url'>[] },
): HttpRefusal | null {
  const told = callback_url === null ? [] : [{ path: ['callback_url'], url: callback_url }]
  const called = tools.map(({ url }, index) => ({ path: ['tools', String(index), 'url'], url }))
  const errors = [...told, ...called].flatMap(({ path, url }) => {
    const flaw = addressError(config, tenant, url)
    return flaw === null ? [] : [errorAt(path, flaw)]
  })
  return errors.length === 0 ? null : { code: 'validation_failed', errors: errors.slice(0, ERRORS_MAX) }
}

const errorAt = (path: string[], flaw: string): FieldError => ({
  pointer: `/${path.join('/')}`,
  message: `${path.join('.')} ${flaw}`,
})

function addressError(
  { environment, webhook_secrets, allowed_hosts }: Config,
  tenant: string,
  url: string,
): string | null {
  const address = readAddress(url, { loopback: environment === 'development', allowed_hosts })
  if (!address.ok) return address.error
  return (webhook_secrets.get(tenant) ?? []).length === 0 ? UNSIGNED : null
}
const UNSIGNED =
  'needs a secret to sign with, and this tenant has none: ask whoever runs the service to set WEBHOOK_SECRET'

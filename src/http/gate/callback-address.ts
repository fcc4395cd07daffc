/** Whether the service may call an address that a request names. Each call checks it again, because the configuration may change. */
import type { ClientTool } from '../../core/terms/tools/client-tools.ts'
import type { Config } from '../../config.ts'
import { readAddress } from '../../shell/network/address.ts'
import type { HttpRefusal } from '../shapes/http-refusal.ts'
import { ERRORS_MAX } from './text-safety.ts'

/** null: the service may call all of them. Callbacks and tool calls are signed, so the tenant needs a secret. */
export function addressRefusal(
  config: Config,
  tenant: string,
  { callback_url, tools }: { callback_url: string | null; tools: readonly Pick<ClientTool, 'url'>[] },
): HttpRefusal | null {
  const callbacks = callback_url === null ? [] : [{ path: ['callback_url'], url: callback_url }]
  const tool_urls = tools.map(({ url }, index) => ({ path: ['tools', String(index), 'url'], url }))
  const errors = [...callbacks, ...tool_urls].flatMap(({ path, url }) => {
    const error = addressError(config, tenant, url)
    return error === null ? [] : [{ pointer: `/${path.join('/')}`, message: `${path.join('.')} ${error}` }]
  })
  return errors.length === 0 ? null : { code: 'validation_failed', errors: errors.slice(0, ERRORS_MAX) }
}

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

/** Whether the service may call an address that a request names. Each call checks it again, because the configuration may change. */
import type { Config } from '../../config.ts'
import { readAddress, type Reach } from '../../shell/network/address.ts'
import type { HttpRefusal } from '../shapes/http-refusal.ts'
import { toolAddresses, type NamedAddress, type ToolEntries } from '../shapes/tools/entries.ts'
import type { CallerConfig } from './caller-config.ts'
import { ERRORS_MAX } from './text-safety.ts'

/** By which rule addresses are judged that others name. */
export const reachOf = ({ environment, allowed_hosts, denied_hosts }: Config): Reach => ({
  loopback: environment === 'development',
  allowed_hosts,
  denied_hosts,
})

/** All addresses that the body of a new task names. */
export function addressesIn(body: {
  callback_url?: string | undefined
  tools?: ToolEntries | undefined
}): NamedAddress[] {
  const { callback_url, tools = [] } = body
  const callbacks = callback_url === undefined ? [] : [{ path: ['callback_url'], url: callback_url, is_signed: true }]
  return [...callbacks, ...toolAddresses(tools)]
}

/** null: the service may call all of them. What is signed needs a secret of the tenant. */
export function addressRefusal(
  config: CallerConfig,
  tenant: string,
  addresses: readonly NamedAddress[],
): HttpRefusal | null {
  const errors = addresses.flatMap((named) => {
    const error = addressError(config, tenant, named)
    const { path } = named
    return error === null ? [] : [{ pointer: `/${path.join('/')}`, message: `${path.join('.')} ${error}` }]
  })
  return errors.length === 0 ? null : { code: 'validation_failed', errors: errors.slice(0, ERRORS_MAX) }
}

function addressError(config: CallerConfig, tenant: string, { url, is_signed }: NamedAddress): string | null {
  const address = readAddress(url, { ...reachOf(config), tenant_hosts: config.tenant_hosts })
  if (!address.ok) return address.error
  return is_signed && (config.webhook_secrets.get(tenant) ?? []).length === 0 ? UNSIGNED : null
}
const UNSIGNED =
  'needs a secret to sign with, and this tenant has none: ask whoever runs the service to set WEBHOOK_SECRET'

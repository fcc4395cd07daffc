/** WEBHOOK_SECRET and WEBHOOK_URL: what the receivers of a tenant trust, and where it is told what concerns no task (U21, U22). */
import { readAddress, type Reach } from './shell/network/address.ts'

export interface WebhookConfig {
  /** `whsec_…` by tenant, at most two: both sign, the newer first. */
  webhook_secrets: ReadonlyMap<string, readonly string[]>
  webhook_urls: ReadonlyMap<string, string>
}
type Read = WebhookConfig & { errors: string[] }

/** While a tenant changes its secret. */
const SECRETS_MAX = 2
const ENTRY = /^([A-Za-z0-9._-]{1,64}):(.+)$/

/** `reach` says which receivers that are not public are allowed. */
export function readWebhooks(secrets: string | undefined, urls: string | undefined, reach: Reach): Read {
  const read = { secrets: readSecrets(entriesOf(secrets)), urls: readUrls(entriesOf(urls), reach) }
  // Development makes a secret of its own.
  const unsigned = reach.loopback ? [] : [...read.urls.found.keys()].filter((tenant) => !read.secrets.found.has(tenant))
  const missing = unsigned.map((tenant) => `WEBHOOK_URL names ${tenant}, which has no WEBHOOK_SECRET to sign with`)
  const errors = [...read.secrets.errors, ...read.urls.errors, ...missing]
  return { webhook_secrets: read.secrets.found, webhook_urls: read.urls.found, errors }
}

const entriesOf = (text: string | undefined) => (text === undefined ? [] : text.split(',').map((entry) => entry.trim()))

function readSecrets(entries: string[]): { found: Map<string, string[]>; errors: string[] } {
  const found = new Map<string, string[]>()
  const errors: string[] = []
  for (const [index, entry] of entries.entries()) {
    const [, tenant = '', secret = ''] = ENTRY.exec(entry) ?? []
    if (isSecret(secret)) found.set(tenant, [...(found.get(tenant) ?? []), secret])
    else errors.push(`WEBHOOK_SECRET entry ${index + 1} is not tenant:whsec_<24 to 64 bytes in base64>`)
  }
  const all = [...found.values()]
  if (all.some((secrets) => secrets.length > SECRETS_MAX)) {
    errors.push(`WEBHOOK_SECRET has more than ${SECRETS_MAX} secrets of one tenant`)
  }
  if (new Set(all.flat()).size < all.flat().length) errors.push('WEBHOOK_SECRET has the same secret twice')
  return { found, errors }
}

/** As Standard Webhooks wants it: whole groups of four, and the bytes that its signature needs. */
function isSecret(text: string): boolean {
  const base64 = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(text)?.[1] ?? ''
  const bytes = (base64.length / 4) * 3 - (/(?<!=)=+$/.exec(base64)?.[0].length ?? 0)
  return bytes >= 24 && bytes <= 64
}

function readUrls(entries: string[], reach: Reach): { found: Map<string, string>; errors: string[] } {
  const found = new Map<string, string>()
  const errors: string[] = []
  for (const [index, entry] of entries.entries()) {
    const [, tenant, url = ''] = ENTRY.exec(entry) ?? []
    const address = readAddress(url, reach)
    if (tenant === undefined || url.startsWith('//'))
      errors.push(`WEBHOOK_URL entry ${index + 1} is not tenant:https://…`)
    else if (!address.ok) errors.push(`WEBHOOK_URL entry ${index + 1} ${address.error}`)
    else if (found.has(tenant)) errors.push(`WEBHOOK_URL entry ${index + 1} is the second of its tenant`)
    else found.set(tenant, address.value.href)
  }
  return { found, errors }
}

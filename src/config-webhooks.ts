/** WEBHOOK_URL: where a tenant is told what has no task (ruling 22). */

const ENTRY = /^(?<tenant>[A-Za-z0-9._-]{1,64}):(?<url>\S{1,2000})$/

/** `tenant:https://…`, comma-separated, one for each tenant. `loopback`: whether http of this very machine is good too. */
export function readWebhookUrls(
  text: string | undefined,
  loopback: boolean,
): { urls: ReadonlyMap<string, string>; errors: string[] } {
  const urls = new Map<string, string>()
  const errors: string[] = []
  for (const [index, entry] of (text?.split(',') ?? []).entries()) {
    const { tenant = '', url = '' } = ENTRY.exec(entry.trim())?.groups ?? {}
    const name = `WEBHOOK_URL entry ${index + 1}`
    if (!isReceiver(url, loopback)) errors.push(`${name} is not tenant:https://…, without user, password and fragment`)
    else if (urls.has(tenant)) errors.push(`${name} is the second of its tenant`)
    else urls.set(tenant, url)
  }
  return { urls, errors }
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

function isReceiver(text: string, loopback: boolean): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password, hash } = new URL(text)
  const isSafe = protocol === 'https:' || (loopback && protocol === 'http:' && LOOPBACK.test(hostname))
  return isSafe && username === '' && password === '' && hash === ''
}

/** Secrets that are not set in development are made once and stored with the data, so that signatures outlive a restart. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The webhook secret belongs to the tenant of `dev-key`. */
const MAKERS = {
  SIGNING_SECRET: () => randomBytes(32).toString('base64url'),
  WEBHOOK_SECRET: () => `dev:whsec_${randomBytes(32).toString('base64')}`,
}

/** `bindings` with each of these secrets; outside development nothing is made up. */
export function withSecrets(bindings, dataDir) {
  if (bindings.ENVIRONMENT !== 'development') return bindings
  const missing = Object.keys(MAKERS).filter((name) => bindings[name] === undefined)
  if (missing.length === 0) return bindings
  const path = join(dataDir, 'secrets.json')
  const kept = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const unmade = missing.filter((name) => kept[name] === undefined)
  const secrets = { ...kept, ...Object.fromEntries(unmade.map((name) => [name, MAKERS[name]()])) }
  if (unmade.length > 0) keep(path, dataDir, secrets)
  return { ...secrets, ...bindings }
}

/** The file is moved as a whole, so that an interrupted start leaves either the old secrets or the new ones. */
function keep(path, dataDir, secrets) {
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(`${path}.new`, JSON.stringify(secrets), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** Secrets that development does not name are made once and kept with the data, so that what they sign outlives a restart. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** `bindings` with a SIGNING_SECRET; outside development nothing is made up. */
export function withSecrets(bindings, dataDir) {
  if (bindings.ENVIRONMENT !== 'development' || bindings.SIGNING_SECRET !== undefined) return bindings
  const path = join(dataDir, 'secrets.json')
  if (!existsSync(path)) {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(path, JSON.stringify({ SIGNING_SECRET: randomBytes(32).toString('base64url') }), { mode: 0o600 })
  }
  return { ...bindings, ...JSON.parse(readFileSync(path, 'utf8')) }
}

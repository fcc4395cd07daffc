/** Looks at the variables and the machine on which `npm start` would run, without starting it. Values are never printed. */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DIST } from '../dist.mjs'
import { ROOT, readsTypeScript } from '../node.mjs'
import { tiedCommand } from '../watch.mjs'
import { finding } from './findings.mjs'

const SECRET_CHARS = 32
const KEY_CHARS = 24
/** What Cloudflare takes as one variable or secret. */
const VARIABLE_BYTES_MAX = 5_120
const FREE_BYTES_MIN = 1_000_000_000

export async function examineHere(env) {
  if (!readsTypeScript)
    return [
      finding(
        'Node',
        'error',
        `${process.version} cannot run the service`,
        'npm ci installs one that can, and npm run takes it',
      ),
    ]
  const { readEnvironment } = await import('../environment.mjs')
  const settings = readEnvironment(env)
  const { errors, environment, reason, model, dataDir } = settings
  return [
    finding('Node', 'ok', process.version),
    finding(
      'environment',
      environment === 'production' ? 'ok' : 'warning',
      `${environment}, ${reason}`,
      environment === 'production' ? null : 'others may use it only in production: set API_KEYS',
    ),
    ...errors.map((error) => finding('variables', 'error', error, 'docs/configuration.md')),
    ...(errors.length === 0 ? [finding('variables', 'ok', 'none is wrong')] : []),
    ...lengths(env),
    model === 'offline'
      ? finding('model configured', 'warning', 'the built-in rules answer', 'set a model (docs/models.md)')
      : finding('model configured', 'ok', model),
    existsSync(join(DIST, 'manifest.json'))
      ? finding('bundle', 'ok', 'dist is built')
      : finding('bundle', 'error', 'there is none', 'npm run build'),
    existsSync(join(ROOT, 'public/index.html'))
      ? finding('static files', 'ok', 'public is built')
      : finding('static files', 'error', 'there are none', 'npm run build'),
    ...dataDirOf(resolve(dataDir)),
    tiedCommand().before.length > 0
      ? finding('runtime', 'ok', 'workerd ends with the service')
      : finding(
          'runtime',
          'warning',
          'workerd may outlive a killed service here',
          'run it on Linux with setpriv, or in a container',
        ),
  ]
}

/** Of secrets only the lengths are told. */
function lengths(env) {
  const found = []
  const secrets = (env.SIGNING_SECRET ?? '').split(',').filter((one) => one !== '')
  for (const [index, secret] of secrets.entries())
    found.push(
      secret.trim().length >= SECRET_CHARS
        ? finding('SIGNING_SECRET', 'ok', `secret ${index + 1} has ${secret.trim().length} characters`)
        : finding(
            'SIGNING_SECRET',
            'warning',
            `secret ${index + 1} has ${secret.trim().length} characters`,
            'openssl rand -base64 32',
          ),
    )
  const keys = (env.API_KEYS ?? '').split(',').filter((one) => one.includes(':') && !one.includes(':sha256:'))
  const short = keys.filter(
    (one) =>
      one
        .trim()
        .replace(/:worker$/, '')
        .split(':')
        .slice(1)
        .join(':').length < KEY_CHARS,
  )
  if (keys.length > 0)
    found.push(
      short.length === 0
        ? finding('API_KEYS', 'ok', `${keys.length} keys, none of them short`)
        : finding(
            'API_KEYS',
            'warning',
            `${short.length} of ${keys.length} keys have fewer than ${KEY_CHARS} characters`,
            'openssl rand -hex 32',
          ),
    )
  for (const [name, value] of Object.entries(env))
    if (
      ['API_KEYS', 'MODELS', 'MODEL_PRICES', 'WEBHOOK_SECRET', 'TENANT_MODELS'].includes(name) &&
      Buffer.byteLength(value) > VARIABLE_BYTES_MAX
    )
      found.push(
        finding(
          name,
          'warning',
          `${Buffer.byteLength(value)} bytes: Cloudflare takes ${VARIABLE_BYTES_MAX} at most`,
          'on Cloudflare keep keys in the registry (docs/deploy/cloudflare.md#keys)',
        ),
      )
  return found
}

function dataDirOf(path) {
  if (!existsSync(path)) return [finding('data', 'ok', `${path} will be made by the first start`)]
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch {
    return [
      finding(
        'data',
        'error',
        `${path} cannot be written by this user`,
        'give the directory to the user of the service',
      ),
    ]
  }
  const { bavail, bsize } = statfsSync(path)
  const open = (statSync(path).mode & 0o077) !== 0
  return [
    open
      ? finding('data', 'warning', `other users of this machine can look into ${path}`, `chmod 700 ${path}`)
      : finding('data', 'ok', `${path} is for its owner alone`),
    bavail * bsize >= FREE_BYTES_MIN
      ? finding('disk', 'ok', `${((bavail * bsize) / 1e9).toFixed(0)} GB free`)
      : finding(
          'disk',
          'warning',
          `${((bavail * bsize) / 1e9).toFixed(2)} GB free`,
          'make room: on a full disk nothing is written',
        ),
  ]
}

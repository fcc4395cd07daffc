/** What a service says of itself without a key. */
import { isPrivate, reasonOf } from './client.mjs'
import { finding } from './findings.mjs'

/** `version`: of this checkout. */
export async function healthOf(ask, url, version) {
  const { protocol, origin } = url
  const encryption = isPrivate(url)
    ? finding('encryption', 'ok', protocol === 'https:' ? 'TLS' : 'not needed on this machine')
    : finding('encryption', 'error', `${origin} is plain HTTP: keys can be read on the way`, PROXY)
  const answer = await ask('GET', '/health', { with_key: null }).catch((error) => error)
  if (answer instanceof Error)
    return [encryption, finding('service', 'error', `it does not answer: ${reasonOf(answer)}`, NO_ANSWER)]
  if (answer.json?.code === 'not_configured') {
    const reasons = answer.json.reasons ?? [answer.json.detail]
    return [encryption, ...reasons.map((reason) => finding('service', 'error', reason, SET_VARIABLE))]
  }
  if (answer.status !== 200 || answer.json?.status !== 'ok')
    return [
      encryption,
      finding('service', 'error', `GET /health answers ${answer.status}, not as loop-agent does`, OTHER),
    ]
  const { version: theirs, model } = answer.json
  return [
    encryption,
    finding('service', 'ok', `it answers, release ${theirs}`),
    releaseOf(theirs, version),
    configured(model),
  ]
}
const PROXY = 'put a proxy that speaks TLS in front of it (docs/deploy/docker.md#the-proxy)'
const NO_ANSWER = 'check the address, its DNS record, and whether the service runs (its log says why it did not start)'
const SET_VARIABLE =
  'set the variable and restart; on Cloudflare by npx wrangler secret put NAME (docs/configuration.md)'
const OTHER = 'check that the address leads to the service and not to something in front of it'

const releaseOf = (theirs, version) =>
  theirs === version
    ? finding('release', 'ok', 'the same as of this checkout')
    : finding(
        'release',
        'warning',
        `${theirs}; this checkout is ${version}`,
        'deploy this checkout, or use the doctor of that release',
      )

function configured(model) {
  const check = 'model configured'
  if (model === null || model === undefined)
    return finding(
      check,
      'error',
      'none: every task waits',
      'set OPENAI_API_KEY and OPENAI_MODEL, or MODELS, or bind AI (docs/models.md)',
    )
  if (model.wire === 'built_in')
    return finding(
      check,
      'warning',
      'the built-in rules answer, which know todos, dates and searches only',
      'set a model (docs/models.md)',
    )
  return finding(check, 'ok', `${model.model} at ${model.endpoint}`)
}

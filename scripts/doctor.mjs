/**
 * `npm run doctor -- [URL]`: checks a deployment through HTTP, or without an address the variables and the machine here, and says of each finding what to
 * do (docs/deploy/cloudflare.md#check-it). Exit 1 where something is wrong, 2 after a wrong command line.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isHealthy, linesOf } from './lib/doctor/findings.mjs'
import { NODE, ROOT, become, readsTypeScript } from './lib/node.mjs'

const HELP = `usage: npm run doctor -- [URL] [options]      DOCTOR_KEY: a key of a tenant
                                             DOCTOR_ADMIN_KEY: one of the operators, for the bindings

  --callback URL  sends a signed test delivery there
  --no-model      does not ask the model for a plan (it costs one call)
  --json          prints the findings as JSON

Without URL it looks at the variables and the machine here.`

if (readsTypeScript || NODE === process.execPath) await main()
else become(NODE, [import.meta.filename, ...process.argv.slice(2)])

async function main() {
  const { values, positionals } = options()
  const url = positionals[0] ?? null
  if (positionals.length > 1 || [url, values.callback ?? null].some((one) => one !== null && !URL.canParse(one)))
    usage('an address is a URL such as https://agent.example.com')
  const findings = url === null ? await here() : await there(url, values)
  if (values.json) console.log(JSON.stringify({ url, healthy: isHealthy(findings), findings }, null, 1))
  else console.log(linesOf(findings).join('\n'))
  process.exit(isHealthy(findings) ? 0 : 1)
}

async function here() {
  const { examineHere } = await import('./lib/doctor/local.mjs')
  return examineHere(process.env)
}

async function there(url, { callback = null, model }) {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const { examine } = await import('./lib/doctor/remote.mjs')
  const { DOCTOR_KEY, DOCTOR_ADMIN_KEY } = process.env
  return examine({ url, key: DOCTOR_KEY || null, admin_key: DOCTOR_ADMIN_KEY || null, callback, model, version })
}

function options() {
  try {
    return parseArgs({
      allowPositionals: true,
      allowNegative: true,
      options: {
        json: { type: 'boolean', default: false },
        model: { type: 'boolean', default: true },
        callback: { type: 'string' },
      },
    })
  } catch (error) {
    return usage(error.message)
  }
}

function usage(reason) {
  console.error(`error: ${reason}\n${HELP}`)
  process.exit(2)
}

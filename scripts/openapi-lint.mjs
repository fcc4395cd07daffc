// Lints openapi.yaml by Redocly's recommended rules and Spectral's `oas` rules; silent when both find no error.
import { spawnSync } from 'node:child_process'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PATH = `${ROOT}node_modules/.bin${delimiter}${process.env.PATH}`
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }
const LINTERS = [
  ['redocly', 'lint', 'openapi.yaml', '--format=stylish'],
  ['spectral', 'lint', 'openapi.yaml', '--ruleset', '.spectral.yaml', '--fail-severity=error', '--quiet'],
]

for (const [command, ...args] of LINTERS) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...OFFLINE, PATH },
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status === 0) continue
  console.error(`${command}: openapi.yaml has errors\n${error?.message ?? stdout + stderr}`)
  process.exitCode = 1
}

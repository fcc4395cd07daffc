/**
 * `npm run mutate -- [--workerd] [--files a.ts,b.ts] [--force]`: breaks the code piece by piece and sees whether a test
 * goes red (docs/contributing/mutation.md). Its packages are installed in mutation/ at the first run. A mutation that was tried
 * before is tried again only if its code has changed; `--force` tries everything.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { become, NODE, ROOT } from './lib/node.mjs'

const { values } = parseArgs({
  options: {
    workerd: { type: 'boolean', default: false },
    files: { type: 'string', multiple: true, default: [] },
    force: { type: 'boolean', default: false },
  },
})
const folder = join(ROOT, 'mutation')
const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js')

process.chdir(ROOT)
// Its peer dependencies are not installed, because it runs the vitest of the project.
if (!existsSync(stryker)) execFileSync('npm', ['ci'], { cwd: folder, stdio: 'inherit' })
const mutated = values.files.flatMap((list) => list.split(',')).filter((file) => file !== '')
// A name that matches no file would lead to a run that tries nothing.
const unknown = mutated.filter((file) => !existsSync(join(ROOT, file)))
if (unknown.length > 0) {
  console.error(`no such file: ${unknown.join(', ')}`)
  process.exit(1)
}
become(NODE, [
  stryker,
  'run',
  values.workerd ? 'mutation/stryker.workerd.config.mjs' : 'mutation/stryker.config.mjs',
  ...(mutated.length > 0 ? ['--mutate', mutated.join(',')] : []),
  ...(values.force ? ['--force'] : []),
])

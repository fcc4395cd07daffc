/**
 * Part of `npm run check`: no regular expression over outside text takes more than linear time. Read are the sources of the service, of the
 * console, of the runner, of the programs for workers and of the TypeScript client; exceptions, each with its proof, are in lib/expressions/exceptions.mjs.
 * A module of the service that reads text with repetitions also has its line in a table of test/growth.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { complaints } from './lib/expressions/checked.mjs'
import { EXCEPTIONS } from './lib/expressions/exceptions.mjs'
import { expressionsIn, expressionsMade } from './lib/expressions/found.mjs'
import { unmeasured } from './lib/expressions/readers.mjs'
import { ELSEWHERE } from '../test/growth/elsewhere.ts'
import { PARSERS } from '../test/growth/parsers.ts'

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')
const READERS = [
  'src',
  'runner',
  'scripts/bridge.mjs',
  'scripts/worker.mjs',
  'scripts/lib/bridge',
  'scripts/lib/worker',
  'scripts/lib/delegations',
  'scripts/lib/delegations.mjs',
  'clients/typescript/src',
]

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...READERS], {
  cwd: root,
  encoding: 'utf8',
})
const files = listed.split('\n').filter((file) => /\.(?:tsx?|m?js)$/.test(file) && !file.endsWith('.d.ts'))
const read = await Promise.all(
  files.map(async (file) => ({ file, ...(await expressionsIn(file, readFileSync(join(root, file), 'utf8'))) })),
)
const literals = read.flatMap((one) => one.literals)
const { made, late, missed } = await expressionsMade(
  root,
  read.filter((one) => one.made > 0),
)
const unseen = read.flatMap((one) => one.unseen)
const found = complaints({ expressions: [...literals, ...made], late, unseen, missed, exceptions: EXCEPTIONS })
if (found.length > 0) {
  console.error(
    `Regular expressions that take more than linear time on some text, or that nobody has looked at:\n${found.join('\n')}`,
  )
  process.exit(1)
}
const ofService = read
  .filter(({ file }) => /^src\/(?!console\/)/.test(file))
  .map((one) => ({ ...one, file: one.file.slice('src/'.length) }))
const named = new Set([...Object.values(PARSERS).flatMap(({ modules }) => modules), ...Object.keys(ELSEWHERE)])
const missing = unmeasured(ofService, named)
if (missing.length > 0) {
  console.error(
    `These modules read text with repetitions and stand in no table. Add what reads outside text to test/growth/parsers.ts, and anything else to test/growth/elsewhere.ts with the reason:\n${missing.join('\n')}`,
  )
  process.exit(1)
}
console.log(`${literals.length + made.length} regular expressions take linear time`)

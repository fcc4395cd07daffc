/**
 * `npm run bench:ab -- [BASE] [--only model,tool] [--rounds N] [--at-most 1.1]`: what the working tree costs, as a ratio to the commit BASE, by CPU
 * (bench/ab.ts, docs/contributing/performance.md). Without BASE it is the commit that bench/recorded.json names. With `--at-most` it exits with 1
 * when a ratio is above that for sure.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { AB_IDS, compareBundles, isDearer } from '../bench/ab.ts'
import { intervalText } from '../bench/interval.ts'
import { BUNDLING } from './lib/build.mjs'
import { DIST } from './lib/dist.mjs'
import { bindingsOf } from './lib/environment.mjs'
import { NODE, ROOT } from './lib/node.mjs'

const REQUESTS = { model: 320, action: 160, tool: 640, slice: 32, start: 1 }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: AB_IDS.join(',') },
    rounds: { type: 'string', default: '30' },
    'at-most': { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
})
const fail = (text) => {
  console.error(`error: ${text}`)
  process.exit(2)
}
const only = values.only.split(',')
const unknown = only.find((id) => !AB_IDS.includes(id))
if (unknown !== undefined) fail(`--only: "${unknown}" is none of ${AB_IDS.join(', ')}`)
const rounds = values.quick ? 2 : Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 2) fail(`--rounds: "${values.rounds}" is no whole number from 2 on`)
const most = values['at-most'] === undefined ? null : Number(values['at-most'])
if (most !== null && !(most > 0)) fail(`--at-most: "${values['at-most']}" is no ratio above 0`)

const git = (...args) =>
  execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
const commitOf = (name) => {
  try {
    return git('rev-parse', '--verify', '--quiet', `${name}^{commit}`)
  } catch {
    return null
  }
}
const recorded = () => JSON.parse(readFileSync(join(ROOT, 'bench/recorded.json'), 'utf8')).commit
const name = positionals[0] ?? recorded()
const commit = commitOf(name)
if (commit === null && positionals.length > 0) fail(`there is no commit ${name} here`)
if (commit === null) {
  console.log(`nothing was compared: this clone has no commit ${name}. Fetch its history first: git fetch --unshallow`)
  process.exit(0)
}

const directory = mkdtempSync(join(tmpdir(), 'loop-agent-base-'))
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
// A signal that stops this script also stops the runtimes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))

const place = join(directory, 'tree')
mkdirSync(place)
const archive = join(directory, 'tree.tar')
git('archive', '--format=tar', `--output=${archive}`, commit)
execFileSync('tar', ['-xf', archive, '-C', place])
// Both are built with the packages of the working tree, so a change of packages is not seen here.
symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'))
execFileSync(NODE, ['scripts/build.mjs'], { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] })

const scale = {
  rounds,
  warming: values.quick ? 1 : 5,
  tasks: values.quick ? 16 : 128,
  requests: Object.fromEntries(only.map((id) => [id, values.quick ? 16 : REQUESTS[id]])),
}
const wanted = {
  bundle: DIST,
  base: join(place, 'dist'),
  bundling: BUNDLING,
  bindingsOf,
  note: (text) => console.error(`bench: ${text}`),
}
const compared = await compareBundles(wanted, scale)
console.log(
  `CPU of the working tree as a ratio to ${commit.slice(0, 8)}, the median of ${rounds} rounds (95 % interval)`,
)
for (const { title, base_ms, tree_ms, of_base } of compared)
  console.log(`${title}: ${intervalText(of_base)} · ${base_ms.toFixed(2)} → ${tree_ms.toFixed(2)} ms`)
const dearer = most === null ? [] : compared.filter((one) => isDearer(one, most))
for (const { title } of dearer) console.error(`dearer than ${most} of the base for sure: ${title}`)
process.exit(dearer.length === 0 ? 0 : 1)

/**
 * `npm run bench:peers [-- --quick] [--only langgraph,agents] [--rounds N] [--write]`: what an op of the same loop costs in what one would
 * pick instead of this service (bench/peers). Installs each peer in its own folder on first use, measures all side by side in rounds and
 * prints figures, ratios and which aims are met. `--write` keeps them in bench/peers.json and docs/contributing/peers.md. Exit 1 when anything
 * was not done as it should have been; an aim that is not met is a finding and not an error.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { CONTENDERS, start, versionOf } from '../bench/peers/lib/contenders.mjs'
import { bytesStored, makePlace, takeCore } from '../bench/peers/lib/machine.mjs'
import { measureLong, measureShort } from '../bench/peers/lib/measure.mjs'
import { flatten, judge, summarize, tableOf } from '../bench/peers/lib/report.mjs'
import { startModel } from '../bench/peers/model.mjs'
import { formatText } from './lib/format-text.mjs'
import { ROOT } from './lib/node.mjs'

const FULL = { rounds: 5, short: { 1: 24, 16: 64 }, long: 8 }
const QUICK = { rounds: 1, short: { 1: 8, 16: 16 }, long: 3 }
const PAGE = join(ROOT, 'docs/contributing/peers.md')
const BEGIN = '<!-- figures: npm run bench:peers -- --write -->'
const END = '<!-- end of figures -->'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const size = values.quick ? QUICK : FULL
const rounds = Number(values.rounds ?? size.rounds)
const contenders = chosen(values.only)
if (!Number.isInteger(rounds) || rounds < 1) fail('--rounds takes a whole number from 1')
if (values.write && (values.only !== undefined || values.quick)) fail('--write keeps a full run of all only')
if (values.write) splitPage()
if (!existsSync('/proc/self/stat')) fail('CPU is read from /proc, which this system does not have')
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))

for (const { name } of contenders.filter((one) => one.name !== 'ours')) install(name)
const core = takeCore()
const load = loadavg()[0]
const place = makePlace()
process.on('exit', () => rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }))
const model = await startModel()
const bytes = await measureBytes()
const samples = await measureAll()
await model.close()

const summary = summarize(samples)
const run = {
  contenders,
  versions: Object.fromEntries(contenders.map((one) => [one.name, versionOf(one)])),
  machine: `Node ${process.version}, ${cpus()[0].model.trim()}, ${cpus().length} cores, ${core === null ? 'nothing pinned' : 'servers on a core of their own'}, load ${load.toFixed(1)} at the start.`,
  rounds,
}
const table = tableOf(run, summary)
console.log(table)
if (values.write) await keep()
process.exit(0)

/** The storage of a long task, by contender. It is measured once, because it is always the same, and on separate servers, which have to end before their files are read. */
async function measureBytes() {
  const found = {}
  for (const contender of contenders) {
    const server = await start(contender, { place: join(place, 'bytes'), model, core })
    await measureLong(server, model, size.long)
    await server.stop()
    const sum = server.storage.reduce((total, directory) => total + bytesStored(directory), 0)
    if (!(sum > 0)) throw new Error(`${contender.name} stored nothing`)
    found[contender.name] = sum / size.long
  }
  return found
}

/** All servers run through all rounds; round 0 warms them up and is not counted. The order rotates, so that no contender is always first. */
async function measureAll() {
  const found = Object.fromEntries(contenders.map(({ name }) => [name, []]))
  const servers = []
  for (const contender of contenders)
    servers.push(await start(contender, { place: join(place, 'rounds'), model, core }))
  for (let round = 0; round <= rounds; round += 1)
    for (const index of servers.keys()) {
      const server = servers[(index + round) % servers.length]
      const figures = await measure(server)
      if (round > 0) found[server.contender.name].push(figures)
      console.error(
        `${round === 0 ? 'warm-up' : `round ${round}`}, ${server.contender.title}: ${figures['cpu step 1'].toFixed(2)} ms of CPU per op`,
      )
    }
  for (const server of servers) await server.stop()
  return found
}

async function measure(server) {
  const short = await measureShort(server, model, size.short)
  const long = await measureLong(server, model, size.long)
  return flatten(server.contender, short, long, bytes[server.contender.name])
}

function chosen(only) {
  const names = only?.split(',') ?? CONTENDERS.map(({ name }) => name)
  const unknown = names.filter((name) => !CONTENDERS.some((one) => one.name === name))
  if (unknown.length > 0)
    fail(`there is no peer ${unknown.join(', ')}; there are ${CONTENDERS.map(({ name }) => name).join(', ')}`)
  // Nothing can be compared without our own service.
  return CONTENDERS.filter(({ name }) => name === 'ours' || names.includes(name))
}

/** Installs by the lockfile, in its folder only. Native parts are built against the headers of the running Node, if they are next to it. */
function install(name) {
  const folder = join(ROOT, 'bench/peers', name)
  const installed = join(folder, 'node_modules/.package-lock.json')
  const lockfile = join(folder, 'package-lock.json')
  const digest = createHash('sha256').update(readFileSync(lockfile)).update(process.version).digest('hex')
  const note = join(folder, 'node_modules/.installed-from')
  if (existsSync(installed) && existsSync(note) && readFileSync(note, 'utf8') === digest) return
  console.error(`installing ${name} …`)
  const nodedir = dirname(dirname(realpathSync(process.execPath)))
  const headers = existsSync(join(nodedir, 'include/node/node.h')) ? { npm_config_nodedir: nodedir } : {}
  const ran = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    env: { ...process.env, ...headers },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (ran.status !== 0) fail(`npm ci failed in bench/peers/${name}`)
  writeFileSync(note, digest)
}

/** The figures as they are and the table in the page, between its marks. */
async function keep() {
  const { contenders: _, ...told } = run
  const kept = { ...told, ...summary, aims: judge(summary) }
  writeFileSync(join(ROOT, 'bench/peers.json'), `${JSON.stringify(kept, null, 2)}\n`)
  const [before, after] = splitPage()
  const page = `${before}${BEGIN}\n\n${table}\n\n${END}${after}`
  writeFileSync(PAGE, await formatText(PAGE, page))
}

function splitPage() {
  const page = readFileSync(PAGE, 'utf8')
  const [before, after] = [page.split(BEGIN)[0], page.split(END)[1]]
  if (after === undefined || !page.includes(BEGIN)) fail('docs/contributing/peers.md has lost its marks')
  return [before, after]
}

function fail(message) {
  console.error(message)
  process.exit(1)
}

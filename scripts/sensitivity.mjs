/**
 * `npm run sensitivity -- [--bugs a,b] [--layers unit,simulation] [--jobs N] [--json] [--write]`: would our tests notice? Each
 * layer has to be green as things stand; then each seeded bug (test/sensitivity) is put in and each layer run again. Prints a table
 * of which layer caught which bug and a summary. `--json` prints one line per bug instead, `--write` keeps the table in
 * docs/contributing/sensitivity.md. Exit 1 when some bug is caught by no layer, or a layer was not green to begin with.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BUGS } from '../test/sensitivity/bugs.ts'
import { LAYERS, runLayer } from './lib/layers.mjs'
import { ROOT } from './lib/node.mjs'
import { pageOf, summaryOf, tableOf } from './lib/sensitivity-table.mjs'

const PAGE = join(ROOT, 'docs/contributing/sensitivity.md')

const { values } = parseArgs({
  options: {
    bugs: { type: 'string' },
    layers: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const bugs = chosen(BUGS, values.bugs, 'bug')
const layers = chosen(LAYERS, values.layers, 'layer')
const jobs = Number(values.jobs)
if (!Number.isInteger(jobs) || jobs < 1) fail('--jobs takes a whole number from 1')
if (values.write && (values.bugs ?? values.layers) !== undefined) fail('--write keeps the whole table only')
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))

const logs = mkdtempSync(join(tmpdir(), 'loop-agent-sensitivity-'))
process.on('exit', () => rmSync(logs, { recursive: true, force: true }))
const loads = await checkBaseline()
const results = await askAll()
if (values.json) for (const result of results) console.log(JSON.stringify(result))
else console.log(tableOf(LAYERS, results))
const summary = summaryOf(LAYERS, results)
console.log(JSON.stringify(summary))
if (values.write) writeFileSync(PAGE, await pageOf(LAYERS, results))
process.exit(summary.missed.length === 0 ? 0 : 1)

/** A layer that is red without a bug catches nothing by being red. Returns the sources that each layer loads. */
async function checkBaseline() {
  const loads = new Map()
  for (const layer of layers) {
    const log = join(logs, layer.name)
    const { outcome, output } = await runLayer(layer, environment({ SEEDED_LOG: log }))
    console.error(`without a bug, ${layer.name}: ${outcome}`)
    if (outcome !== 'green') fail(`${output}\nthe layer ${layer.name} is ${outcome} without any bug`)
    loads.set(layer.name, new Set(loadedIn(log)))
  }
  return loads
}

function loadedIn(log) {
  return existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []
}

async function askAll() {
  const [found, left] = [new Map(), [...bugs]]
  const work = async () => {
    for (let bug = left.shift(); bug !== undefined; bug = left.shift()) found.set(bug.name, await ask(bug))
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return bugs.map(({ name }) => found.get(name))
}

async function ask(bug) {
  const cells = {}
  for (const layer of layers) cells[layer.name] = await cellOf(bug, layer)
  console.error(`${bug.name}: ${Object.entries(cells).flat().join(' ')}`)
  return { bug: bug.name, law: bug.law, layers: cells }
}

async function cellOf(bug, layer) {
  if (!loads.get(layer.name).has(bug.file)) return 'not loaded'
  const first = await runWith(bug, layer)
  // The run may be red because of the machine, so it is repeated once.
  return first === 'broken' ? runWith(bug, layer) : first
}

async function runWith({ name, file }, layer) {
  const log = join(logs, `${name} ${layer.name}`)
  const { outcome, output } = await runLayer(layer, environment({ SEEDED_BUG: name, SEEDED_LOG: log }))
  if (outcome === 'timed out' || outcome === 'interrupted') return outcome
  // A run that did not load the bug says nothing about it, red or green.
  const loaded = loadedIn(log).includes(file)
  if (outcome === 'broken' || !loaded) console.error(`${output}\n${name}: the layer ${layer.name} is broken`)
  if (outcome === 'broken' || !loaded) return 'broken'
  return outcome === 'green' ? 'missed' : 'caught'
}

function environment(seeded) {
  const { SEEDED_BUG: _bug, SEEDED_LOG: _log, ...rest } = process.env
  return { ...rest, ...seeded }
}

function chosen(all, names, what) {
  if (names === undefined) return all
  const wanted = names.split(',')
  const unknown = wanted.filter((name) => !all.some((one) => one.name === name))
  if (unknown.length > 0)
    fail(`there is no ${what} ${unknown.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}`)
  return all.filter(({ name }) => wanted.includes(name))
}

function fail(message) {
  console.error(message)
  process.exit(1)
}

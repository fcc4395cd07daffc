/**
 * `npm run bench:sandbox [-- --runs N]`: measures the CPU time of a run of model-written code (bench/sandbox.ts) in relation to an empty
 * run, and its memory. Exit 1 when a case did not end as it should have.
 */
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { makePlace, takeCores } from '../bench/machine.ts'
import { benchSandbox } from '../bench/sandbox.ts'
import { BUNDLING } from './lib/build.mjs'
import { DIST } from './lib/dist.mjs'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '7' } } })
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) {
  console.error('usage: npm run bench:sandbox [-- --runs N]')
  process.exit(1)
}
// A signal that stops this script also stops the runtime.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))
const note = (text) => console.error(`bench: ${text}`)
const place = makePlace(note)
process.on('exit', () => rmSync(place, { recursive: true, force: true }))
const figures = await benchSandbox({ runs, bundle: DIST, bundling: BUNDLING, place, core: takeCores(note) })
const cell = (value, digits = 0) => value.toFixed(digits).padStart(8)
console.log(`${'case'.padEnd(40)}  CPU ms   × empty  wall ms   fuel M    MB in    MB peak`)
for (const { name, cpu_ms, wall_ms, ratio, fuel, memory_mb, peak_mb } of figures) {
  const cells = [
    cell(cpu_ms),
    cell(ratio, 1),
    cell(wall_ms),
    cell(fuel),
    cell(memory_mb),
    peak_mb === null ? '' : cell(peak_mb),
  ]
  console.log(`${name.padEnd(40)}${cells.join(' ')}`)
}

/**
 * `npm run bench:shards [-- --tasks 1000,16000,100000 --shards 1,4 --rounds 5 --write-ms 1]`: what creates and changes of status take inside
 * the objects of one tenant, by its number of shards and of tasks (docs/scale.md). Prints JSON lines; exit 1 where creates are not flat, or
 * where four shards do not make three times the creates of one.
 */
import { parseArgs } from 'node:util'
import { median } from '../bench/load.ts'
import { BenchTenant } from '../bench/shards.ts'
import { loadShards } from '../src/shell/shards/store-with-shards.ts'

await loadShards()

const FLAT = 1.2
const GAIN = 3
const AMOUNT = 8_000

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '1000,16000,100000' },
    shards: { type: 'string', default: '1,4' },
    rounds: { type: 'string', default: '5' },
    'write-ms': { type: 'string', default: '1' },
  },
})
const listOf = (text) => text.split(',').map(Number)
const [sizes, counts] = [listOf(values.tasks), listOf(values.shards)]

/** Creates that are counted, to see which further calls the shares of quotas take. */
const COUNTED = 4_000

const figures = []
for (const shards of counts) {
  const tenant = new BenchTenant(shards)
  let rows = 0
  for (; rows < COUNTED; rows++) await tenant.create(rows)
  const calls_per_create = Number((tenant.calls / rows).toFixed(3))
  for (const size of sizes) {
    for (; rows < size; rows++) await tenant.create(rows)
    const found = []
    for (let round = 0; round < Number(values.rounds); round++) {
      found.push(tenant.measure(rows, AMOUNT, Number(values['write-ms'])))
      rows += AMOUNT
    }
    const middle = (key) => median(found.map((one) => one[key]))
    const figure = { ...found[0], rows: size, calls_per_create }
    for (const key of ['creates_per_s', 'changes_per_s', 'busiest', 'us_per_create']) figure[key] = middle(key)
    figures.push(figure)
    console.log(JSON.stringify(figure))
  }
}

const of = (shards) => figures.filter((one) => one.shards === shards)
const flat = counts.map((shards) => {
  const speeds = of(shards).map(({ creates_per_s }) => creates_per_s)
  return { shards, spread: Number((Math.max(...speeds) / Math.min(...speeds)).toFixed(2)) }
})
const gains = of(1).flatMap(({ rows, creates_per_s, changes_per_s }) =>
  of(4)
    .filter((one) => one.rows === rows)
    .map((one) => ({
      rows,
      creates: Number((one.creates_per_s / creates_per_s).toFixed(2)),
      changes: Number((one.changes_per_s / changes_per_s).toFixed(2)),
    })),
)
const is_met = flat.every(({ spread }) => spread <= FLAT) && gains.every(({ creates }) => creates >= GAIN)
console.log(JSON.stringify({ flat, gains, is_met }))
process.exitCode = is_met ? 0 : 1

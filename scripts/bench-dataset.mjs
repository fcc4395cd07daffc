/**
 * `npm run bench:dataset [-- --runs N]`: what a summary and the columns of a dataset cost, by what decoding its bytes costs (bench/dataset.ts).
 * Runs with a heap of 128 MB, as much as an isolate has. Prints one JSON line for each; exit 1 when rows are missing.
 */
import { parseArgs } from 'node:util'
import { measureDataset } from '../bench/dataset.ts'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '3' } } })
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) {
  console.error('usage: npm run bench:dataset [-- --runs N]')
  process.exit(1)
}
/** 1,150,000 rows are 50 MB. */
for (const rows of [100_000, 1_150_000]) {
  for (const measured of await measureDataset(rows, runs)) console.log(JSON.stringify(measured))
}

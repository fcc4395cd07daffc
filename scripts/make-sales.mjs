/** Writes invented sales as CSV: `node scripts/make-sales.mjs --rows 100000 > sales.csv`; another `--seed` gives other sales. */
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { salesLines } from './lib/sales-csv.mjs'

const { values } = parseArgs({ options: { rows: { type: 'string' }, seed: { type: 'string' } } })
const options = { rows: wholeOf('rows', 100_000), seed: wholeOf('seed', 20_260_101) }

// A reader of the first lines only closes the pipe early.
process.stdout.on('error', () => process.exit(0))
let lines = []
for (const line of salesLines(options)) {
  lines.push(line)
  if (lines.length >= 5_000) await write()
}
await write()

async function write() {
  const text = lines.length === 0 ? '' : `${lines.join('\n')}\n`
  lines = []
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

function wholeOf(name, preset) {
  const value = values[name] === undefined ? preset : Number(values[name])
  if (Number.isSafeInteger(value) && value >= 0) return value
  console.error(`--${name} is to be a whole number, not ${values[name]}`)
  process.exit(2)
}

/**
 * `npm run bench:console [-- --runs N]`: measures the cost of an event for the page of a task with 500 events in relation to one with 20, and
 * the long browser tasks while it loads all 500 (bench/console.ts). Prints one JSON line: medians of its runs; ratios are within a run.
 */
import { parseArgs } from 'node:util'
import { EARLY, LATE, measure } from '../bench/console.ts'
import { median } from '../bench/load.ts'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '3' } } })
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) {
  console.error('usage: npm run bench:console [-- --runs N]')
  process.exit(1)
}
const fixed = (value) => Number(value.toFixed(2))
const measured = []
for (let run = 0; run < runs; run++) measured.push(await measure())
const of = (name) => {
  const ratios = measured.map(({ early, late }) => late[name] / early[name])
  const at = (window) => fixed(median(measured.map((each) => each[window][name])))
  const ratio = { median: fixed(median(ratios)), least: fixed(Math.min(...ratios)), most: fixed(Math.max(...ratios)) }
  return { early: at('early'), late: at('late'), ratio }
}
const replay = measured.map(({ replay }) => replay)
console.log(
  JSON.stringify({
    runs,
    events: { early: EARLY, late: LATE },
    painted_ms: of('painted_ms'),
    busy_ms: of('busy_ms'),
    replay,
  }),
)

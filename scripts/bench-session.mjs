/**
 * `npm run bench:session [-- --runs N]`: measures the cost of a late round of a long session and of a long dynamic task in relation to an
 * early one (bench/session.ts). Prints one JSON line for each: the medians of its runs. Exit 1 when a task did not go on as it should have.
 */
import { parseArgs } from 'node:util'
import { loadModes } from '../src/core/modes/index.ts'
import { loadCommands } from '../src/core/workspace/commands/load-commands.ts'
import { loadValidator } from '../src/store/fits.ts'
import { median } from '../bench/load.ts'
import { dynamicTask, grow, NARROW_SESSION, SESSION } from '../bench/session.ts'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } })
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) {
  console.error('usage: npm run bench:session [-- --runs N]')
  process.exit(1)
}
const fixed = (value) => Number(value.toFixed(2))
await Promise.all([loadModes(), loadCommands(), loadValidator()])
for (const long of [() => NARROW_SESSION, () => SESSION, dynamicTask]) {
  // The first run compiles the code for the others.
  await grow(long())
  const grown = []
  for (let run = 0; run < runs; run++) grown.push(await grow(long()))
  const ratios = grown.map(({ cpu_ms }) => cpu_ms.late / cpu_ms.early)
  const [{ prompt_bytes, head_bytes, rounds, actions }] = grown
  const cpu = (window) => fixed(median(grown.map(({ cpu_ms }) => cpu_ms[window])))
  const cpu_ms = { early: cpu('early'), late: cpu('late') }
  const ratio = { median: fixed(median(ratios)), least: fixed(Math.min(...ratios)), most: fixed(Math.max(...ratios)) }
  const { mode, settings } = long()
  console.log(JSON.stringify({ mode, settings, runs, rounds, actions, cpu_ms, ratio, prompt_bytes, head_bytes }))
}

/** The results of the layers for the seeded bugs: as a table, as figures, and as a page without a date. */
import { formatText } from './format-text.mjs'

const line = (cells) => `| ${cells.join(' | ')} |`

export function tableOf(layers, results) {
  const names = layers.map(({ name }) => name)
  const rows = results.map(({ bug, law, layers: cells }) => [
    `\`${bug}\``,
    law,
    ...names.map((name) => cells[name] ?? '–'),
  ])
  const head = ['bug', 'promise it breaks', ...names]
  return [head, head.map(() => '---'), ...rows].map(line).join('\n')
}

/** `by_layer` says how many bugs each layer caught, and how many only this layer caught. */
export function summaryOf(layers, results) {
  const caughtBy = ({ layers: cells }) => Object.keys(cells).filter((name) => cells[name] === 'caught')
  const caught = results.filter((result) => caughtBy(result).length > 0)
  const missed = results.filter((result) => !caught.includes(result)).map(({ bug }) => bug)
  const by_layer = layers.map(({ name }) => {
    const mine = caught.filter((result) => caughtBy(result).includes(name))
    return [name, { caught: mine.length, alone: mine.filter((result) => caughtBy(result).length === 1).length }]
  })
  return { bugs: results.length, caught: caught.length, missed, by_layer: Object.fromEntries(by_layer) }
}

const TEXT = `# Would the tests notice?

This page says which layer of tests notices which bug. \`npm run sensitivity -- --write\` writes it.

Each bug of \`test/sensitivity\` breaks one promise. The bug is put into its source file while the file is
loaded, and every layer of tests runs against it. Before that, each layer was green without any bug.

- \`caught\`: the layer turned red.
- \`missed\`: it stayed green.
- \`not loaded\`: it never loads that file, so it cannot notice the bug.
- \`timed out\`: the run took too long and catches nothing.
- \`–\`: there is no such layer here.

The layers: \`unit\` is test/core, test/shell, test/http and test/models in Node; \`store\` is test/store and the Worker in workerd;
\`simulation\` is 2,000 seeds of test/sim; \`crash points\` is every crash point of its short scripts.`

export async function pageOf(layers, results) {
  const { bugs, caught, by_layer } = summaryOf(layers, results)
  const counts = Object.entries(by_layer).map(([name, count]) => line([name, count.caught, count.alone]))
  const figures = [line(['layer', 'caught', 'and no other did']), line(['---', '---', '---']), ...counts].join('\n')
  const page = [TEXT, `${caught} of ${bugs} are caught.`, figures, tableOf(layers, results)].join('\n\n')
  return formatText('docs/contributing/sensitivity.md', `${page}\n`)
}

/** `npm run bench:traces [-- --quick]`: what traces cost a step (docs/contributing/performance.md). */
import { parseArgs } from 'node:util'
import { benchTraces } from '../bench/traces.ts'
import { BUNDLING } from './lib/build.mjs'
import { DIST } from './lib/dist.mjs'
import { bindingsOf } from './lib/environment.mjs'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
// A signal that stops this script also stops the runtimes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))
const scale = values.quick
  ? { rounds: 2, warming: 1, tasks: 8, steps: 2 }
  : { rounds: 24, warming: 4, tasks: 32, steps: 10 }
const wanted = { bundle: DIST, bundling: BUNDLING, bindingsOf, note: (text) => console.error(`bench: ${text}`) }
console.log((await benchTraces(wanted, scale)).join('\n'))

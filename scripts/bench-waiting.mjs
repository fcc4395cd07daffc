/** `npm run bench:waiting [-- --quick]`: many slices that wait for a slow model at once (docs/contributing/performance.md). Exit 1 when one is lost. */
import { parseArgs } from 'node:util'
import { benchWaiting, waitedLine } from '../bench/waiting.ts'
import { BUNDLING } from './lib/build.mjs'
import { DIST } from './lib/dist.mjs'
import { bindingsOf } from './lib/environment.mjs'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
// A signal that stops this script also stops the runtimes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))
const [slices, thinks_ms] = values.quick ? [50, 300] : [1_000, 3_000]
const wanted = { bundle: DIST, bundling: BUNDLING, bindingsOf, note: (text) => console.error(`bench: ${text}`) }
const waited = await benchWaiting(
  wanted,
  [1, values.quick ? 10 : 100].map((tenants) => ({ slices, tenants, thinks_ms })),
)
console.log(waited.map(waitedLine).join('\n'))
process.exit(waited.every(({ lost }) => lost === 0) ? 0 : 1)

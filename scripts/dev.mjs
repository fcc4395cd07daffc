/** `npm run dev`: wrangler dev on the sources, rebuilt on every change. Further arguments are passed on (`npm run dev -- --port 9000`). */
import { NODE, become } from './lib/node.mjs'
import { WRANGLER, WRANGLER_ENV } from './lib/wrangler.mjs'

const args = ['dev', '--ip', '127.0.0.1', '--var', 'ENVIRONMENT:development', ...process.argv.slice(2)]
become(NODE, [WRANGLER, ...args], { env: { ...WRANGLER_ENV, ...process.env } })

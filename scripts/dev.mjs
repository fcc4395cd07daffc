/**
 * `npm run dev`: wrangler dev on the sources as one Worker, rebuilt on every change. Further arguments are passed on (`npm run dev -- --port 9000`). It
 * develops unless `.dev.vars` sets ENVIRONMENT, or API_KEYS, which means production here as everywhere.
 */
import { NODE, become } from './lib/node.mjs'
import { WRANGLER, WRANGLER_ENV } from './lib/wrangler.mjs'

const own = ['--config', 'wrangler.single.toml', '--ip', '127.0.0.1', '--var', 'DEFAULT_ENVIRONMENT:development']
const args = ['dev', ...own, ...process.argv.slice(2)]
become(NODE, [WRANGLER, ...args], { env: { ...WRANGLER_ENV, ...process.env } })

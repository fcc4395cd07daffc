/** How every script runs wrangler: without a login, a network, a prompt or a report to anyone. */
import { join } from 'node:path'
import { ROOT } from './node.mjs'

export const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')

/** What that one starts. It passes no signal on, so who has to end wrangler starts this one. */
export const WRANGLER_CLI = join(ROOT, 'node_modules/wrangler/wrangler-dist/cli.js')

export const WRANGLER_ENV = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  // Local tracing makes a call to a Durable Object ten times slower and fills a growing database.
  X_LOCAL_OBSERVABILITY: 'false',
  X_LOCAL_EXPLORER: 'false',
}

/**
 * Where the bundles are: `dist/` is the API's, with that of the compute Worker and that of all in one Worker below it. One with a seeded bug in
 * it (test/sensitivity) is elsewhere and never comes near a deployment.
 */
import { join } from 'node:path'
import { ROOT } from './node.mjs'

const { SEEDED_BUG } = process.env

export const DIST = SEEDED_BUG ? join(ROOT, '.wrangler', 'seeded', SEEDED_BUG) : join(ROOT, 'dist')
export const COMPUTE_DIST = join(DIST, 'compute')
export const SINGLE_DIST = join(DIST, 'single')

/**
 * The folders of the bundles: `dist/` has the bundle of the API, and below it those of the compute Worker and of all in one Worker. A bundle with
 * a seeded bug (test/sensitivity) is in another folder and never comes near a deployment.
 */
import { join } from 'node:path'
import { ROOT } from './node.mjs'

const { SEEDED_BUG } = process.env

export const DIST = SEEDED_BUG ? join(ROOT, '.wrangler', 'seeded', SEEDED_BUG) : join(ROOT, 'dist')
export const COMPUTE_DIST = join(DIST, 'compute')
export const SINGLE_DIST = join(DIST, 'single')

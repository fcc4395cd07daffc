/** Where the bundle is: `dist/`, but for one with a seeded bug in it (test/sensitivity), which never comes near a deployment. */
import { join } from 'node:path'
import { ROOT } from './node.mjs'

const { SEEDED_BUG } = process.env

export const DIST = SEEDED_BUG ? join(ROOT, '.wrangler', 'seeded', SEEDED_BUG) : join(ROOT, 'dist')

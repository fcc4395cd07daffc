/** Which release makes or restores a backup, and which rows it can read. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SCHEMA_VERSION } from '../../../src/core/terms/head.ts'
import { ROOT } from '../node.mjs'

export const release = () => ({
  release: JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version,
  schema_version: SCHEMA_VERSION,
})

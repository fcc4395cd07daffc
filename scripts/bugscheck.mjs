/** Checks that the piece of source that each seeded bug replaces (test/sensitivity) is found exactly once, so that the list stays valid. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUGS } from '../test/sensitivity/bugs.ts'
import { seedBug } from '../test/sensitivity/seeded-bug.ts'
import { ROOT } from './lib/node.mjs'

const complaints = BUGS.flatMap((bug) => {
  const path = join(ROOT, bug.file)
  if (!existsSync(path)) return [`seeded bug ${bug.name}: there is no ${bug.file}`]
  try {
    seedBug(bug, readFileSync(path, 'utf8'))
    return []
  } catch (error) {
    return [error.message]
  }
})
for (const complaint of complaints) console.error(complaint)
if (complaints.length > 0) {
  console.error(
    'Make `find` in test/sensitivity/bugs-*.ts the piece of source as it is now, and keep the bug that `replace` puts there.',
  )
  process.exitCode = 1
}

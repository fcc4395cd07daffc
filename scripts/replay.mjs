/**
 * `npm run replay -- journal.json [more.json …]`: runs the state machine again on journals in the form of `GET /tasks/:id/export`, and says
 * of each whether every row comes out as it is stored. It needs no key and no network. Exit 1 at a difference, and when nothing was compared.
 */
import { readFileSync } from 'node:fs'
import { loadModes } from '../src/core/modes/index.ts'
import { readJournal, replayRecords } from '../src/store/task/journal-file.ts'

const files = process.argv.slice(2)
if (files.length === 0) {
  console.error('usage: npm run replay -- journal.json [more.json …]')
  process.exit(1)
}
await loadModes()
for (const file of files) {
  const { equal, line } = replayed(file)
  console.log(`${file}: ${line}`)
  if (!equal) process.exitCode = 1
}

function replayed(file) {
  try {
    const result = replayRecords(readJournal(readFileSync(file, 'utf8')))
    if (!result.ok) return { equal: false, line: `cannot be read: ${result.refusal.detail ?? result.refusal.code}` }
    const { equal, events, first_difference } = result.value
    return { equal: equal && events > 0, line: equal ? `equal, ${events} rows` : differs(first_difference) }
  } catch (error) {
    return {
      equal: false,
      line: `is no journal: ${String(error instanceof Error ? error.message : error).slice(0, 300)}`,
    }
  }
}

function differs({ seq, path, expected, found }) {
  return `differs at row ${seq}, ${path}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`
}

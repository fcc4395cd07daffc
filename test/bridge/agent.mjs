/**
 * A coding agent as the requirements S2 describe it: it takes commands from <dir>/commands/pending, moves them to commands/processed and writes a report each.
 * Says on its channel what it has done; with `halves` it writes the second half of a report only when it is told "on".
 */
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync, readdirSync, renameSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [dir, manner = ''] = process.argv.slice(2)
const at = (...names) => join(dir, ...names)
const pending = at('commands', 'pending')
const seen = new Set()

watch(pending, () => look())
look()
process.send({ did: 'started' })
process.on('disconnect', () => process.exit())

function look() {
  for (const name of readdirSync(pending)) if (/^task-.*\.md$/.test(name) && !seen.has(name)) void work(name)
}

/** The simple parser of the seed's time: only between the first two lines of dashes (O2-08). */
function frontMatter(text) {
  const [, head = ''] = text.split(/^---$/m)
  return Object.fromEntries(
    head
      .trim()
      .split('\n')
      .map((line) => line.split(': ')),
  )
}

async function work(name) {
  seen.add(name)
  const text = readFileSync(join(pending, name), 'utf8')
  const { id, session_id, command_type } = frontMatter(text)
  process.send({ did: 'read', id, command_type, text })
  if (manner !== 'keeps') renameSync(join(pending, name), at('commands', 'processed', name))
  const report = at('reports', 'pending', `report-${id}.md`)
  const session = session_id === 'auto' ? 'b7b7b7b7-0000-4000-8000-000000000000' : session_id
  writeFileSync(report, `---\nstatus: SUCCESS\nsession_id: ${session}\n---\n\n## 核心成果\nFirst half`)
  if (manner === 'halves') {
    process.send({ did: 'half' })
    await once(process, 'message')
  }
  // Nobody may have taken it away by now.
  if (!existsSync(report)) process.send({ did: 'lost' })
  appendFileSync(report, ', second half.\n')
  process.send({ did: 'wrote', id })
}

/**
 * A coding agent that knows two folders and nothing else (S2). What it does about a step is written down here by its title: it fails,
 * suggests, stays silent, wants to be told better – and keeps a line of each command it has read in its journal.
 */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const dir = process.argv[2]
const at = (...names) => join(dir, ...names)
for (const folder of ['commands/pending', 'commands/processed', 'reports/pending'])
  mkdirSync(at(folder), { recursive: true })

const MANNERS = {
  'Reproduce the project': ({ command_type }) => (command_type === 'new' ? 'FAILED' : 'SUCCESS'),
  'Measure the accuracy': () => 'PARTIAL_SUCCESS',
  'Wait for the data': ({ text }) => (text.includes('No report came') ? 'SUCCESS' : null),
  'Raise the accuracy': ({ text }) => (text.includes('New instruction') ? 'SUCCESS' : 'FAILED'),
}
const NEXT_STEPS = { PARTIAL_SUCCESS: '- Clean the labels' }

watch(at('commands/pending'), look)
look()
// Its test is gone.
process.on('disconnect', () => process.exit())

function look() {
  for (const name of readdirSync(at('commands/pending'))) if (/^task-.*\.md$/.test(name)) work(name)
}

function work(name) {
  const text = readFileSync(at('commands/pending', name), 'utf8')
  renameSync(at('commands/pending', name), at('commands/processed', name))
  const head = Object.fromEntries(
    text
      .split(/^---$/m)[1]
      .trim()
      .split('\n')
      .map((line) => line.split(': ')),
  )
  const title = text.split('## 任务描述\n')[1]?.split('\n')[0] ?? ''
  const status = head.command_type === 'end' ? 'SUCCESS' : (MANNERS[title] ?? (() => 'SUCCESS'))({ ...head, text })
  appendFileSync(at('journal.jsonl'), `${JSON.stringify({ ...head, title, status })}\n`)
  if (status === null) return
  const session = head.session_id === 'auto' ? `session of ${head.id}` : head.session_id
  const report = at('reports/pending', `report-${head.id}.md`)
  // As such agents do it: in place, and not all at once.
  writeFileSync(report, `---\nstatus: ${status}\nsession_id: ${session}\n---\n\n## 核心成果\n`)
  setImmediate(() =>
    appendFileSync(
      report,
      `${title}: ${status}\n\n## 填坑记录\nNothing of note.\n\n## 下一步建议\n${NEXT_STEPS[status] ?? ''}\n`,
    ),
  )
}

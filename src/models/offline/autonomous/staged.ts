/** The staged variant (S1-63): the program asks for a plan, for each task and for the report, and the rules answer only the current stage. */
import { findingOf } from './findings.ts'
import { label, md } from '../safe-text.ts'
import { failureReport, reportOf, unreadText } from './report.ts'
import { callsOf, runOf, type RunReply } from './run-call.ts'
import type { AutonomousTalk } from './talk.ts'
import type { AnalysisItem, AutonomousWork } from './work.ts'

export function stagedTurn(talk: AutonomousTalk, work: AutonomousWork, tools: readonly string[]): RunReply {
  const { stage } = talk
  if (stage.kind === 'report') return reporting(talk, work, stage.text)
  if (work.profile === null && tools.includes('read_dataset') && isUnseen(talk)) {
    const { words } = work
    return {
      text: thought(words.reads(talk.dataset)),
      tool_calls: callsOf({ tool: 'read_dataset', args: { preview_rows: 0 } }),
    }
  }
  return stage.kind === 'execute' ? executing(talk, work, stage, tools) : planning(work)
}

const thought = (text: string) => `<thinking>\n${text}\n</thinking>`

/** The first reading of the data was lost, or too long to be shown whole, and the data was not read since. */
const isUnseen = ({ look, runs }: AutonomousTalk) =>
  (look === null || look.ok) && !runs.some(({ tool }) => tool === 'read_dataset')

function planning({ words, items }: AutonomousWork): RunReply {
  const titles = items.filter(({ role }) => role === 'analysis').map(({ title }) => title)
  const lines = (titles.length === 0 ? [words.explore] : titles).map((title) => `- [ ] ${title}`)
  return { text: `${thought(words.stagedPlan)}\n\n<tasks>\n${lines.join('\n')}\n</tasks>` }
}

function executing(
  talk: AutonomousTalk,
  work: AutonomousWork,
  { title, details }: { title: string; details: string },
  tools: readonly string[],
): RunReply {
  const { words } = work
  const item = itemWithDetails(work, title, details)
  const { done } = item.outcome
  if (done !== null) return sentence(words.said(md(title), findingOf(done.found, words, md)), words.whyRun)
  const call = item.is === 'open' && tools.includes('run_code') ? runOf(talk, work, item) : null
  if (call === null) return { text: `${unable(work, item)}\n\n<tasks>\n- [ ] ${title}\n</tasks>` }
  const again = item.outcome.failure !== null
  return { text: thought((again ? words.runsAgain : words.stagedRuns)(label(title, 200))), tool_calls: callsOf(call) }
}

/** Where the rules do not understand a title, they read the text below it. */
function itemWithDetails({ itemFor }: AutonomousWork, title: string, details: string): AnalysisItem {
  const item = itemFor({ name: title, done: false })
  if (item.analysis !== null || details.trim() === '') return item
  const { analysis } = itemFor({ name: details, done: false })
  return analysis === null ? item : { ...item, analysis, is: item.outcome.over ? 'given_up' : 'open' }
}

const sentence = (text: string, why: string): RunReply => ({ text: `${thought(why)}\n\n${text}` })

const unable = ({ words, profile }: AutonomousWork, { title, reason, outcome }: AnalysisItem): string => {
  const why = reason !== '' ? reason : (outcome.failure ?? (profile === null ? words.failedTitle : words.notRead))
  return `${thought(words.gaveUp(label(title, 200), label(why, 200)))}\n\n${words.gaveUp(md(title), md(why))}`
}

function reporting(talk: AutonomousTalk, work: AutonomousWork, asked: string): RunReply {
  const { words, profile } = work
  const read = talk.runs.findLast(({ tool }) => tool === 'read_dataset')?.answer ?? talk.look
  const failed = read === null ? words.notRun : unreadText(read, words)
  const text =
    profile === null
      ? failureReport(talk, work, failed)
      : reportOf(talk, { ...work, items: itemsIn(talk, work, asked) })
  return { text: `${thought(words.stagedReport)}\n\n${text}` }
}

/** The finished tasks, as far as the program names them: done or failed, as it says. */
function itemsIn({ runs, listed }: AutonomousTalk, { itemFor, words }: AutonomousWork, asked: string): AnalysisItem[] {
  const [done = '', failed = ''] = asked
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/^[^:：]*[:：]\s*/u, ''))
  const described = runs.map(({ args }) => args['description'])
  const known = [...(listed[0] ?? []).map(({ name }) => name), ...described].filter(
    (title) => typeof title === 'string',
  )
  const titles = [...new Set(known)].filter((title) => asked.includes(title))
  const others = [...done.split('; '), ...failed.split('; ')].filter(
    (part) => part.trim() !== '' && !titles.some((title) => title.includes(part)),
  )
  return [...titles, ...others].flatMap((name) => {
    const item = itemFor({ name, done: false })
    if (item.role !== 'analysis') return []
    if (item.outcome.done !== null) return item
    const reason = item.outcome.failure ?? (done.includes(name) ? words.noFigures : words.notRead)
    return { ...item, is: 'given_up' as const, reason }
  })
}

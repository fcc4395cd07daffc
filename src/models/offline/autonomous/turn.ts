/**
 * Mode autonomous by rules: read the data, plan by the types of its columns, run code once for each task, then write the report. The state is
 * read from the messages each time. A task is ticked when its figures are there, and every call brings the end nearer.
 */
import type { Locale } from '../../../core/terms/locale.ts'
import type { Message } from '../../../core/terms/effect.ts'
import { dataGreetingText, greetingOf } from '../manners/greetings.ts'
import { notesOf } from './notes.ts'
import { label } from '../safe-text.ts'
import { END, failureReport, reportOf, unreadText } from './report.ts'
import { callsOf, runOf, type RunCall, type RunReply } from './run-call.ts'
import { stagedTurn } from './staged.ts'
import { readAutonomousTalk, type AutonomousTalk } from './talk.ts'
import { workOf, type AnalysisItem, type AutonomousWork } from './work.ts'

/** After this many calls the report follows, however small the window is. */
const CALLS_MAX = 18

export function autonomousTurn(messages: readonly Message[], tools: readonly string[]): RunReply {
  const talk = readAutonomousTalk(messages)
  const greeting = talk.runs.length === 0 && talk.remarks.length === 0 ? greetingOf(talk.goal) : null
  if (greeting !== null && talk.stage.kind === 'free')
    return greeted(dataGreetingText(greeting, talk.locale), talk.locale)
  const work = workOf(talk)
  if (talk.stage.kind !== 'free') return stagedTurn(talk, work, tools)
  const made = talk.runs.length + (talk.left_out_calls ?? 0)
  const { words } = work
  if (!['read_dataset', 'run_code'].every((name) => tools.includes(name))) return failing(talk, work, words.noTools)
  const open = work.items.find(({ role, is }) => role === 'analysis' && is === 'open')
  if (made >= CALLS_MAX) return reporting(talk, work, words.whyMany)
  // The next run and the report both need the data.
  if (work.profile === null) return reading(talk, work)
  if (open !== undefined) return running(talk, work, open)
  return reporting(talk, work, words.whyWrite)
}

const GREETED: Record<Locale, { thought: string; task: string }> = {
  en: { thought: 'This is a greeting, and it asks for no analysis.', task: 'Answer the greeting' },
  zh: { thought: '这是问候，没有要求分析。', task: '回应问候' },
}

/** A greeting asks for no analysis, so the answer ends the run (U63). */
function greeted(text: string, locale: Locale): RunReply {
  const { thought, task } = GREETED[locale]
  return { text: `<thinking>\n${thought}\n</thinking>\n\n<tasks>\n- [x] ${task}\n</tasks>\n\n${text}\n\n${END}` }
}

const READS_MAX = 2
const TITLE_CHARS = 200

function reading(talk: AutonomousTalk, work: AutonomousWork): RunReply {
  const { words } = work
  const reads = talk.runs.filter(({ tool }) => tool === 'read_dataset')
  const latest = reads.at(-1)?.answer
  const named = talk.dataset === null ? datasetIn(talk.goal) : null
  const again =
    talk.arrived !== null ||
    (latest !== undefined && reads.length < READS_MAX && (latest.ok || named !== null || isLost(latest.error)))
  if (latest !== undefined && !again) return unreadableReply(talk, work, unreadText(latest, words))
  // A report that was too long may fit without preview rows; a name that does not exist is left out.
  const name = talk.arrived ?? (latest === undefined ? named : null)
  const args = latest?.ok === true ? { preview_rows: 0 } : name === null ? {} : { name }
  const why = talk.left_out_calls === null ? words.whyRead : words.readsAgain
  const thought = words.thinking(words.begins, words.reads(talk.arrived ?? talk.dataset ?? named), why)
  return calling(work, thought, { tool: 'read_dataset', args })
}

/** Earlier results are still reported. */
const unreadableReply = (talk: AutonomousTalk, work: AutonomousWork, error: string): RunReply =>
  work.items.some(({ noted }) => noted !== null)
    ? reporting(talk, work, work.words.whyNoData)
    : failing(talk, work, error)

const isLost = (error: string) => /^(?:outcome unknown|结果未知)/u.test(error)

/** The file that the goal names, when the settings name none. */
const datasetIn = (goal: string): string | null =>
  /(?<![\w./-])([\w-][\w.-]{0,100}\.(?:csv|tsv|json|xlsx|xls))(?![\w-])/iu.exec(goal)?.[1] ?? null

function running(talk: AutonomousTalk, work: AutonomousWork, item: AnalysisItem): RunReply {
  const { words } = work
  const again = item.outcome.failure !== null
  const next = (again ? words.runsAgain : words.runs)(label(item.title, TITLE_CHARS))
  const thought = words.thinking(stateOf(talk, work), next, again ? words.whyAgain : words.whyRun)
  const call = runOf(talk, work, item)
  return call === null ? reporting(talk, work, words.whyWrite) : calling(work, thought, call)
}

/** What is known so far, after the latest result was checked. */
function stateOf({ runs }: Pick<AutonomousTalk, 'runs'>, work: AutonomousWork): string {
  const { words, items, profile, led } = work
  const analyses = items.filter(({ role }) => role === 'analysis')
  const done = analyses.filter(({ is }) => is === 'done')
  const latest = analyses.find(({ title }) => title === runs.at(-1)?.args['description'])
  const failure = latest?.outcome.failure ?? null
  const first = runs.at(-1)?.tool === 'read_dataset' && profile !== null && done.length === 0
  return [
    ...(first ? [words.knows(String(profile.rows), String(profile.columns)), words.planned(analyses.length, led)] : []),
    ...(first ? [] : [words.progress(done.length, analyses.length)]),
    ...(latest?.outcome.done ? [words.checked] : []),
    ...(latest !== undefined && latest.is !== 'done' && failure !== null
      ? [words.failedNow(label(latest.title, TITLE_CHARS), failure)]
      : []),
  ].join(words.colon === ': ' ? ' ' : '')
}

function reporting(talk: AutonomousTalk, work: AutonomousWork, why: string): RunReply {
  const thought = work.words.thinking(stateOf(talk, work), work.words.writes, why)
  return { text: [blocks(work, thought, true), reportOf(talk, work), END].join('\n\n') }
}

function failing(talk: AutonomousTalk, work: AutonomousWork, error: string): RunReply {
  const { words } = work
  const thought = words.thinking(words.readFailed(label(error, TITLE_CHARS)), words.writes, words.whyNoData)
  return { text: [blocks(work, thought, false), failureReport(talk, work, error), END].join('\n\n') }
}

const calling = (work: AutonomousWork, thought: string, call: RunCall): RunReply => ({
  text: blocks(work, thought, false),
  tool_calls: callsOf(call),
})

/** Every reply has both blocks (S1-12, S1-13). */
function blocks(work: AutonomousWork, thought: string, reported: boolean): string {
  const lines = work.items.map(({ title, role, is }) => {
    const ticked = is === 'done' || (role === 'report' && reported)
    // A title that was written by hand may hold anything.
    return `- [${ticked ? 'x' : ' '}] ${title.replaceAll('<', '‹')}`
  })
  const thinking = [thought, ...notesOf(work.items, work.words)].join('\n')
  return `<thinking>\n${thinking}\n</thinking>\n\n<tasks>\n${lines.join('\n')}\n</tasks>`
}

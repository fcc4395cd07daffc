/**
 * Mode autonomous by rules: look at the data, plan by the types of its columns, one run of code for each task, then the report. Where it
 * stands is read from the messages each time; a task is ticked when its figures are there, and every call is one step nearer to the end.
 */
import type { Message } from '../../../core/effect.ts'
import { recallCode } from './code.ts'
import { findingOf } from './findings.ts'
import { isRecall, RECALL } from './outcome.ts'
import { label } from './plain.ts'
import { END, failureReport, reportOf } from './report.ts'
import { callsOf, runOf, type Call, type Reply } from './run-call.ts'
import { stagedTurn } from './staged.ts'
import { readTalk, type Talk } from './talk.ts'
import { givenUpLines, workOf, type Item, type Work } from './work.ts'

/** However narrow the window: after so many calls there is a report. */
const CALLS_MAX = 18

export function autonomousTurn(messages: readonly Message[], tools: readonly string[]): Reply {
  const talk = readTalk(messages)
  const work = workOf(talk)
  if (talk.stage.kind !== 'free') return stagedTurn(talk, work, tools)
  const made = talk.runs.length + (talk.left_out_calls ?? 0)
  const { words } = work
  if (!['read_dataset', 'run_code'].every((name) => tools.includes(name))) return failing(talk, work, words.noTools)
  const open = work.items.find(({ role, is }) => role === 'analysis' && is === 'open')
  if (made >= CALLS_MAX) return reporting(talk, work, words.whyMany)
  if (work.profile === null && (open !== undefined || !isPlanned(work))) return reading(talk, work)
  if (open !== undefined) return running(talk, work, open)
  if (lost(work).length > 0 && !talk.runs.some(isRecall)) return recalling(work)
  return reporting(talk, work, words.whyWrite)
}

const isPlanned = ({ items }: Work) => items.some(({ role }) => role === 'analysis')

/** Done in rounds that are no longer shown. */
const lost = ({ items }: Work): string[] =>
  items.flatMap(({ role, is, outcome, title }) =>
    role === 'analysis' && is === 'done' && outcome.done === null ? [title] : [],
  )

const READS_MAX = 2

function reading(talk: Talk, work: Work): Reply {
  const { words } = work
  const failed = talk.runs.filter(({ tool }) => tool === 'read_dataset')
  const latest = failed.at(-1)?.answer
  const named = talk.dataset === null ? datasetIn(talk.goal) : null
  const again = failed.length < READS_MAX && latest !== undefined && (named !== null || isLost(latest.error))
  if (latest !== undefined && !again) return failing(talk, work, latest.error)
  const args = named === null || latest !== undefined ? {} : { name: named }
  const why = talk.left_out_calls === null ? words.whyRead : words.readsAgain
  const thought = words.thinking(words.begins, words.reads(talk.dataset ?? named), why)
  return calling(work, thought, { tool: 'read_dataset', args })
}

const isLost = (error: string) => /^(?:outcome unknown|结果未知)/u.test(error)

/** A file that the goal names, when the settings name none. */
const datasetIn = (goal: string): string | null =>
  /(?<![\w./-])([\w-][\w.-]{0,100}\.(?:csv|tsv|json|xlsx|xls))(?![\w-])/iu.exec(goal)?.[1] ?? null

function running(talk: Talk, work: Work, item: Item): Reply {
  const { words } = work
  const again = item.outcome.failures.length > 0
  const next = (again ? words.runsAgain : words.runs)(label(item.title))
  const thought = words.thinking(stateOf(talk, work), next, again ? words.whyAgain : words.whyRun)
  const call = runOf(talk, work, item)
  return call === null ? reporting(talk, work, words.whyWrite) : calling(work, thought, call)
}

/** What is known so far, with the latest result checked. */
function stateOf({ runs }: Pick<Talk, 'runs'>, work: Work): string {
  const { words, items, profile, led } = work
  const analyses = items.filter(({ role }) => role === 'analysis')
  const done = analyses.filter(({ is }) => is === 'done')
  const latest = analyses.find(({ title }) => title === runs.at(-1)?.args['description'])
  const failure = latest?.outcome.failures.at(-1)
  const first = runs.at(-1)?.tool === 'read_dataset' && profile !== null && done.length === 0
  return [
    ...(first ? [words.knows(String(profile.rows), String(profile.columns)), words.planned(analyses.length, led)] : []),
    ...(first ? [] : [words.progress(done.length, analyses.length)]),
    ...(latest?.outcome.done ? [words.checked(findingOf(latest.outcome.done.found, words, label))] : []),
    ...(latest !== undefined && latest.is !== 'done' && failure !== undefined
      ? [words.failedNow(label(latest.title), failure)]
      : []),
  ].join(words.colon === ': ' ? ' ' : '')
}

function recalling(work: Work): Reply {
  const { words, locale } = work
  const args = { code: recallCode(lost(work)), description: RECALL[locale], language: 'javascript' }
  const thought = words.thinking(stateOf({ runs: [] }, work), words.recalls, words.whyRecall)
  return calling(work, thought, { tool: 'run_code', args })
}

function reporting(talk: Talk, work: Work, why: string): Reply {
  const thought = work.words.thinking(stateOf(talk, work), work.words.writes, why)
  return { text: [blocks(work, thought, true), reportOf(talk, work), END].join('\n\n') }
}

function failing(talk: Talk, work: Work, error: string): Reply {
  const { words } = work
  const thought = words.thinking(words.readFailed(label(error)), words.writes, words.whyNoData)
  return { text: [blocks(work, thought, false), failureReport(talk, work, error), END].join('\n\n') }
}

const calling = (work: Work, thought: string, call: Call): Reply => ({
  text: blocks(work, thought, false),
  tool_calls: callsOf(call),
})

/** Both blocks, in every reply (S1-12, S1-13). */
function blocks(work: Work, thought: string, reported: boolean): string {
  const lines = work.items.map(({ title, role, is }) => {
    const ticked = is === 'done' || (role === 'report' && reported)
    return `- [${ticked ? 'x' : ' '}] ${title}`
  })
  const thinking = [thought, ...givenUpLines(work)].join('\n')
  return `<thinking>\n${thinking}\n</thinking>\n\n<tasks>\n${lines.join('\n')}\n</tasks>`
}

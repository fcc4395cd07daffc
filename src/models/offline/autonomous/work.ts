/** The current state of the tasks: the valid list, the analysis that each title means, and the result of its runs. */
import type { Locale } from '../../../core/terms/locale.ts'
import type { TaskLine } from '../../../core/mode/tags.ts'
import { analysisTitle, type Analysis } from './plan/analysis.ts'
import { runOutcomeOf, type RunOutcome } from './outcome.ts'
import { notedOf, noteOn, type NotedResult } from './notes.ts'
import { md } from '../safe-text.ts'
import { analysesFor, planAnalyses } from './plan/plan-analyses.ts'
import { profileOf, type Profile } from './plan/profile.ts'
import type { AutonomousTalk } from './talk.ts'
import { clausesOf, isAnalysisRequest, readAnalysisRequest } from './plan/analysis-requests.ts'
import { AUTONOMOUS_WORDS, type AutonomousWords } from './words.ts'

export interface AnalysisItem {
  title: string
  role: 'explore' | 'analysis' | 'report'
  /** null: the rules cannot read the title, or do not know the columns. */
  analysis: Analysis | null
  outcome: RunOutcome
  /** The result of the task, as long as a result or a thought still says it. */
  noted: NotedResult | null
  is: 'done' | 'open' | 'given_up'
  /** Why the task was given up. */
  reason: string
}
export interface AutonomousWork {
  locale: Locale
  words: AutonomousWords
  profile: Profile | null
  items: AnalysisItem[]
  /** The analysis of a task with that name, whoever chose the name. */
  itemFor(task: TaskLine): AnalysisItem
  /** Whether the request names anything that the rules know. */
  led: boolean
  /** The requests that were not followed. */
  unfollowed: string[]
}

function profileIn({ runs, look }: AutonomousTalk): Profile | null {
  const read = runs.findLast(
    ({ tool, answer }) => tool === 'read_dataset' && profileOf(answer.data) !== null && answer.ok,
  )
  const answer = read?.answer ?? look
  return answer?.ok === true ? profileOf(answer.data) : null
}

export function workOf(talk: AutonomousTalk): AutonomousWork {
  const { locale, goal } = talk
  const words = AUTONOMOUS_WORDS[locale]
  const profile = profileIn(talk)
  const wishes = profile === null ? [] : titleAnalyses(locale, wishesOf(talk, profile))
  const plan = profile === null ? [] : titleAnalyses(locale, planAnalyses(profile, goal))
  const known = [...plan, ...wishes]
  const itemFor = (task: TaskLine) => itemOf(task, talk, { profile, known, words })
  const items = listOf(talk, { plan, wishes }, words).map(itemFor)
  const hasRequest = profile !== null && isAnalysisRequest(readAnalysisRequest(goal, profile))
  return { locale, words, profile, items, itemFor, led: hasRequest, unfollowed: unfollowedIn(talk, profile) }
}

const wishesOf = ({ remarks }: AutonomousTalk, profile: Profile): Analysis[] =>
  remarks.flatMap((text) => analysesFor(profile, text))

interface TitledAnalysis {
  title: string
  analysis: Analysis
}

function titleAnalyses(locale: Locale, all: readonly Analysis[]): TitledAnalysis[] {
  const known = all.map((analysis) => ({ title: analysisTitle(locale, analysis), analysis }))
  return known.filter(({ title }, at) => known.findIndex((other) => other.title === title) === at)
}

/** The valid list: the list as the user has edited it, else the latest own list; newer requests are added. */
function listOf(
  talk: AutonomousTalk,
  { plan, wishes }: { plan: readonly TitledAnalysis[]; wishes: readonly TitledAnalysis[] },
  words: AutonomousWords,
): TaskLine[] {
  const open = (name: string): TaskLine => ({ name, done: false })
  const latest = talk.edited ?? talk.listed.at(-1) ?? []
  const isPlanned = talk.edited !== null || latest.some(({ name }) => roleOf(name, words) === 'analysis')
  const first = new Set([...plan, ...wishes].map(({ title }) => title))
  if (!isPlanned) return [words.explore, ...first, words.report].map(open)
  // A title that was listed before and is missing now was removed by hand.
  const before = new Set([...talk.listed, latest].flat().map(({ name }) => name))
  const wished = wishes.filter(({ title }) => !before.has(title))
  const at = latest.findIndex(({ name }) => roleOf(name, words) === 'report')
  const end = at === -1 ? latest.length : at
  return [...latest.slice(0, end), ...wished.map(({ title }) => open(title)), ...latest.slice(end)]
}

const REPORT =
  /^(?:write |produce |create |the |final |a )*(?:final )?report\b|^(?:生成|撰写|编写|写|输出|最终|完成)*报告$/iu
const EXPLORE =
  /^(?:explore|look at|read|load|inspect|understand)\b.*\b(?:data|dataset|file)\b|^(?:数据探索|探索数据|查看数据|读取数据集?)$/iu

function roleOf(title: string, words: AutonomousWords): AnalysisItem['role'] {
  if (title === words.explore || EXPLORE.test(title)) return 'explore'
  return title === words.report || REPORT.test(title) ? 'report' : 'analysis'
}

interface TaskKnowledge {
  profile: Profile | null
  known: readonly TitledAnalysis[]
  words: AutonomousWords
}

const NOTHING: RunOutcome = { done: null, failure: null, over: false }

function itemOf(
  { name: title, done }: TaskLine,
  talk: AutonomousTalk,
  { profile, known, words }: TaskKnowledge,
): AnalysisItem {
  const role = roleOf(title, words)
  const base = { title, role, analysis: null, outcome: NOTHING, noted: null, reason: '' }
  if (role === 'explore') return { ...base, is: done || profile !== null ? 'done' : 'open' }
  if (role === 'report') return { ...base, is: 'open' }
  const outcome_of_run = runOutcomeOf(talk, title)
  const note = noteOn(title, talk)
  const outcome = { ...outcome_of_run, failure: outcome_of_run.failure ?? note.failure }
  const analysis = known.find((one) => one.title === title)?.analysis ?? readFrom(title, profile)
  const noted = outcome.done === null ? note.noted : notedOf(outcome.done, words)
  if (outcome.done !== null || done) return { ...base, analysis, outcome, noted, is: 'done' }
  const unread = profile !== null && analysis === null ? words.notRead : null
  const reason = (outcome.over ? outcome.failure : null) ?? note.reason ?? unread
  return { ...base, analysis, outcome, is: reason === null ? 'open' : 'given_up', reason: reason ?? '' }
}

/** A title that someone else wrote is read like a request. */
const readFrom = (title: string, profile: Profile | null): Analysis | null =>
  profile === null ? null : (analysesFor(profile, title)[0] ?? null)

const REMARK_CHARS = 200

function unfollowedIn({ goal, remarks }: AutonomousTalk, profile: Profile | null): string[] {
  if (profile === null) return []
  const unread = remarks.filter(
    (text) => analysesFor(profile, text).length === 0 && clausesOf(text).asked.trim() !== '',
  )
  const negated = [goal, ...remarks].flatMap((text) => clausesOf(text).negated)
  return [...new Set([...negated, ...unread])].map((text) => md(text, REMARK_CHARS))
}

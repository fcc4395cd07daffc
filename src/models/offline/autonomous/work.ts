/** The tasks as they stand: the list that is in force, what each of its lines means to the rules, and what runs have come of it. */
import type { Locale } from '../../../core/terms/locale.ts'
import type { Task } from '../../../core/mode/tags.ts'
import { analysisTitle, type Analysis } from './plan/analysis.ts'
import { runOutcomeOf, type RunOutcome } from './outcome.ts'
import { notedOf, noteOn, type NotedResult } from './notes.ts'
import { md } from '../safe-text.ts'
import { analysesFor, planAnalyses } from './plan/plan-analyses.ts'
import { profileOf, type Profile } from './plan/profile.ts'
import type { AutonomousTalk } from './talk.ts'
import { clausesOf, isWish, readWish } from './plan/wishes.ts'
import { AUTONOMOUS_WORDS, type AutonomousWords } from './words.ts'

export interface AnalysisItem {
  title: string
  role: 'explore' | 'analysis' | 'report'
  /** null: the rules cannot read it, or do not know the columns. */
  analysis: Analysis | null
  outcome: RunOutcome
  /** What it brought, as long as a result or a thought of its own says so. */
  noted: NotedResult | null
  is: 'done' | 'open' | 'given_up'
  /** Why it was given up. */
  reason: string
}
export interface AutonomousWork {
  locale: Locale
  words: AutonomousWords
  profile: Profile | null
  items: AnalysisItem[]
  /** What a task of that name means, whoever named it. */
  itemFor(task: Task): AnalysisItem
  /** Whether the request names anything the rules know. */
  led: boolean
  /** What was asked for and not followed. */
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
  const wishes = profile === null ? [] : named(locale, wishesOf(talk, profile))
  const plan = profile === null ? [] : named(locale, planAnalyses(profile, goal))
  const known = [...plan, ...wishes]
  const itemFor = (task: Task) => itemOf(task, talk, { profile, known, words })
  const items = listOf(talk, { plan, wishes }, words).map(itemFor)
  const led = profile !== null && isWish(readWish(goal, profile))
  return { locale, words, profile, items, itemFor, led, unfollowed: unfollowedIn(talk, profile) }
}

const wishesOf = ({ remarks }: AutonomousTalk, profile: Profile): Analysis[] =>
  remarks.flatMap((text) => analysesFor(profile, text))

interface Named {
  title: string
  analysis: Analysis
}

/** Under each title one. */
function named(locale: Locale, all: readonly Analysis[]): Named[] {
  const known = all.map((analysis) => ({ title: analysisTitle(locale, analysis), analysis }))
  return known.filter(({ title }, at) => known.findIndex((other) => other.title === title) === at)
}

/** The list in force: as the user has changed it, else its own latest; what was asked for since then is added. */
function listOf(
  talk: AutonomousTalk,
  { plan, wishes }: { plan: readonly Named[]; wishes: readonly Named[] },
  words: AutonomousWords,
): Task[] {
  const open = (name: string): Task => ({ name, done: false })
  const latest = talk.edited ?? talk.listed.at(-1) ?? []
  const isPlanned = talk.edited !== null || latest.some(({ name }) => roleOf(name, words) === 'analysis')
  const first = new Set([...plan, ...wishes].map(({ title }) => title))
  if (!isPlanned) return [words.explore, ...first, words.report].map(open)
  // A title that was listed before and is not any more was taken out by hand.
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

interface Known {
  profile: Profile | null
  known: readonly Named[]
  words: AutonomousWords
}

const NOTHING: RunOutcome = { done: null, failure: null, over: false }

function itemOf({ name: title, done }: Task, talk: AutonomousTalk, { profile, known, words }: Known): AnalysisItem {
  const role = roleOf(title, words)
  const base = { title, role, analysis: null, outcome: NOTHING, noted: null, reason: '' }
  if (role === 'explore') return { ...base, is: done || profile !== null ? 'done' : 'open' }
  if (role === 'report') return { ...base, is: 'open' }
  const seen = runOutcomeOf(talk, title)
  const note = noteOn(title, talk)
  const outcome = { ...seen, failure: seen.failure ?? note.failure }
  const analysis = known.find((one) => one.title === title)?.analysis ?? readFrom(title, profile)
  const noted = outcome.done === null ? note.noted : notedOf(outcome.done, words)
  if (outcome.done !== null || done) return { ...base, analysis, outcome, noted, is: 'done' }
  const unread = profile !== null && analysis === null ? words.notRead : null
  const reason = (outcome.over ? outcome.failure : null) ?? note.reason ?? unread
  return { ...base, analysis, outcome, is: reason === null ? 'open' : 'given_up', reason: reason ?? '' }
}

/** A title of somebody else's is read like a request. */
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

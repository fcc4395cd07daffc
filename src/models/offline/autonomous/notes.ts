/**
 * The notes that the rules write into their thoughts for each task: what was found, or why it was given up. The latest thought is always in the
 * conversation, even when the rounds it is about are left out.
 */
import { findingOf } from './findings.ts'
import { CHART, type Done, type RunOutcome } from './outcome.ts'
import { label } from '../safe-text.ts'
import type { AutonomousTalk } from './talk.ts'
import { AUTONOMOUS_WORDS, type AutonomousWords } from './words.ts'

/** `finding` has no bar and no line end. */
export interface NotedResult {
  finding: string
  charts: string[]
}

/** The longest title or reason, which are whole lines. */
const LINE_CHARS = 300
const line = (text: string) => label(text, LINE_CHARS)

const BAR = ' | '
const NO_CHART = '–'

export const notedOf = ({ found, charts }: Done, words: AutonomousWords): NotedResult => ({
  finding: findingOf(found, words, label),
  charts,
})

interface NoteInput {
  title: string
  outcome: Pick<RunOutcome, 'failure'>
  noted: NotedResult | null
  is: 'done' | 'open' | 'given_up'
  reason: string
}

export function notesOf(items: readonly NoteInput[], words: AutonomousWords): string[] {
  return items.flatMap(({ title, outcome: { failure }, noted, is, reason }) => {
    const name = line(title)
    if (is === 'given_up') return [`${words.notDone}${name}${BAR}${line(reason)}`]
    if (is === 'open') return failure === null ? [] : [`${words.failedOnce}${name}${BAR}${line(failure)}`]
    if (noted === null) return []
    return [`${words.found}${name}${BAR}${noted.charts.join(', ') || NO_CHART}${BAR}${noted.finding}`]
  })
}

/** What the latest thought says about a task. */
interface TaskNote {
  noted: NotedResult | null
  /** Why its first attempt failed. */
  failure: string | null
  /** Why the task was given up. */
  reason: string | null
}

export function noteOn(title: string, { thinking, locale }: AutonomousTalk): TaskNote {
  const words = AUTONOMOUS_WORDS[locale]
  const behind = (mark: string): string | null => {
    const start = `${mark}${line(title)}${BAR}`
    const found = thinking.split('\n').find((one) => one.startsWith(start))
    return found?.slice(start.length) ?? null
  }
  const [charts = '', ...finding] = behind(words.found)?.split(BAR) ?? []
  const noted = { finding: finding.join(BAR), charts: charts.split(', ').filter((name) => CHART.test(name)) }
  return {
    noted: finding.length === 0 ? null : noted,
    failure: behind(words.failedOnce),
    reason: behind(words.notDone),
  }
}

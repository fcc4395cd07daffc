/**
 * What the rules write down in their thoughts of each task: what was found, or why it was given up. The latest thought is always at hand,
 * when the rounds it is about are left out of the conversation.
 */
import { findingOf } from './findings.ts'
import { CHART, type Done, type RunOutcome } from './outcome.ts'
import { label } from '../safe-text.ts'
import type { AutonomousTalk } from './talk.ts'
import { AUTONOMOUS_WORDS, type AutonomousWords } from './words.ts'

/** `finding` holds no bar and no line end. */
export interface NotedResult {
  finding: string
  charts: string[]
}

/** Titles and reasons are whole lines. */
const LINE_CHARS = 300
const line = (text: string) => label(text, LINE_CHARS)

const BAR = ' | '
const NO_CHART = '–'

export const notedOf = ({ found, charts }: Done, words: AutonomousWords): NotedResult => ({
  finding: findingOf(found, words, label),
  charts,
})

interface Written {
  title: string
  outcome: Pick<RunOutcome, 'failure'>
  noted: NotedResult | null
  is: 'done' | 'open' | 'given_up'
  reason: string
}

export function notesOf(items: readonly Written[], words: AutonomousWords): string[] {
  return items.flatMap(({ title, outcome: { failure }, noted, is, reason }) => {
    const name = line(title)
    if (is === 'given_up') return [`${words.notDone}${name}${BAR}${line(reason)}`]
    if (is === 'open') return failure === null ? [] : [`${words.failedOnce}${name}${BAR}${line(failure)}`]
    if (noted === null) return []
    return [`${words.found}${name}${BAR}${noted.charts.join(', ') || NO_CHART}${BAR}${noted.finding}`]
  })
}

/** What the latest thought says of a task. */
interface TaskNote {
  noted: NotedResult | null
  /** Why it failed once. */
  failure: string | null
  /** Why it was given up. */
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

/** Decides whether a run brought the result of its task; a success without figures does not count (S1-15). */
import type { Locale } from '../../../core/terms/locale.ts'
import { cut } from '../../../core/terms/text.ts'
import { RunFigures } from './run-figures.ts'
import { label } from '../safe-text.ts'
import type { Run, AutonomousTalk } from './talk.ts'

export interface Done {
  found: RunFigures
  /** The names of chart files. */
  charts: string[]
}
/** The state of a task by its runs. */
export interface RunOutcome {
  done: Done | null
  /** Why the latest attempt failed; null: none has failed. */
  failure: string | null
  /** The task is not tried again: a second attempt has failed, or the user did not want it. */
  over: boolean
}

/** The longest name of a saved result. */
const KEY_CHARS = 100
export const resultKeyOf = (title: string): string => cut(title, KEY_CHARS)

export function runOutcomeOf({ runs, locale }: Pick<AutonomousTalk, 'runs' | 'locale'>, title: string): RunOutcome {
  const own = runs.filter(({ tool, args }) => tool === 'run_code' && args['description'] === title)
  const done = own.map((run) => doneBy(run, title)).findLast((one) => one !== null)
  const failed = own.filter((run) => doneBy(run, title) === null)
  return {
    done: done ?? null,
    failure: failed.map(({ answer }) => reasonOf(answer, locale)).at(-1) ?? null,
    over: failed.some((run) => isSecond(run) || (!run.answer.ok && REFUSED.test(run.answer.error))),
  }
}

/** The first line of the code of a second attempt, because the first attempt may be left out of the conversation by then. */
export const SECOND_ATTEMPT = '// Second attempt: fewer figures, no chart.'
const isSecond = ({ args }: Run) => String(args['code']).startsWith(SECOND_ATTEMPT)

const REFUSED = /^(?:rejected by the user|被用户拒绝)/u

function doneBy({ answer: { ok, data } }: Run, title: string): Done | null {
  if (!ok) return null
  const found = [memberOf(data['result'], resultKeyOf(title)), ...printedValues(data['stdout'])]
    .filter((value) => memberOf(value, 'task') === resultKeyOf(title))
    .map((value) => RunFigures.safeParse(value))
    .find(({ success }) => success)?.data
  return found === undefined ? null : { found, charts: chartsIn(data['artifacts']) }
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Reflect.get(value, name)
}

/** Parses each line that is JSON. */
function printedValues(stdout: unknown): unknown[] {
  if (typeof stdout !== 'string') return []
  return stdout.split('\n').flatMap((line) => {
    try {
      return line.startsWith('{') ? [JSON.parse(line) as unknown] : []
    } catch {
      return []
    }
  })
}

export const CHART = /^(?!\.)[\w.-]{1,120}\.(?:svg|png)$/u

/** The charts among the files, which are listed by name or as objects with a name. */
function chartsIn(artifacts: unknown): string[] {
  const all: unknown[] = Array.isArray(artifacts) ? artifacts : []
  const names = all.map((one) => (typeof one === 'string' ? one : memberOf(one, 'name')))
  return names.filter((name): name is string => typeof name === 'string' && CHART.test(name)).slice(0, 3)
}

const REASON_CHARS = 160
const NO_FIGURES: Record<Locale, string> = { en: 'the run brought no figures', zh: '运行没有得到数字' }

function reasonOf({ ok, error }: Run['answer'], locale: Locale): string {
  const text = ok || error.trim() === '' ? NO_FIGURES[locale] : error
  return label(text, REASON_CHARS)
}

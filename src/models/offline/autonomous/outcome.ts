/** Whether a run brought what its task is about: a success without figures is none (S1-15). */
import type { Locale } from '../../../core/effect.ts'
import { cut } from '../../../core/text.ts'
import { Found } from './found.ts'
import { label, oneLine } from './plain.ts'
import type { Run, Talk } from './talk.ts'

export interface Done {
  found: Found
  /** Names of files. */
  charts: string[]
}
/** How a task stands by the runs that were made for it. */
export interface Outcome {
  done: Done | null
  failures: string[]
  /** The user did not want it: it is not tried again. */
  refused: boolean
}

/** Names of results that are saved end here. */
const KEY_CHARS = 100
export const keyOf = (title: string): string => cut(title, KEY_CHARS)

/** Where results of runs before are brought back. */
export const RECALL: Record<Locale, string> = { en: 'Recall the earlier results', zh: '取回先前的结果' }

export const isRecall = ({ tool, args }: Run): boolean =>
  tool === 'run_code' && Object.values(RECALL).some((text) => text === args['description'])

export function outcomeOf({ runs, locale }: Pick<Talk, 'runs' | 'locale'>, title: string): Outcome {
  const own = runs.filter(({ tool, args }) => tool === 'run_code' && args['description'] === title)
  const done = own.map((run) => doneBy(run, title)).findLast((one) => one !== null)
  const recalled = runs.filter(isRecall).map((run) => doneBy(run, title))
  const failed = own.filter((run) => doneBy(run, title) === null)
  return {
    done: done ?? recalled.findLast((one) => one !== null) ?? null,
    failures: failed.map(({ answer }) => reasonOf(answer, locale)),
    refused: failed.some(({ answer }) => !answer.ok && REFUSED.test(answer.error)),
  }
}

const REFUSED = /^(?:rejected by the user|被用户拒绝)/u

function doneBy({ answer: { ok, data } }: Run, title: string): Done | null {
  if (!ok) return null
  const found = [memberOf(data['result'], keyOf(title)), ...printed(data['stdout'])]
    .filter((value) => memberOf(value, 'task') === keyOf(title))
    .map((value) => Found.safeParse(value))
    .find(({ success }) => success)?.data
  return found === undefined ? null : { found, charts: chartsIn(data['artifacts']) }
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Reflect.get(value, name)
}

/** Each line that is JSON. */
function printed(stdout: unknown): unknown[] {
  if (typeof stdout !== 'string') return []
  return stdout.split('\n').flatMap((line) => {
    try {
      return line.startsWith('{') ? [JSON.parse(line) as unknown] : []
    } catch {
      return []
    }
  })
}

const CHART = /^(?!\.)[\w.-]{1,120}\.(?:svg|png)$/u

/** Of files, by their names or as objects with one. */
function chartsIn(artifacts: unknown): string[] {
  const all: unknown[] = Array.isArray(artifacts) ? artifacts : []
  const names = all.map((one) => (typeof one === 'string' ? one : memberOf(one, 'name')))
  return names.filter((name): name is string => typeof name === 'string' && CHART.test(name)).slice(0, 3)
}

const REASON_CHARS = 160
const NO_FIGURES: Record<Locale, string> = { en: 'the run brought no figures', zh: '运行没有得到数字' }

function reasonOf({ ok, error }: Run['answer'], locale: Locale): string {
  const text = ok || error.trim() === '' ? NO_FIGURES[locale] : error
  return cut(label(oneLine(text).slice(0, REASON_CHARS)), REASON_CHARS)
}

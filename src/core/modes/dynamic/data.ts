/** The results of actions by name, and the answers that were to be saved (S3-15). `{{name}}` in an input is replaced by the full text of that result. */
import type { Recall } from '../../terms/effect.ts'
import { expectEvent } from '../../mode/mode.ts'
import { actionOf } from './replies.ts'
import { RESULTS_MAX, type DynamicState } from './state.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { parseJson } from '../../terms/values/parse-json.ts'

/** The most characters of an input with its results. A placeholder whose text has no room stays as it is. */
const INPUT_CHARS_MAX = 1_000_000

type ResultRows = Pick<DynamicState, 'results' | 'results_count' | 'clarifications'>

/** Rows of results by name, oldest first. If two results have one name, the newer one counts. */
function namesOf({ results, results_count, clarifications }: ResultRows, recall: Recall): ReadonlyMap<string, number> {
  const dropped_count = results_count - results.length
  const names = new Map<string, number>()
  results.forEach((row, index) => {
    const name = savedAs(clarifications, recall, row) ?? `result_${dropped_count + index + 1}`
    names.delete(name)
    names.set(name, row)
  })
  return names
}

/** The name that the model gave to the result of this action, or to the answer to this question. */
function savedAs(clarifications: ResultRows['clarifications'], recall: Recall, row: number): string | null {
  const { effect } = recall(row)
  const by = effect?.kind === 'run_tool' ? effect.by : clarifications.find(([, answer]) => answer === row)?.[0]
  return by === undefined ? null : (actionOf(recall, by)?.save_as ?? null)
}

function textOf(recall: Recall, row: number): string {
  const { event } = recall(row)
  return event.kind === 'user_answered' ? event.text : expectEvent(recall(row), 'tool_returned').text
}

/** The state after a row whose text later inputs can name. */
export const withResult = <S extends Pick<ResultRows, 'results' | 'results_count'>>(state: S, row: number): S => ({
  ...state,
  results: pushBounded(state.results, row, RESULTS_MAX),
  results_count: state.results_count + 1,
})

/** The name by which the result of a row can be used. A newer result with the same name has taken it. */
export const nameByRow = (state: ResultRows, recall: Recall): ReadonlyMap<number, string> =>
  new Map([...namesOf(state, recall)].map(([name, row]) => [row, name]))

const PLACE = /\{\{([^{}]{1,200})\}\}/g

/** Replaces the placeholders. An unknown name stays as it is. In an input that is JSON, texts are escaped, so that the input stays JSON. */
export function fillPlaceholders(input: string, state: ResultRows, recall: Recall): string {
  if (!input.includes('{{')) return input
  const names = namesOf(state, recall)
  const json = isJson(input)
  let length = input.length
  return input.replaceAll(PLACE, (place: string, name: string) => {
    const row = names.get(name.trim())
    if (row === undefined) return place
    const text = json ? JSON.stringify(textOf(recall, row)).slice(1, -1) : textOf(recall, row)
    if (length + text.length - place.length > INPUT_CHARS_MAX) return place
    length += text.length - place.length
    return text
  })
}

const isJson = (text: string): boolean => typeof parseJson(text) === 'object'

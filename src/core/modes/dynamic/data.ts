/** What one action leaves for the next (S3-15): results by name, and `{{name}}` in an input as the whole text of that result. */
import type { Recall } from '../../terms/effect.ts'
import { expectEvent } from '../../mode/mode.ts'
import { cut } from '../../terms/text.ts'
import { actionOf } from './replies.ts'
import type { DynamicState } from './state.ts'

/** Characters of a result shown beside its name (O3-02). */
const PREVIEW_CHARS = 100
/** Characters of an input with the texts in place; a name whose text has no room stays as it is. */
const INPUT_CHARS_MAX = 1_000_000

type Named = Pick<DynamicState, 'results' | 'results_count'>

/** Rows of results by name, oldest first; of two of one name the newer one counts. */
function namesOf({ results, results_count }: Named, recall: Recall): ReadonlyMap<string, number> {
  const forgotten = results_count - results.length
  const names = new Map<string, number>()
  results.forEach((row, index) => {
    const name = savedAs(recall, row) ?? `result_${forgotten + index + 1}`
    names.delete(name)
    names.set(name, row)
  })
  return names
}

/** What the model called the result of this action. */
export function savedAs(recall: Recall, row: number): string | null {
  const { effect } = recall(row)
  return effect?.kind === 'run_tool' ? (actionOf(recall, effect.by)?.save_as ?? null) : null
}

const textOf = (recall: Recall, row: number): string => expectEvent(recall(row), 'tool_returned').text

/** Names that a prompt lists; older ones are known all the same. */
export const NAMES_SHOWN = 20

export function availableData(state: Named, recall: Recall): { name: string; preview: string }[] {
  return [...namesOf(state, recall)]
    .slice(-NAMES_SHOWN)
    .map(([name, row]) => ({ name, preview: cut(textOf(recall, row), PREVIEW_CHARS) }))
}

const PLACE = /\{\{([^{}]{1,200})\}\}/g

/** An unknown name stays. In an input that is JSON a text is put as JSON writes it, so that it still is. */
export function fillPlaceholders(input: string, state: Named, recall: Recall): string {
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

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

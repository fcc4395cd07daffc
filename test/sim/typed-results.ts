/** Typed results in the simulation: which tasks have an output schema, what a model gives them, and that their data fits. */
import type { Head } from '../../src/core/terms/head.ts'
import type { Settings } from '../../src/core/terms/settings.ts'
import { briefOf } from '../../src/core/mode/mode.ts'
import type { ClosedRow } from '../../src/core/protocol/journal.ts'
import { typedData } from '../../src/core/engine/result/typed-data.ts'
import { fits } from '../../src/store/fits.ts'
import type { Coverage } from './coverage.ts'
import type { Rows } from '../../src/store/task/rows/rows.ts'
import { demand } from './violation.ts'

export const OUTPUT_SCHEMA = {
  type: 'object',
  properties: { answer: { type: 'string', minLength: 1 }, count: { type: 'integer' } },
  required: ['answer'],
}

/** About one task in six, by settings that are drawn anyway. */
export const shapeFor = ({ plan_retries, max_output_tokens }: Settings): { output_schema?: typeof OUTPUT_SCHEMA } =>
  plan_retries === 1 && max_output_tokens === 500 ? { output_schema: OUTPUT_SCHEMA } : {}

/** A completed task with a schema has data that fits, and no other task has any. */
export function checkData(rows: Pick<Rows, 'recall'>, { seq, head }: ClosedRow): void {
  const { output_schema } = briefOf(rows.recall)
  const shown = () => `row ${seq}`
  if (output_schema === undefined) {
    demand(head.closing === null && head.data_row === null, 'only typed results have data', shown)
    return
  }
  const data = typedData(head, rows.recall)
  const isDone = head.end?.status === 'completed'
  demand(!isDone || data !== null, 'a completed task has its data', shown)
  demand(data === null || fits(OUTPUT_SCHEMA, data) === null, 'data fits its schema', () => JSON.stringify(data))
  demand(head.end === null || head.closing === null, 'an ended task closes nothing', shown)
}

/** Counts what closing calls come to. */
export function noteResult({ effect, event, head }: ClosedRow, before: Head | null, seen: Coverage): void {
  if (effect?.phase === 'result') seen(`closing call: ${event.kind}`)
  if (head.data_row !== null && before?.data_row !== head.data_row) seen('data')
  if (head.pause_reason?.kind === 'result_unmet') seen('paused: no data')
  const isHeld = before !== null && before.closing !== null
  if (isHeld && event.kind === 'user_remarked') seen('remark to a closing call')
  if (isHeld && event.kind === 'resumed') seen('resumed to a closing call')
}

/**
 * The data of a typed result (U54): what a closing reply has in the shape of the client. The validator is asked once, when the reply is
 * committed, and its words stand in the row. So a replay and a later release judge the reply as it was judged.
 */
import type { Brief, Event, EventOf, Recall, StoredEffect } from '../../terms/effect.ts'
import type { Head } from '../../terms/head.ts'
import { isRecord } from '../../terms/plain/is-record.ts'
import type { SchemaValidator } from '../../terms/schema/answer-form.ts'
import type { JsonSchema } from '../../terms/schema/json-schema.ts'
import { readOutputSchema } from '../../terms/schema/output-schema.ts'
import { withoutNulls } from '../../terms/schema/wire-schema.ts'
import { RESULT_PHASE } from '../../terms/settings.ts'
import { unreadable } from '../../terms/unreadable.ts'
import { briefOf, expectEvent } from '../../mode/mode.ts'
import type { ReplyResult } from '../../mode/reply.ts'
import { cutReason, dataReader } from '../../modes/index.ts'

type ReplyEvent = EventOf<'model_replied'>
type Data = Record<string, unknown>

/** The schema of a brief without references. null: the result of the task has no shape. */
export function appliedSchemaOf({ output_schema }: Pick<Brief, 'output_schema'>): JsonSchema | null {
  if (output_schema === undefined) return null
  const read = readOutputSchema(output_schema)
  if (!read.ok) throw unreadable(`the output schema ${read.problem.message}`)
  return read.schema
}

const readings = new WeakMap<ReplyEvent, ReplyResult<Data>>()

/** The object of a reply. The validator has judged it already. */
function readData(event: ReplyEvent, brief: Brief): ReplyResult<Data> {
  const known = readings.get(event) ?? readAnew(event, brief)
  readings.set(event, known)
  return known
}

function readAnew(event: ReplyEvent, brief: Brief): ReplyResult<Data> {
  const reason = cutReason(event)
  if (reason !== null) return { ok: false, reason }
  const read = dataReader(brief.settings)(event.text)
  if (!read.ok) return read
  const value = withoutNulls(appliedSchemaOf(brief), read.value)
  return isRecord(value) ? { ok: true, value } : { ok: false, reason: 'the reply has no JSON object' }
}

/** The event as its row keeps it: a closing reply with what the validator says of it. */
export function withVerdict(event: Event, effect: StoredEffect | null, recall: Recall, fits: SchemaValidator): Event {
  if (event.kind !== 'model_replied') return event
  const { misfit: _, ...said } = event
  const brief = briefOf(recall)
  const schema = effect?.phase === RESULT_PHASE ? appliedSchemaOf(brief) : null
  const read = schema === null ? null : readData(said, brief)
  const misfit = schema === null || read?.ok !== true ? null : fits(schema, read.value)
  return misfit === null ? said : { ...said, misfit }
}

/** The member by which a model says that it cannot give what is asked for. */
const CANNOT = 'cannot'

/** The data of a closing reply, or why it has none, in words for the model and for people. */
export function dataIn(event: ReplyEvent, brief: Brief): ReplyResult<Data> {
  const read = readData(event, brief)
  if (!read.ok || event.misfit === undefined) return read
  const { [CANNOT]: reason, ...others } = read.value
  const isCannot = typeof reason === 'string' && Object.keys(others).length === 0
  return {
    ok: false,
    reason: isCannot
      ? `the model says that it cannot give what output_schema asks for: ${reason}`
      : `the reply does not fit output_schema: ${event.misfit}`,
  }
}

/** Why a refused closing reply has no data. */
export function misfitOf(event: ReplyEvent, brief: Brief): string {
  const data = dataIn(event, brief)
  return data.ok ? '' : data.reason
}

/** The data of the latest run. null: there is none yet. */
export function typedData({ data_row }: Pick<Head, 'data_row'>, recall: Recall): Data | null {
  if (data_row === null) return null
  const read = dataIn(expectEvent(recall(data_row), 'model_replied'), briefOf(recall))
  if (!read.ok) throw unreadable(`row ${data_row} has no data: ${read.reason}`)
  return read.value
}

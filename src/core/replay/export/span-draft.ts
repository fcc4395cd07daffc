/** A span before it has ids. It is derived from closed rows only, so that each export makes the same one. */

/** Numbers are whole, because an encoder writes 1.0 as an integer and 1.5 as a float. */
export type AttributeValue = string | number | boolean | string[]
export type Attributes = Record<string, AttributeValue>

/** Names a span within its task. The row is the one that the span is about, or the first row of a run. */
export interface SpanName {
  about: 'run' | 'row' | 'plan' | 'delegation'
  row: number
}

export interface SpanDraft {
  span: SpanName
  /** `caller`: the span of the request that made the task, if it had one. */
  parent: SpanName | 'caller'
  name: string
  kind: 'internal' | 'client'
  /** In ms since the epoch. */
  start_ms: number
  end_ms: number
  attributes: Attributes
  /** The type of the error that it ended in. null: it did not. */
  error: string | null
  /** The row whose prompt and result belong to the span. null: none. */
  content_of: number | null
  /** The endpoint or model that a model call was made for. null: the default one. Absent: no model was called. */
  called?: string | null
  /** The task of which this one is a fork, on the first span of a fork. */
  forked_from?: { task: string; at: number }
}

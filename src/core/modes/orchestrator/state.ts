/** The state of an orchestrated task: its steps, the one that is worked on, and the command that is out (S2-08). Texts by the seq of the row that holds them. */
import * as z from 'zod'

const row = z.int().min(1)
const count = z.int().min(0)

/** A text: the row that holds it, and which of its list. */
const Place = z.tuple([row, count])
export type Place = z.infer<typeof Place>

/** A step: its number, never used twice; where it is written; where its constraints are, which an edit by hand does not name. */
const OrchestratorItem = z.object({ id: z.int().min(1), at: Place, constraints: Place.optional() })
export type OrchestratorItem = z.infer<typeof OrchestratorItem>

/** How a step ended, and the row that ended it. */
const End = z.tuple([z.enum(['completed', 'failed', 'skipped']), row])
export type End = z.infer<typeof End>

const OrchestratorPlan = z.object({
  /** The row that made this list; null before the first one. */
  row: row.nullable(),
  revision: count,
  /** 0-based position of the step being worked on; = items.length when all have ended. */
  cursor: count,
  items: z.array(OrchestratorItem),
  /** For each step that has ended, in list order. */
  ends: z.array(End),
  next_id: z.int().min(1),
  replans: count,
  /** Steps that have ended and left a list that grew too long. */
  left: count,
})
export type OrchestratorPlan = z.infer<typeof OrchestratorPlan>

/** What is known of the step under the cursor alone. */
const StepState = z.object({
  /** Not while the plan waits for its approval. */
  begun: z.boolean(),
  /** Attempts that failed since it began, or since a person gave it a new instruction (R17). */
  failures: count,
  /** The row of the latest of them. */
  failure: row.nullable(),
  /** The row of the instruction that takes the place of its description. */
  instruction: row.nullable(),
  /** The report that named the session in which it is worked on; null: none has. */
  session: row.nullable(),
  /** Its latest report. */
  report: row.nullable(),
})
export type StepState = z.infer<typeof StepState>

/** A question to a person: the row that asked, the step it is about, how often that had failed, and the row of the answer. */
const Ask = z.object({ row, item: OrchestratorItem, failures: count, answer: row.nullable() })
export type Ask = z.infer<typeof Ask>

export const OrchestratorState = z.object({
  phase: z.enum(['planning', 'dispatching', 'awaiting', 'evaluating', 'asking', 'summarizing', 'ended']),
  plan: OrchestratorPlan,
  step: StepState,
  /** The row that decided that a command is to be sent. */
  by: row.nullable(),
  /** The row that dispatched the command whose report is waited for. */
  command: row.nullable(),
  /** The report that named the latest session; it is told when the task has ended. */
  session: row.nullable(),
  /** Newest last, bounded; and how many there were. */
  asks: z.array(Ask),
  questions: count,
  /** Commands handed out, and attempts that failed, of the whole task. */
  commands: count,
  failures: count,
  remarks: z.array(row),
  /** Rows of what changed the task, newest last, bounded: the change log of its mission. */
  log: z.array(row),
  /** Reports with pitfalls, newest last, bounded. */
  pitfalls: z.array(row),
  /** The reply that broke its contract just before. */
  refused: row.nullable(),
  summary: row.nullable(),
  /** What the user wants changed about the plan, while it is made again (U15). */
  change: row.nullable(),
})
export type OrchestratorState = z.infer<typeof OrchestratorState>

export const REMARKS_MAX = 50
export const LOG_MAX = 60
export const PITFALLS_MAX = 20
/** Steps that have ended and stay in a list that is replaced: beside a whole new list they have room in a head. */
export const ENDED_MAX = 30
export const ASKS_MAX = 30

export const freshStep = (begun = true): StepState => ({
  begun,
  failures: 0,
  failure: null,
  instruction: null,
  session: null,
  report: null,
})

export const startState = (): OrchestratorState => ({
  phase: 'planning',
  plan: { row: null, revision: 0, cursor: 0, items: [], ends: [], next_id: 1, replans: 0, left: 0 },
  step: freshStep(false),
  by: null,
  command: null,
  session: null,
  asks: [],
  questions: 0,
  commands: 0,
  failures: 0,
  remarks: [],
  log: [],
  pitfalls: [],
  refused: null,
  summary: null,
  change: null,
})

export const itemId = (id: number) => `step_${id}`
/** The step under the cursor; null before there is a plan and when all have ended. */
export const currentOf = ({ items, cursor }: OrchestratorPlan): OrchestratorItem | null => items[cursor] ?? null
export function currentId({ plan }: OrchestratorState): string | null {
  const item = currentOf(plan)
  return item === null ? null : itemId(item.id)
}
export const requestId = (row: number) => `question_${row}`
/** The question that is open; null: none is. */
export const openAsk = ({ phase, asks }: OrchestratorState): Ask | null =>
  phase === 'asking' ? (asks.at(-1) ?? null) : null

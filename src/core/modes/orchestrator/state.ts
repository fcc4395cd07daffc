/** The state of an orchestrated task: its steps, the one that is worked on, and the command that is out (S2-08). Texts by the seq of the row that holds them. */
import * as z from 'zod'
import { EMPTY_PLAN, Item, Plan } from '../plan/plan.ts'

const row = z.int().min(1)
const count = z.int().min(0)

const OrchestratorPlan = Plan.extend({
  /** Where the constraints of edited steps stand: an edit does not name them. */
  constraints: z.array(Item),
  replans: count,
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
type StepState = z.infer<typeof StepState>

/** A question to a person: the row that asked, the step it is about, how often that had failed, and the row of the answer. */
const Ask = z.object({ row, item: Item, failures: count, answer: row.nullable() })
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
  plan: { ...EMPTY_PLAN, constraints: [], replans: 0 },
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

export const requestId = (row: number) => `question_${row}`
/** The question that is open; null: none is. */
export const openAsk = ({ phase, asks }: OrchestratorState): Ask | null =>
  phase === 'asking' ? (asks.at(-1) ?? null) : null

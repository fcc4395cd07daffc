/** The state of an orchestrated task: its steps, the current step, and the open command (S2-08). Texts are named by their rows. */
import * as z from 'zod'
import { NOTHING_SEEN, RepeatGuard } from '../../mode/repeat-guard.ts'
import { EMPTY_PLAN, Item, Plan } from '../plan/plan.ts'

const row = z.int().min(1)
const count = z.int().min(0)

const OrchestratorPlan = Plan.extend({
  /** Where the constraints of edited steps stand, because an edit does not contain them. */
  constraints: z.array(Item),
  replans: count,
})
export type OrchestratorPlan = z.infer<typeof OrchestratorPlan>

/** The state of the current step. */
const StepState = z.object({
  /** false while the plan waits for its approval. */
  begun: z.boolean(),
  /** Failed attempts since the step began, or since a person gave it a new instruction (R17). */
  failures: count,
  /** The row of the latest failed attempt. */
  failure: row.nullable(),
  /** The row of the instruction that replaces its description. */
  instruction: row.nullable(),
  /** The report that named the session of the step. null: no report has. */
  session: row.nullable(),
  report: row.nullable(),
  /** The fingerprint of its latest command. */
  sent: z.string().nullable(),
})
type StepState = z.infer<typeof StepState>

/** A question to a person: the row that asked, the step in question, its failures at that time, and the row of the answer. */
const Ask = z.object({ row, item: Item, failures: count, answer: row.nullable() })
export type Ask = z.infer<typeof Ask>

export const OrchestratorState = z.object({
  phase: z.enum(['planning', 'dispatching', 'awaiting', 'evaluating', 'asking', 'summarizing', 'ended']),
  plan: OrchestratorPlan,
  step: StepState,
  /** The row that decided to send a command. */
  by: row.nullable(),
  /** The row that dispatched the open command. */
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
  /** Rows for the change log of the mission, newest last, bounded. */
  log: z.array(row),
  /** Reports with pitfalls, newest last, bounded. */
  pitfalls: z.array(row),
  /** Reports on commands of steps, newest last, bounded; and how many there were. */
  reports: z.array(row),
  report_count: count,
  /** Commands of the same step with the same report, since a person last spoke about it. */
  seen: RepeatGuard,
  /** The latest reply, if it broke its contract. */
  refused: row.nullable(),
  summary: row.nullable(),
  /** The row with the changes that the user wants, while the plan is made again (U15). */
  change: row.nullable(),
})
export type OrchestratorState = z.infer<typeof OrchestratorState>

export const LOG_MAX = 60
export const PITFALLS_MAX = 20
export const REPORTS_MAX = 50
/** At most this many ended steps stay in a replaced list, so that a whole new list has room in the head. */
export const ENDED_MAX = 30
export const ASKS_MAX = 30

export const freshStep = (begun = true): StepState => ({
  begun,
  failures: 0,
  failure: null,
  instruction: null,
  session: null,
  report: null,
  sent: null,
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
  reports: [],
  report_count: 0,
  seen: NOTHING_SEEN,
  refused: null,
  summary: null,
  change: null,
})

export const requestId = (row: number) => `question_${row}`
/** The open question. null: there is none. */
export const openAsk = ({ phase, asks }: OrchestratorState): Ask | null =>
  phase === 'asking' ? (asks.at(-1) ?? null) : null

/** A command that a task hands to a worker outside, and the report that comes back (S2-12, S2-13): what is stored and shown of both. */
import * as z from 'zod'

/** `UNKNOWN`: the report names none, or none that is known (O2-07). */
export const ReportStatus = z.enum(['SUCCESS', 'FAILED', 'PARTIAL_SUCCESS', 'UNKNOWN'])
export type ReportStatus = z.infer<typeof ReportStatus>

/** Characters of each section; the text has them whole. */
export const SECTION_CHARS_MAX = 20_000
/** Of a session or command id: one line. */
export const EXTERNAL_ID = /^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u

/** What a worker reports. The sections are 核心成果, 填坑记录 and 下一步建议; `text` is the whole body. */
export const Report = z.object({
  status: ReportStatus,
  session_id: z.string().nullable(),
  results: z.string().nullable(),
  pitfalls: z.string().nullable(),
  next_steps: z.string().nullable(),
  text: z.string(),
})
export type Report = z.infer<typeof Report>

/** More than any command spends; what is said beyond is not believed. */
export const SPENT_MAX = { tokens: 1_000_000_000, cost: 1_000_000_000_000, working_ms: 1_000_000_000_000 }

/** Amounts of a budget: of a share that a command carries, or of what a worker says it has spent of it. Money in micro-dollars. */
export const Amounts = z.object({
  tokens: z.int().min(0).optional(),
  cost: z.int().min(0).optional(),
  working_ms: z.int().min(0).optional(),
})
export type Amounts = z.infer<typeof Amounts>

/** The tool by which a command is handed out: its effect enters it where workers look. */
export const DELEGATE = 'delegate'

export const CommandType = z.enum(['new', 'continue', 'end'])
export type CommandType = z.infer<typeof CommandType>

/** In place of the id of a session: the worker begins one of its own. */
export const AUTO_SESSION = 'auto'

/** One command: what its file says (S2-12). */
export interface Command {
  type: CommandType
  session_id: string
  /** null: of no step, an `end`. */
  item_id: string | null
  task: string
  constraints: string
  expected_output: string
}

export const DelegationStatus = z.enum(['pending', 'claimed', 'reported', 'expired', 'canceled'])
export type DelegationStatus = z.infer<typeof DelegationStatus>

/** A command of a task as its object knows it: who has claimed it is the workspace's to say. Times in ms since the epoch. */
export interface Delegation {
  id: string
  task: string
  /** The row that dispatched it. */
  seq: number
  command_id: string
  command: Command
  status: Exclude<DelegationStatus, 'claimed'>
  created: number
  deadline: number
  report: Report | null
  /** What links to the service begin with. */
  origin: string
  /** What it may spend of the budget of its task; null: nothing is said of it. */
  share: Amounts | null
}
/** With what a link to report it is made under. */
export interface LinkedDelegation extends Delegation {
  link_epoch: number
}
/** A report as it was sent. */

export interface SentReport {
  /** Of the command that it says it is about; null: it does not say. */
  command_id: string | null
  report: Report
  /** What the worker says it has spent; null: it does not say. */
  spent: Amounts | null
}

/** The stored and shown form of a command for an external worker, and of the report that comes back (S2-12, S2-13). */
import * as z from 'zod'

/** `UNKNOWN`: the report names no status, or one that does not exist (O2-07). */
export const ReportStatus = z.enum(['SUCCESS', 'FAILED', 'PARTIAL_SUCCESS', 'UNKNOWN'])
export type ReportStatus = z.infer<typeof ReportStatus>

/** Characters of each section. `text` has the sections uncut. */
export const SECTION_CHARS_MAX = 20_000
/** The form of a session id or a command id: one line. */
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

/** More than any command spends. A larger amount in a report is not believed. */
export const SPENT_MAX = { tokens: 1_000_000_000, cost: 1_000_000_000_000, working_ms: 1_000_000_000_000 }

/** Amounts on the axes of a budget: the share of a command, or what its worker reports to have spent. Money is in micro-dollars. */
export const Amounts = z.object({
  tokens: z.int().min(0).optional(),
  cost: z.int().min(0).optional(),
  working_ms: z.int().min(0).optional(),
})
export type Amounts = z.infer<typeof Amounts>

/** The tool that delegates a command. Its effect enters the command in the list where workers look for work. */
export const DELEGATE = 'delegate'

export const CommandType = z.enum(['new', 'continue', 'end'])
export type CommandType = z.infer<typeof CommandType>

/** Stands for the session id of a worker that starts a session of its own. */
export const AUTO_SESSION = 'auto'

/** One command, with the contents of its file (S2-12). */
export interface Command {
  type: CommandType
  session_id: string
  /** The step it is about. null: it is an `end`, which belongs to no step. */
  item_id: string | null
  task: string
  constraints: string
  expected_output: string
}

export const DelegationStatus = z.enum(['pending', 'claimed', 'reported', 'expired', 'canceled'])
export type DelegationStatus = z.infer<typeof DelegationStatus>

/** A command as its task knows it. Only the workspace knows who has claimed it. Times are in ms since the epoch. */
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
  /** The beginning of every link to the service. */
  origin: string
  /** What it may spend of the budget of its task. null: the command names no amount. */
  share: Amounts | null
  /** The pool of workers that it is for. null: the default pool. */
  pool: string | null
}
/** A delegation with the epoch of its task's links. A link to report it is signed under this epoch. */
export interface LinkedDelegation extends Delegation {
  link_epoch: number
}
/** A report as a worker sent it. */
export interface SentReport {
  /** The command that the report names. null: it names none. */
  command_id: string | null
  report: Report
  /** What the worker reports to have spent. null: it reports no amount. */
  spent: Amounts | null
}

/** Whether a reply with tool calls completes the current step, looked at after its tools ran: three layers and a hint (S4-14, O4-01, O4-02, O4-05). */
import type { Settings } from '../../terms/settings.ts'
import type { MarkedReply } from './replies.ts'
import type { SessionPlan } from './state.ts'

/** Earlier rounds after which a word of transition counts, and after which the step counts as done by itself. */
const TRANSITION_ROUNDS = 1
const FALLBACK_ROUNDS = 5
const FALLBACK_ROUNDS_MAX = 15

type Signal = 'marker' | 'transition' | 'fallback'

export function signalOf(plan: SessionPlan, title: string, said: MarkedReply, settings: Settings): Signal | null {
  if (said.says_done) return 'marker'
  if (said.moves_on && plan.rounds >= TRANSITION_ROUNDS) return 'transition'
  return plan.rounds >= roundsOf(title, settings) ? 'fallback' : null
}

/** What joins the parts of a step, and its numbers: `2021, 2022 and 2023` has five. */
const PARTS = /[,，、;；]|和|与|及|并|\d+(?:\.\d+)?|\b(?:and|then|or)\b/gi

/** Rounds a step may take: five, more for one of many parts where that is wanted (S4-27). */
export function roundsOf(title: string, { fallback_by_step_size }: Pick<Settings, 'fallback_by_step_size'>): number {
  if (!fallback_by_step_size) return FALLBACK_ROUNDS
  return Math.min(FALLBACK_ROUNDS_MAX, FALLBACK_ROUNDS + (title.match(PARTS)?.length ?? 0))
}

type Calls = readonly { tool: string; input: string }[]

export const onlyReads = (calls: Calls): boolean => calls.every(({ tool, input }) => natureOf(tool, input) === 'reads')

/** S4-26: a step that has only read is over as the first call that changes something is chosen, where another step waits for it. */
export function crossesBoundary(plan: SessionPlan, calls: Calls): boolean {
  const reading = plan.reading && plan.rounds > 0 && plan.cursor + 1 < plan.items.length
  return reading && calls.some(({ tool, input }) => natureOf(tool, input) === 'acts')
}

/** What a call does: it reads, it acts – that is, it changes something –, or nobody here can tell (a tool of the client's own). */
type Nature = 'reads' | 'acts' | 'unknown'

const READS: ReadonlySet<string> = new Set(['internet_search', 'read_file', 'list_files'])
const ACTS: ReadonlySet<string> = new Set(['write_file'])

/** Commands that change nothing; what is no command at all changes nothing either, but it is no reading. */
const READING_COMMAND = /^\/(?:view\b|todo\s+(?:list|search|get)\b|schedule\s+(?:list|view|get)\b)/i
const COMMANDS: ReadonlySet<string> = new Set(['todo', 'schedule'])

export function natureOf(tool: string, input: string): Nature {
  if (READS.has(tool)) return 'reads'
  if (ACTS.has(tool)) return 'acts'
  if (!COMMANDS.has(tool) || !input.trim().startsWith('/')) return 'unknown'
  return READING_COMMAND.test(input.trim()) ? 'reads' : 'acts'
}

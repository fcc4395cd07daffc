/** Decides when the current step ends, before or behind the calls of a reply: three layers and a hint (S4-14, O4-01, O4-02, O4-05). */
import { asksUser } from '../../mode/ask-user.ts'
import { BUILT_IN_TOOLS } from '../../mode/tools.ts'
import type { Settings } from '../../terms/settings.ts'
import type { MarkedReply } from './replies.ts'
import type { SessionPlan } from './state.ts'

/** The earlier rounds after which a transition word counts, and the rounds after which the step counts as done. */
const TRANSITION_ROUNDS = 1
const FALLBACK_ROUNDS = 5
const FALLBACK_ROUNDS_MAX = 15

type Signal = 'marker' | 'transition' | 'fallback'

export function signalOf(plan: SessionPlan, title: string, reply: MarkedReply, settings: Settings): Signal | null {
  if (reply.says_done) return 'marker'
  if (reply.moves_on && plan.rounds >= TRANSITION_ROUNDS) return 'transition'
  return plan.rounds >= roundsOf(title, settings) ? 'fallback' : null
}

/**
 * Whether a reply is about the step that follows the current one. A mark in a reply is about the step that has results already, so
 * its calls belong to the next step. Without results the calls are those of the current step, which then ends behind them.
 */
export function beginsNextStep(plan: SessionPlan, { says_done, moves_on }: MarkedReply): boolean {
  const isMarked = says_done || (moves_on && plan.rounds >= TRANSITION_ROUNDS)
  return isMarked && plan.spent > 0 && plan.cursor + 1 < plan.items.length
}

/** Connectors between the parts of a step, and numbers: `2021, 2022 and 2023` has five matches. */
const PARTS = /[,，、;；]|和|与|及|并|\d+(?:\.\d+)?|\b(?:and|then|or)\b/gi

/** The rounds that a step may take: five, or more for a step of many parts with `fallback_by_step_size` (S4-27). */
export function roundsOf(title: string, { fallback_by_step_size }: Pick<Settings, 'fallback_by_step_size'>): number {
  if (!fallback_by_step_size) return FALLBACK_ROUNDS
  return Math.min(FALLBACK_ROUNDS_MAX, FALLBACK_ROUNDS + (title.match(PARTS)?.length ?? 0))
}

type Calls = readonly { tool: string; input: string }[]

export const onlyReads = (calls: Calls): boolean => calls.every(({ tool, input }) => natureOf(tool, input) === 'reads')

/** S4-26: a step that has only read ends when the first call that changes something is chosen, if another step follows. */
export function crossesBoundary(plan: SessionPlan, calls: Calls): boolean {
  const hasOnlyRead = plan.reading && plan.rounds > 0 && plan.cursor + 1 < plan.items.length
  return hasOnlyRead && calls.some(({ tool, input }) => natureOf(tool, input) === 'acts')
}

/** Commands that change nothing. Text that is no command changes nothing either, but it is no reading. */
const READING_COMMAND = /^\/(?:view\b|todo\s+(?:list|search|get)\b|schedule\s+(?:list|view|get)\b)/i

export function natureOf(tool: string, input: string): 'reads' | 'acts' | 'unknown' {
  if (asksUser(tool)) return 'reads'
  const nature = BUILT_IN_TOOLS.find(({ name }) => name === tool)?.nature ?? 'unknown'
  if (nature !== 'slash_command') return nature
  const command = input.trim()
  if (!command.startsWith('/')) return 'unknown'
  return READING_COMMAND.test(command) ? 'reads' : 'acts'
}

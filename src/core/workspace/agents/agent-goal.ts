/** The goal of a task that is made by an agent: that of the caller or of the agent, filled with the input (U58). */
import type { Locale } from '../../terms/locale.ts'
import { nearestName } from '../../terms/values/known-names.ts'

/** A placeholder is the name of a member of the input: letters of any script, digits, `_`, `-` and `.`. What stands in other braces stays as it is. */
const PLACEHOLDER = /\{\{ {0,4}([\p{L}_][\p{L}\p{N}_.-]{0,63}) {0,4}\}\}/gu
/** A goal has at most 8,000 characters, and an input 16,384 bytes. */
export const FILLED_GOAL_MAX = 32_000

/** What an agent without a goal is asked to do. */
const NO_GOAL: Record<Locale, string> = {
  en: 'Handle the input below as the instructions say.',
  zh: '请按照指令处理以下输入。',
}
const HEADING: Record<Locale, string> = { en: 'Input:', zh: '输入：' }

interface GoalParts {
  /** null: neither the caller nor the agent has one. */
  goal: string | null
  /** Whether the goal is that of the agent, whose placeholders are filled in. */
  is_template: boolean
  input: Readonly<Record<string, unknown>> | null
  locale: Locale
}
/** Why an input does not fill a goal. `needed`: the placeholders that the input lacks. */
export type GoalProblem =
  | { kind: 'missing'; needed: string[] }
  | { kind: 'too_long'; chars: number }
  | { kind: 'empty' }
type FilledGoal = { ok: true; goal: string } | { ok: false; problem: GoalProblem }

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Members that fill in nothing stand below the goal, as JSON. Placeholders in the input itself are left as they are. */
export function filledGoal({ goal, is_template, input, locale }: GoalParts): FilledGoal {
  const members = input ?? {}
  const names = goal !== null && is_template ? placeholdersIn(goal) : []
  const distinct = [...new Set(names)]
  const needed = distinct.filter((name) => !Object.hasOwn(members, name))
  if (needed.length > 0) return { ok: false, problem: { kind: 'missing', needed } }
  const values = new Map(distinct.map((name) => [name, textOf(members[name])]))
  const others = Object.entries(members).filter(([name]) => !values.has(name))
  const below = others.length === 0 ? '' : `\n\n${HEADING[locale]}\n${JSON.stringify(Object.fromEntries(others))}`
  const text = goal ?? NO_GOAL[locale]
  // The length is known before any text is made, because a placeholder may stand there many times.
  const chars = names.reduce((sum, name) => sum + (values.get(name) ?? '').length, text.length + below.length)
  if (chars > FILLED_GOAL_MAX) return { ok: false, problem: { kind: 'too_long', chars } }
  const filled = text.replace(PLACEHOLDER, (placeholder, name: string) => values.get(name) ?? placeholder)
  const whole = `${filled}${below}`.trim()
  return whole === '' ? { ok: false, problem: { kind: 'empty' } } : { ok: true, goal: whole }
}

const placeholdersIn = (goal: string): string[] => Array.from(goal.matchAll(PLACEHOLDER), ([, name = '']) => name)

/** A placeholder that no input can fill, with the member that was probably meant. null: there is none. */
export function unknownPlaceholder(
  goal: string,
  members: readonly string[],
): { given: string; known: string | null } | null {
  const given = placeholdersIn(goal).find((name) => !members.includes(name))
  return given === undefined ? null : { given, known: nearestName(given, members) }
}

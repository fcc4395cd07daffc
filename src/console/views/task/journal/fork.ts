/** Makes the body of a fork from the fields of its form: other settings, and another outcome of the last row. */
import { parseJson } from '../../../parse.ts'

const FORK_FIELDS = ['max_steps', 'max_iterations', 'max_tokens', 'max_cost_usd', 'model', 'temperature'] as const
export type ForkField = (typeof FORK_FIELDS)[number]
export type ForkForm = Partial<Record<ForkField, string>> & { edit: boolean; outcome: string; isDriven?: boolean }

const TEXTS: ReadonlySet<ForkField> = new Set(['max_cost_usd', 'model'])

/** Returns null if the outcome is no JSON. An empty field changes no setting. */
export function forkBody(at: number, form: ForkForm): object | null {
  const settings = Object.fromEntries(
    FORK_FIELDS.map((name) => [name, form[name]?.trim() ?? ''] as const)
      .filter(([, text]) => text !== '')
      .map(([name, text]) => [name, TEXTS.has(name) ? text : numberOrText(text)]),
  )
  const outcome = form.edit ? parseJson(form.outcome) : null
  if (outcome?.ok === false) return null
  return {
    at,
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    ...(outcome === null ? {} : { edit: { seq: at, outcome: outcome.value } }),
    ...(form.isDriven === true ? { drive: 'background' } : {}),
  }
}

/** A text that is no number is sent as it is, because the service explains the error. */
const numberOrText = (text: string): number | string => (Number.isFinite(Number(text)) ? Number(text) : text)

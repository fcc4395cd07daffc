/** What is sent to fork: settings that differ, and what the last row says instead, from the fields of a form. */

const FORK_FIELDS = ['max_steps', 'max_iterations', 'max_tokens', 'max_cost_usd', 'model', 'temperature'] as const
export type ForkField = (typeof FORK_FIELDS)[number]
export type ForkForm = Record<ForkField, string> & { edit: boolean; outcome: string }

const TEXTS: ReadonlySet<ForkField> = new Set(['max_cost_usd', 'model'])

/** null: the outcome is no JSON. A field that was left empty differs in nothing; what no number can be read from goes to the service. */
export function forkBody(at: number, form: ForkForm): object | null {
  const settings = Object.fromEntries(
    FORK_FIELDS.map((name) => [name, form[name].trim()] as const)
      .filter(([, text]) => text !== '')
      .map(([name, text]) => [name, TEXTS.has(name) ? text : numberOr(text)]),
  )
  const outcome = form.edit ? parsed(form.outcome) : undefined
  if (outcome === null) return null
  return {
    at,
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    ...(outcome === undefined ? {} : { edit: { seq: at, outcome: outcome.value } }),
  }
}

/** A text that is no number is sent as it is: the service says what is wrong with it. */
const numberOr = (text: string): number | string => (Number.isFinite(Number(text)) ? Number(text) : text)

function parsed(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}

/** What a reply is forgiven before its contract is applied (O2-01): a bare list, steps as texts, other names, missing texts. No decision is guessed. */

type Members = ReadonlyMap<string, unknown>

const membersOf = (value: unknown): Members | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? new Map<string, unknown>(Object.entries(value))
    : null

/** The first of these members that is there. */
const oneOf = (members: Members, ...names: string[]): unknown =>
  names.map((name) => members.get(name)).find((value) => value !== undefined && value !== null)

/** Numbers are read as texts, lists of texts as their lines, texts are trimmed; what is missing is empty. */
function text(value: unknown): unknown {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.every((line) => typeof line === 'string')) return value.join('\n').trim()
  return typeof value === 'string' ? value.trim() : value
}

const TITLE_CHARS = 80

/** A step without a title has its description as one, or is told by its place. */
function titled(title: unknown, description: unknown, place: number): unknown {
  if (title !== '') return title
  const first =
    typeof description === 'string' ? [...(description.split('\n', 1)[0] ?? '')].slice(0, TITLE_CHARS).join('') : ''
  return first === '' ? `Step ${place}` : first
}

function step(value: unknown, index: number): unknown {
  const members = membersOf(value)
  if (members === null)
    return typeof value === 'string' || typeof value === 'number'
      ? { title: text(value), description: '', constraints: '', expected_output: '' }
      : value
  const description = text(oneOf(members, 'description', 'task'))
  return {
    title: titled(text(oneOf(members, 'title', 'name', 'step')), description, index + 1),
    description,
    constraints: text(members.get('constraints')),
    expected_output: text(oneOf(members, 'expected_output', 'expectedOutput')),
  }
}

const isBlank = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '')

const steps = (value: unknown): unknown =>
  Array.isArray(value) ? value.filter((entry) => !isBlank(entry)).map(step) : value

export function normalizePlan(reply: unknown): unknown {
  if (Array.isArray(reply)) return { steps: steps(reply) }
  const members = membersOf(reply)
  return members === null ? reply : { steps: steps(oneOf(members, 'steps', 'plan')) }
}

export function normalizeEvaluation(reply: unknown): unknown {
  const members = membersOf(reply)
  if (members === null) return reply
  const decision = text(members.get('decision'))
  return {
    decision: typeof decision === 'string' ? decision.toLowerCase() : decision,
    reason: text(members.get('reason')),
    adjusted_steps: steps(members.get('adjusted_steps') ?? []),
  }
}

/** What a reply of a model is forgiven before its contract is applied: other names, missing texts, objects for texts. Nothing is guessed. */

type Members = ReadonlyMap<string, unknown>

/** Applies `change` to the members of an object; anything else is left to the contract. */
const ofObject =
  (change: (members: Members) => unknown) =>
  (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? change(new Map<string, unknown>(Object.entries(value)))
      : value

/** The first of these members that is there. */
const oneOf = (members: Members, ...names: string[]): unknown =>
  names.map((name) => members.get(name)).find((value) => value !== undefined && value !== null)

/** Numbers are read as texts, texts are trimmed. */
function text(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? value.trim() : value
}
const textOr = (value: unknown, missing: string | null): unknown =>
  value === undefined || value === null || value === '' ? missing : text(value)

const list = (value: unknown, each: (entry: unknown) => unknown): unknown => {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value.map(each) : value
}

const step = (value: unknown): unknown =>
  typeof value === 'string' || typeof value === 'number'
    ? { name: text(value), description: '', expected_output: '' }
    : ofObject((members) => ({
        name: text(oneOf(members, 'name', 'title', 'step')),
        description: textOr(members.get('description'), ''),
        expected_output: textOr(members.get('expected_output'), ''),
      }))(value)

const isBlank = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '')

export const normalizePlan = ofObject((members) => {
  const steps = oneOf(members, 'steps', 'plan')
  return { steps: Array.isArray(steps) ? steps.filter((entry) => !isBlank(entry)).map(step) : steps }
})

export const normalizeThought = ofObject((members) => ({ thought: text(members.get('thought')) }))

/** `"true"` and `"false"`, in any case, are what they say. */
function truth(value: unknown): unknown {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value
  return word === 'true' ? true : word === 'false' ? false : value
}

const nameOf = (value: unknown): unknown =>
  typeof value === 'object' ? ofObject((members) => text(oneOf(members, 'name', 'title')))(value) : text(value)

const decision = (members: Members) => ({
  is_complete: truth(members.get('is_complete')),
  reason: text(members.get('reason')),
  add_steps: list(members.get('add_steps'), step),
  remove_steps: list(members.get('remove_steps'), nameOf),
})
export const normalizeDecision = ofObject(decision)

/** Not to act on the world is an action too: it is to think. */
const THINK = 'think'
const NO_TOOL = new Set<unknown>([undefined, null, '', 'none', 'null'])
const NAME_CHARS_MAX = 100

const chosen = (members: Members) => {
  const name = text(members.get('tool'))
  const tool = typeof name === 'string' ? name.toLowerCase() : name
  const input = members.get('input') ?? ''
  return {
    tool: NO_TOOL.has(tool) ? THINK : tool,
    input: typeof input === 'object' ? JSON.stringify(input) : text(input),
    save_as: saveAs(members.get('save_as')),
  }
}

/** A name stands between double braces where its text is wanted, so it has none itself. */
function saveAs(value: unknown): unknown {
  const name = text(value)
  if (typeof name !== 'string') return name ?? null
  return [...name.replaceAll(/[{}\s]+/g, ' ').trim()].slice(0, NAME_CHARS_MAX).join('') || null
}

/** A reply with none of these members chose nothing. */
const ACTION_MEMBERS = ['tool', 'input', 'action', 'next_action']

export const normalizeAction = ofObject((members) => {
  if (!ACTION_MEMBERS.some((name) => members.has(name))) return {}
  const inner = oneOf(members, 'action', 'next_action')
  if (typeof inner === 'object') return ofObject(chosen)(inner)
  // Some name the tool so.
  return chosen(typeof inner === 'string' && !members.has('tool') ? new Map([...members, ['tool', inner]]) : members)
})

export const normalizeMove = ofObject((members) => {
  const inner = oneOf(members, 'action', 'next_action')
  const decided = decision(members)
  return {
    thought: textOr(members.get('thought'), null) ?? decided.reason,
    ...decided,
    action: inner === undefined || inner === 'none' ? null : ofObject(chosen)(inner),
  }
})

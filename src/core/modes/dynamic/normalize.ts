/** Corrects a reply before its contract is applied: other names, missing texts, objects in place of texts. No decision is guessed. */
import { readVerdict, yesOrNo } from '../../mode/json/yes-no.ts'
import { membersOf, oneOf, stepsOf, type Members } from '../plan/reply-members.ts'

/** Applies `change` to the members of an object. The contract checks any other value. */
const ofObject = (change: (members: Members) => unknown) => (value: unknown) => {
  const members = membersOf(value)
  return members === null ? value : change(members)
}

/** Numbers become texts, and texts are trimmed. */
function text(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? value.trim() : value
}
const textOr = (value: unknown, fallback: string | null): unknown =>
  value === undefined || value === null || value === '' ? fallback : text(value)

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

export const normalizePlan = ofObject((members) => ({ steps: stepsOf(oneOf(members, 'steps', 'plan'), step) }))

export const normalizeThought = ofObject((members) => ({ thought: text(members.get('thought')) }))

const nameOf = (value: unknown): unknown =>
  typeof value === 'object' ? ofObject((members) => text(oneOf(members, 'name', 'title')))(value) : text(value)

/** A reason that is missing is what else the reply says. */
const reasonIn = (members: Members): unknown =>
  ['reason', 'thought', 'answer'].map((name) => textOr(members.get(name), '')).find((said) => said !== '') ?? ''

const decision = (members: Members) => ({
  reason: reasonIn(members),
  // The verdict has to be there. The contract refuses what is none.
  is_complete: readVerdict(members.get('is_complete')) ?? members.get('is_complete'),
  achieved: readVerdict(members.get('achieved')),
  answer: textOr(members.get('answer'), null),
  add_steps: list(members.get('add_steps'), step),
  remove_steps: list(members.get('remove_steps'), nameOf),
})
export const normalizeDecision = ofObject(decision)

/** The action of a reply that names no tool. */
const THINK = 'think'
const NO_TOOL = new Set<unknown>([undefined, null, '', 'none', 'null'])
const NAME_CHARS_MAX = 100

/** The names of the two members in other formats for calls of tools. */
const TOOL_MEMBERS = ['tool', 'tool_name', 'name']
const INPUT_MEMBERS = ['input', 'tool_input', 'arguments']

const normalizedAction = (members: Members) => {
  const tool = text(oneOf(members, ...TOOL_MEMBERS))
  const input = oneOf(members, ...INPUT_MEMBERS) ?? ''
  return {
    tool: NO_TOOL.has(typeof tool === 'string' ? tool.toLowerCase() : tool) ? THINK : tool,
    input: typeof input === 'object' ? JSON.stringify(input) : text(input),
    save_as: saveAs(members.get('save_as')),
  }
}

/** A name of a result. It is used between double braces, so it contains no braces itself. */
function saveAs(value: unknown): unknown {
  const name = text(value)
  if (typeof name !== 'string') return name ?? null
  return [...name.replaceAll(/[{}\s]+/g, ' ').trim()].slice(0, NAME_CHARS_MAX).join('') || null
}

/** A reply without any of these members chose no action. */
const ACTION_MEMBERS = ['tool', 'tool_name', ...INPUT_MEMBERS, 'action', 'next_action']

export const normalizeAction = ofObject((members) => {
  if (!ACTION_MEMBERS.some((name) => members.has(name))) return {}
  const inner = oneOf(members, 'action', 'next_action')
  if (typeof inner === 'object') return ofObject(normalizedAction)(inner)
  // Some models write the name of the tool there.
  return normalizedAction(
    typeof inner === 'string' && !members.has('tool') ? new Map([...members, ['tool', inner]]) : members,
  )
})

function isBlankAction(value: unknown): boolean {
  const members = membersOf(value)
  return members !== null && NO_TOOL.has(text(oneOf(members, ...TOOL_MEMBERS))) && !oneOf(members, ...INPUT_MEMBERS)
}

const move = (members: Members, actionOf: (members: Members) => unknown) => {
  const inner = oneOf(members, 'action', 'next_action')
  const decisionMembers = decision(members)
  const isNone = inner === undefined || inner === '' || inner === 'none'
  // The empty object of a template beside a step that is complete is no action.
  const isBlank = decisionMembers.is_complete === true && isBlankAction(inner)
  const action = isNone || isBlank ? null : ofObject(actionOf)(inner)
  return {
    thought: textOr(members.get('thought'), null) ?? (decisionMembers.reason || NO_THOUGHT),
    ...decisionMembers,
    // Who chooses an action and says nothing more goes on.
    is_complete: decisionMembers.is_complete ?? (action === null ? undefined : false),
    action,
  }
}
/** The thought of a reply that says nothing. */
const NO_THOUGHT = '–'

export const normalizeMove = ofObject((members) => move(members, normalizedAction))

/** `ends_item` may stand beside the action as well. */
export const normalizeFewMove = ofObject((members) =>
  move(members, (own) => ({
    ...normalizedAction(own),
    ends_item: yesOrNo(own.get('ends_item') ?? members.get('ends_item')),
  })),
)

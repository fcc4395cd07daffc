/** Reads replies that give other names to members than the contracts do. Read strictly, every member keeps its name (U32). */
import { resolveToolName } from '../../terms/tools/client-tools.ts'
import { isRecord } from '../../terms/plain/is-record.ts'
import { ASK_USER, questionIn } from '../../mode/ask-user.ts'
import { objectReader, type ReaderOf } from '../../mode/reply.ts'
import { membersOf, oneOf, type Members } from '../plan/reply-members.ts'

/** A reader is one and the same function, because what it has read of a reply is remembered by it. */
export const planExecuteReader: ReaderOf = (settings, release) =>
  settings.strict_replies ? objectReader(settings) : release === 'earlier' ? AS_BEFORE : AS_MEANT

const AS_MEANT = readerOfKnownNames(objectReader({ strict_replies: false }))
const AS_BEFORE = readerOfKnownNames(objectReader({ strict_replies: false }, 'earlier'))

function readerOfKnownNames(read: ReturnType<ReaderOf>): ReturnType<ReaderOf> {
  return (text) => {
    const result = read(text)
    const members = result.ok ? membersOf(result.value) : null
    return members === null ? result : { ok: true, value: withKnownNames(members) }
  }
}

/** A list beside these members is no first plan. */
const OTHER_MEMBERS = ['status', 'response', 'next_action', 'action', 'question']

function withKnownNames(members: Members): object {
  const list = oneOf(members, 'plan', 'steps')
  const action = oneOf(members, 'next_action', 'action')
  const known_action = isRecord(action) ? actionIn(action) : null
  const isFirstPlan = Array.isArray(list) && !OTHER_MEMBERS.some((name) => members.has(name))
  return {
    ...Object.fromEntries(members),
    ...(isFirstPlan ? { status: 'planned' } : replanStatus(members, list)),
    ...(Array.isArray(list) ? { plan: list.map(titleIn) } : {}),
    ...(known_action === null ? {} : (questionOf(known_action, members) ?? { next_action: known_action })),
  }
}

/** A replan without its status: a list means that work remains, and an answer without a list that none does. */
function replanStatus(members: Members, list: unknown): { status?: string } {
  if (!Array.isArray(list) || members.has('status') || !members.has('response')) return {}
  const isAnswer = typeof members.get('response') === 'string' && members.get('response') !== ''
  if (isAnswer === list.length > 0) return {}
  return { status: isAnswer ? 'done' : 'replanned' }
}

/** Asking is a status (O0-09). Some models write it as an action, as it is one in other modes. null: the action is another one. */
function questionOf({ tool, input }: { tool: unknown; input: unknown }, members: Members): object | null {
  if (typeof tool !== 'string' || resolveToolName([{ name: ASK_USER }], tool) !== ASK_USER) return null
  const asked = questionIn(typeof input === 'string' ? input : JSON.stringify(input ?? null))
  if (!asked.ok) return null
  const current_step = oneOf(members, 'current_step') ?? asked.value.question
  return { ...asked.value, current_step, status: 'ask_user', next_action: null }
}

/** Some models write an item as an object. */
function titleIn(item: unknown): unknown {
  const members = membersOf(item)
  return members === null ? item : (oneOf(members, 'title', 'name', 'step', 'task') ?? item)
}

function actionIn(action: Record<string, unknown>): { tool: unknown; input: unknown } {
  const members = new Map(Object.entries(action))
  const tool = oneOf(members, 'tool', 'tool_name', 'name')
  return { ...action, tool, input: oneOf(members, 'input', 'tool_input', 'arguments') }
}

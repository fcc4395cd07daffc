/** Reads replies that give other names to members than the contracts do. Read strictly, every member keeps its name (U32). */
import { isRecord } from '../../terms/plain/is-record.ts'
import { objectReader, type ReaderOf } from '../../mode/reply.ts'
import { membersOf, oneOf, type Members } from '../plan/reply-members.ts'

export const planExecuteReader: ReaderOf = (settings) => {
  const read = objectReader(settings)
  if (settings.strict_replies) return read
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
  const isFirstPlan = Array.isArray(list) && !OTHER_MEMBERS.some((name) => members.has(name))
  return {
    ...Object.fromEntries(members),
    ...(isFirstPlan ? { status: 'planned' } : {}),
    ...(Array.isArray(list) ? { plan: list.map(titleIn) } : {}),
    ...(isRecord(action) ? { next_action: actionIn(action) } : {}),
  }
}

/** Some models write an item as an object. */
function titleIn(item: unknown): unknown {
  const members = membersOf(item)
  return members === null ? item : (oneOf(members, 'title', 'name', 'step', 'task') ?? item)
}

function actionIn(action: Record<string, unknown>): object {
  const members = new Map(Object.entries(action))
  const tool = oneOf(members, 'tool', 'tool_name', 'name')
  return { ...action, tool, input: oneOf(members, 'input', 'tool_input', 'arguments') }
}

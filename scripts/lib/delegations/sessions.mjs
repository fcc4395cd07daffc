/** Sessions live with whoever began them: which are our own, as our reports have named them, and how long the others are left alone. */

const KEPT_MAX = 1_000
const OF_A_SESSION = new Set(['continue', 'end'])

/** Stores the session that the service has read in one of our reports; false if it names none. Only the latest stay. */
export function remember(sessions, reported) {
  const id = reported?.report?.session_id
  if (typeof id !== 'string') return false
  sessions.delete(id)
  sessions.add(id)
  if (sessions.size > KEPT_MAX) sessions.delete(sessions.keys().next().value)
  return true
}

/**
 * Whether the command is in a session that only another agent knows, and its worker may still come for it. A clock that is further from the
 * service's than `steal_s` waits for nobody.
 */
export function isForAnother({ command_type, session_id, created_at }, { sessions, steal_s }) {
  if (!OF_A_SESSION.has(command_type) || sessions.has(session_id)) return false
  return Math.abs(Date.now() - Date.parse(created_at)) < steal_s * 1_000
}

/** The delegations that wait for a worker, read strictly, because their texts become names of files and addresses. */

const WAIT_S = 30
/** The most pages that are read, because a list may not end. */
const PAGES_MAX = 50

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
/** The only text of the service that is used as the name of a file. */
const COMMAND_ID = new RegExp(`^task-${UUID}$`)
const ID = /^[A-Za-z0-9_-]{1,128}$/

export function isCommandId(value) {
  return typeof value === 'string' && COMMAND_ID.test(value)
}

/** The used members of a delegation, or null if its id is invalid. */
export function delegationOf(value) {
  const { id, command_id, command_type, session_id, deadline, created_at, budget } = value ?? {}
  if (typeof id !== 'string' || !ID.test(id) || !isCommandId(command_id)) return null
  // An environment cannot contain a NUL.
  const text = (given) => (typeof given === 'string' && !given.includes('\0') ? given : '')
  return {
    id,
    command_id,
    command_type: text(command_type),
    session_id: text(session_id),
    deadline: text(deadline),
    created_at: text(created_at),
    budget: budgetOf(budget ?? {}),
  }
}

/** Each member is null if the delegation has no usable value. */
function budgetOf({ tokens, cost_usd, seconds }) {
  const count = (given) => (Number.isSafeInteger(given) && given >= 0 ? given : null)
  return {
    tokens: count(tokens),
    cost_usd: typeof cost_usd === 'string' && /^\d{1,12}(?:\.\d{1,12})?$/.test(cost_usd) ? cost_usd : null,
    seconds: count(seconds),
  }
}

/**
 * Waits until there are some, or half a minute. An outcome; when done, `found` are the oldest first, `nameless` those that cannot be
 * used.
 */
export async function pendingDelegations(client) {
  const entries = []
  let outcome = await client.page(null, WAIT_S)
  if (outcome.kind !== 'done') return outcome
  for (let page = 1; outcome.kind === 'done'; page += 1) {
    const { data, has_more, next_cursor } = outcome.body
    entries.push(...(Array.isArray(data) ? data : []))
    if (has_more !== true || typeof next_cursor !== 'string' || page === PAGES_MAX) break
    outcome = await client.page(next_cursor, 0)
  }
  const read = entries.map((entry) => delegationOf(entry))
  const found = read.filter((delegation) => delegation !== null)
  found.sort((one, other) => one.created_at.localeCompare(other.created_at))
  return { kind: 'done', found, nameless: read.length - found.length }
}

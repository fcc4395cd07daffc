/** Whether a deployment does by itself what nobody waits for: it begins with a driven task, and shows a new one in lists. */
import { setTimeout as sleep } from 'node:timers/promises'
import { SKEW_MS_MAX } from './client.mjs'
import { finding } from './findings.mjs'

/** How long the service may take to begin with what it drives, and to feed a list. */
const WITHIN_MS = 20_000
const LOOK_EVERY_MS = 250
/** A driven task that works has changed within this time: no call of a model takes longer, as a rule. */
const CHANGED_WITHIN_MS = 300_000

/** A driven task is begun by a job: of the queue, or of its own object. It waits while the run slots of its tenant are taken. */
export async function drivenOf(ask, id, within_ms = WITHIN_MS) {
  const begun = performance.now()
  let is_limited = false
  const isBegun = async () => {
    const { status, json } = await ask('GET', `/tasks/${id}`)
    is_limited = status === 429
    return status === 200 && json.status !== 'queued'
  }
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(1)
  if (await until(isBegun, within_ms))
    return finding('background', 'ok', `a driven task was begun within ${seconds()} s`)
  if (is_limited)
    return finding('background', 'warning', 'this tenant has used up its requests', 'look again in a minute')
  const working = await drivenNow(ask)
  const late = `a driven task was not begun in ${within_ms / 1000} s`
  return working > 0
    ? finding(
        'background',
        'warning',
        `${late}: it waits for its turn behind what is driven of this tenant (${working})`,
        'look again when they have ended, or raise MAX_DRIVEN_TASKS or RATE_LIMIT_PER_MINUTE (docs/configuration.md)',
      )
    : finding(
        'background',
        'error',
        late,
        'keep both queue tables in wrangler.toml, or neither; npx wrangler queues info loop-agent-jobs shows who takes its messages',
      )
}

/** How many tasks of the tenant the service drives, of the newest 100 that run. */
async function drivenNow(ask) {
  const { status, json } = await ask('GET', '/tasks?status=running&limit=100')
  if (status !== 200) return 0
  const since = Date.parse(json.as_of) - CHANGED_WITHIN_MS
  return json.data.filter(({ drive, updated_at }) => drive === 'background' && Date.parse(updated_at) > since).length
}

/** A list may lag, and says by how much. `label`: of the task alone. */
export async function listedOf(ask, { label, created_at }, within_ms = WITHIN_MS) {
  let as_of = null
  const isListed = async () => {
    const { json } = await ask('GET', `/tasks?metadata.doctor=${label}`)
    as_of = json?.as_of ?? as_of
    return (json?.data ?? []).length > 0
  }
  const isThere = await until(isListed, within_ms)
  const lag_ms = Date.now() - Date.parse(as_of ?? '')
  const lag = lag_ms > SKEW_MS_MAX ? `, as of ${Math.round(lag_ms / 1000)} s ago` : ''
  if (isThere) return finding('lists', 'ok', `they show a new task${lag}`)
  const late = `they do not show a new task in ${within_ms / 1000} s`
  // Both times are of the service, so that no clock here matters.
  return as_of !== null && Date.parse(as_of) < Date.parse(created_at)
    ? finding('lists', 'warning', `${late}: they are as of ${as_of}`, 'look again; docs/scale.md says what feeds them')
    : finding(
        'lists',
        'error',
        `${late}${lag}`,
        'the index is behind: docs/scale.md says what feeds it, and npm run reindex makes it anew',
      )
}

async function until(isSo, within_ms) {
  for (const end = performance.now() + within_ms; performance.now() < end; await sleep(LOOK_EVERY_MS))
    if (await isSo()) return true
  return false
}

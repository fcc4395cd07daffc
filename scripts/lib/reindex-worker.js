/**
 * A Worker beside the service, bound to its objects: makes entries of lost indexes again. It is asked in batches, by scripts/reindex.mjs, or
 * by whoever deploys it on Cloudflare with the bindings TASKS and WORKSPACES of the service (docs/hosting.md).
 */
const EVERY = { status: null, mode: null, metadata: {}, q: null, outcome: null }
const PAGE = 100
/** Until then whoever was admitted may still be making the task, unless nobody else is there (`alone`). */
const ADMITTED_MS_MAX = 60_000

export default {
  async fetch(request, env) {
    const asked = await request.json()
    return Response.json(await answer(env, asked))
  },
}

/** `shard` is one of several shards of the tenant (docs/scale.md). Absent: the first, which most tenants have alone. */
function answer(env, { kind, ids, tenant, shard = 0, before, alone }) {
  switch (kind) {
    case 'tasks':
      return Promise.all(ids.map((id) => attempt(id, () => env.TASKS.get(env.TASKS.idFromString(id)).reindex())))
    case 'entries':
      return forgetMissing(env, { tenant, shard }, { before, admitted_ms: alone === true ? 0 : ADMITTED_MS_MAX })
    case 'recount':
      return attempt(String(workspaceId(env, { tenant, shard })), async () => {
        return { ok: true, value: { open: await workspaceOf(env, { tenant, shard }).tell({ kind: 'recount' }) } }
      })
  }
}

/** What fails is told and stops nothing. */
async function attempt(id, act) {
  try {
    const done = await act()
    return done.ok ? { id, ...done.value } : { id, failed: done.refusal.code }
  } catch (error) {
    return { id, failed: error instanceof Error ? error.message : String(error) }
  }
}

/** One page of the index: entries without a task go, as they do when a task is deleted. */
async function forgetMissing(env, place, { before, admitted_ms }) {
  const workspace = workspaceOf(env, place)
  const { entries, next } = await workspace.ask({ kind: 'list', filter: EVERY, before, limit: PAGE })
  const forgotten = await Promise.all(entries.map(({ id }) => forget(env, place, { id, admitted_ms })))
  return { entries: entries.length, forgotten: forgotten.filter(Boolean).length, next }
}

async function forget(env, place, { id, admitted_ms }) {
  const workspace = workspaceOf(env, place)
  try {
    const at = Date.now()
    const before = await workspace.ask({ kind: 'admission', id })
    const seen = await env.TASKS.getByName(JSON.stringify([place.tenant, id])).ask({ kind: 'view' })
    const missing = !seen.ok && seen.refusal.code === 'task_not_found'
    if (!missing || before === null || Math.abs(Date.now() - before.at) < admitted_ms) return false
    // The entry names the pool, so the pool forgets the task first. What came after `at` belongs to a later task of the id.
    if (before.pool !== undefined)
      await poolOf(env, place, before.pool).tell({ kind: 'note_task_change', task: id, change: 'gone', at })
    await workspace.tell({ kind: 'drop', id, admitted: [before.admitted] })
    return true
  } catch {
    // A task that cannot be read keeps its entry: it is there.
    return false
  }
}

const nameOf = ({ tenant, shard }) => JSON.stringify(shard === 0 ? [tenant] : [tenant, shard])
const workspaceId = (env, place) => env.WORKSPACES.idFromName(nameOf(place))
const workspaceOf = (env, place) => env.WORKSPACES.getByName(nameOf(place))
const poolOf = (env, { tenant }, pool) => env.WORKSPACES.getByName(JSON.stringify([tenant, pool]))

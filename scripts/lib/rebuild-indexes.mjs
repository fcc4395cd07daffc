/** Makes the indexes of all tenants anew from their tasks, in a data directory that this process has taken. */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest, readModules } from './bundle.mjs'
import { DIST } from './dist.mjs'
import { DOOR, DOOR_HEADER } from './door.mjs'
import { startMiniflare } from './miniflare.mjs'

const AT_ONCE = 100
/** The folder of a class in DATA_DIR, and the tasks in it, whose files are named by object id. */
const FOLDER = /-TaskObject$/
const OBJECT = /^([0-9a-f]{64})\.sqlite$/

/** Prints a line for each tenant. Returns the number of failures, each of which was told. */
export async function rebuildIndexes({ storage, bindings }) {
  const ids = taskIds(storage)
  const ask = await startObjects(storage, bindings)
  const tenants = new Map()
  let failed = 0
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    for (const told of await ask({ kind: 'tasks', ids: ids.slice(from, from + AT_ONCE) })) {
      // An object that was only queried, or whose task was deleted, has a file too.
      if (told.failed === 'task_not_found') continue
      if (told.failed === undefined) tenants.set(told.tenant, (tenants.get(told.tenant) ?? 0) + 1)
      else failed += complain(`task in ${told.id}.sqlite: ${told.failed}`)
    }
  }
  for (const [tenant, tasks] of tenants)
    failed += await finish(ask, { tenant, tasks, shards: shardsOf(tenant, bindings.TENANT_SHARDS) })
  return failed
}

/** How many shards TENANT_SHARDS gives a tenant, as src/config-quotas.ts reads it. */
function shardsOf(tenant, text = '') {
  const entries = text.split(',').map((entry) => entry.trim().split(':'))
  const found = entries.find(([name]) => name === tenant) ?? entries.find(([name]) => name === '*')
  return Number(found?.[1] ?? 1)
}

/** Returns the number of failures. */
async function finish(ask, { tenant, tasks, shards }) {
  let [open, forgotten, entries] = [0, 0, 0]
  for (let shard = 0; shard < shards; shard++) {
    const counted = await ask({ kind: 'recount', tenant, shard })
    if (counted.failed !== undefined)
      return complain(
        `the workspace of ${tenant} in ${counted.id}.sqlite: ${counted.failed}; move the file away and run this again`,
      )
    open += counted.open
    for (let before = 0; before !== null;) {
      const page = await ask({ kind: 'entries', tenant, shard, before, alone: true })
      forgotten += page.forgotten
      entries += page.entries
      before = page.next
    }
  }
  console.log(
    `${tenant}: ${tasks} tasks entered, ${open} open, ${forgotten} of ${entries} entries had no task and are gone`,
  )
  return 0
}

function complain(what) {
  console.error(`error: ${what}`)
  return 1
}

/** Of all objects that are tasks, or were. */
export function taskIds(storage) {
  const found = []
  const folders = existsSync(storage) ? readdirSync(storage, { recursive: true, withFileTypes: true }) : []
  for (const { name, parentPath } of folders) {
    const id = FOLDER.test(parentPath) ? OBJECT.exec(name)?.[1] : undefined
    if (id !== undefined) found.push(id)
  }
  return found.toSorted()
}

/** The objects of the service behind a secret that only this process knows. Their jobs go into a queue without a reader. */
async function startObjects(storage, bindings) {
  const { worker, modules } = readManifest(DIST)
  const { assets: _assets, queueConsumers: _consumers, serviceBindings: _others, ...service } = worker
  const objects = {
    TASKS: { className: 'TaskObject', scriptName: worker.name, useSQLite: true },
    WORKSPACES: { className: 'WorkspaceObject', scriptName: worker.name, useSQLite: true },
  }
  const secret = randomBytes(32).toString('base64url')
  const common = { compatibilityDate: worker.compatibilityDate, modules: true }
  const door = {
    ...common,
    name: 'door',
    script: DOOR,
    bindings: { SECRET: secret },
    serviceBindings: { GUARDED: 'reindex' },
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  }
  const reindex = {
    ...common,
    name: 'reindex',
    script: readFileSync(join(import.meta.dirname, 'reindex-worker.js'), 'utf8'),
    durableObjects: objects,
  }
  const offline = {
    ...service,
    bindings: { ...worker.bindings, ...bindings },
    outboundService: () => new Response('reindex reaches nobody', { status: 503 }),
    modules: readModules(DIST, modules),
  }
  const url = await startMiniflare(storage, [door, reindex, offline])
  return async (asked) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { [DOOR_HEADER]: secret },
      body: JSON.stringify(asked),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return answer.json()
  }
}

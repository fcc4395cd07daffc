/**
 * The stored objects of one run, reached by the stubs that the Worker's calls end at, and aborted: what an object holds in
 * memory is gone then, and its next call constructs it anew over its SQLite.
 */
import { env } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import type { JournalRecord } from '../../../src/store/task/rows/schema.ts'
import { hasJournal } from '../../../src/store/task/rows/sql-rows.ts'
import type { TaskObject } from '../../../src/store/task/task-object.ts'
import type { WorkspaceObject } from '../../../src/store/workspace/workspace-object.ts'

/** The test runtime keeps these words out of its output: aborts are what these runs are about, and no news. */
const REASON = 'Instance dispose: aborted by the model test'

/** One object as its callers see it, by a stub of its own: an old stub stays broken when its object was aborted. */
export interface Target<T extends TaskObject | WorkspaceObject = TaskObject | WorkspaceObject> {
  name: string
  stub: () => DurableObjectStub<T>
}

// The stubs behind the port (src/store/durable-store.ts), which wraps them for damaged files: an object is looked into by its stub only.
export const taskOf = (tenant: string, id: string): Target<TaskObject> => ({
  name: id,
  stub: () => env.TASKS.getByName(JSON.stringify([tenant, id])),
})
export const deskOf = (tenant: string): Target<WorkspaceObject> => ({
  name: 'workspace',
  stub: () => env.WORKSPACES.getByName(JSON.stringify([tenant])),
})

/** A call by name: its place and arguments are those of the port that asks for it. */
export interface Call {
  method: string
  args: unknown[]
}
export type Outcome = { answer: unknown } | { error: unknown }

/** Over RPC. Never rejects: an error that nobody awaits yet would fail the whole run. */
export async function send(stub: DurableObjectStub, { method, args }: Call): Promise<Outcome> {
  try {
    // Called in place: a method of a stub has no members of its own, `call` and `apply` would be methods of the object.
    const remote = stub as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>
    return { answer: await remote[method]?.(...args) }
  } catch (error) {
    return { error }
  }
}

/** Kills the object. What is done `first` is done in the same turn: nothing it writes has reached the disk. */
export async function abort(
  stub: DurableObjectStub,
  first: (object: object, state: DurableObjectState) => void = () => undefined,
): Promise<Outcome> {
  try {
    await runInDurableObject(stub, (object, state) => {
      first(object, state)
      state.abort(REASON)
    })
    return { answer: null }
  } catch (error) {
    return { error }
  }
}

/** As `first` of an abort: the call is made, and lost with its object. */
export const lostCall = (call: Call) => (object: object) => {
  const { method, args } = structuredClone(call)
  const found: unknown = Reflect.get(object, method)
  if (typeof found !== 'function') throw new Error(`no method ${method}`)
  const answer: unknown = found.apply(object, args)
  if (answer instanceof Promise) answer.catch(() => undefined)
}

export const wasReset = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, 'durableObjectReset') === true

export const journalIn = (stub: DurableObjectStub): Promise<JournalRecord[]> =>
  runInDurableObject(stub, (_object, { storage: { sql } }) =>
    hasJournal(sql) ? sql.exec<JournalRecord>('SELECT * FROM journal ORDER BY seq').toArray() : [],
  )

const DESK_TABLES = ['todos', 'events', 'applied', 'replies', 'tasks', 'finished', 'spend', 'delegations'] as const
export type Desk = Record<(typeof DESK_TABLES)[number], Record<string, SqlStorageValue>[]>

/** Everything a workspace has stored; tables that were never made are empty. */
export const deskIn = (stub: DurableObjectStub): Promise<Desk> =>
  runInDurableObject(stub, (_object, state) => storedDesk(state))

export function storedDesk({ storage: { sql } }: DurableObjectState): Desk {
  const made = new Set(
    sql
      .exec<{ name: string }>('SELECT name FROM sqlite_master')
      .toArray()
      .map(({ name }) => name),
  )
  const rows = (table: string) => (made.has(table) ? sql.exec(`SELECT * FROM ${table}`).toArray() : [])
  return Object.fromEntries(DESK_TABLES.map((table) => [table, rows(table)])) as Desk // each of its names
}

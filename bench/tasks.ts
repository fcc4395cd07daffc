/** Bench tasks on a running service. */
import * as z from 'zod'
import { openConnection, type Connection } from './client.ts'
import { KEY, type Server } from './servers.ts'
import { BENCH_GOAL, TOOL_NEEDS, type Kind } from './task.ts'

export const headersOf = (key: string) => ({ authorization: `Bearer ${key}` })
export const HEADERS = headersOf(KEY)
const Created = z.object({ id: z.string(), step_count: z.int() })

/** Creates so many, planned and no more, on a few connections. */
export async function createTasks(server: Server, kind: Kind, count: number): Promise<string[]> {
  const ids: string[] = []
  const lanes = Math.min(8, count)
  const one = async (lane: number) => {
    const connection = await openConnection(server.port, HEADERS)
    for (let index = lane; index < count; index += lanes) ids.push(await createTask(connection, kind))
    connection.close()
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => one(lane)))
  return ids
}

export async function createTask(connection: Connection, kind: Kind): Promise<string> {
  // A tool's result stands in each later prompt; with few of them requests of any age are alike.
  const few = kind === 'bench-actions' ? { observation_history_limit: 5 } : {}
  const settings = { max_steps: 10_000, model: kind, ...few }
  const { status, body } = await connection.post('/tasks', JSON.stringify({ goal: BENCH_GOAL, rounds: 0, settings }))
  if (status !== 201) throw new Error(`a task was not created: ${status} ${body}`)
  return Created.parse(JSON.parse(body)).id
}

/** What the tool of the bench task changes. */
export async function furnish(server: Server): Promise<void> {
  const connection = await openConnection(server.port, HEADERS)
  const { status, body } = await connection.post('/commands', JSON.stringify({ command: TOOL_NEEDS }))
  connection.close()
  if (status !== 200) throw new Error(`the todo was not added: ${status} ${body}`)
}

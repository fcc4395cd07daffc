/** What is compared: requests of the service and of the floors, each with its name in the table. */
import { inTurn, type Target } from './load.ts'
import type { Floor, Server } from './servers.ts'
import { HEADERS } from './tasks.ts'
import { roundsOf, toolCall } from './task.ts'

export interface Variant {
  id: string
  title: string
  target: Target
}
/** Tasks by what their requests do. */
export interface Stock {
  thoughts: string[]
  actions: string[]
}
export type Servers = Record<Floor | 'service', Server>

/** Effects of a whole slice, four items of the plan: each slice then begins and ends alike. */
export const SLICE = { ops: 16, models: 12, tools: 4 }
const ONE_ROUND = '{"rounds":1}'

export function stepVariants(servers: Servers, stock: Stock): Variant[] {
  const { service, json, object, model, openai } = servers
  return [
    { id: 'a', title: '(a) Hono JSON', target: of(json, stock.thoughts, (id) => `/tasks/${id}/step`) },
    { id: 'b', title: '(b) one object call, one row', target: of(object, stock.thoughts, (id) => `/one/${id}`) },
    { id: 'n', title: '(n) two object calls', target: of(object, stock.thoughts, (id) => `/two/${id}`) },
    { id: 'c', title: '(c) two object calls, one fetch', target: of(model, stock.thoughts, (id) => `/step/${id}`) },
    { id: 'e', title: '(e) as (c), openai package', target: of(openai, stock.thoughts, (id) => `/step/${id}`) },
    ...serviceVariants(service, stock),
  ]
}

/** The requests of a service that make one effect, or two. */
export function serviceVariants(service: Server, stock: Stock): Variant[] {
  const command = (id: string) => JSON.stringify({ command: toolCall(0).input, task_id: id })
  const steps = (ids: string[]) => of(service, ids, (id) => `/tasks/${id}/step`, HEADERS)
  return [
    { id: 'model', title: 'model step', target: steps(stock.thoughts) },
    { id: 'action', title: 'thought and its tool', target: steps(stock.actions) },
    { id: 'tool', title: 'tool step', target: of(service, stock.thoughts, () => '/commands', HEADERS, command) },
  ]
}

/** Requests of so many effects each. */
export function sliceVariants({ service, openai }: Servers, ids: string[]): Variant[] {
  const { models, tools, ops } = SLICE
  return [
    {
      id: 's',
      title: `(s) ${ops} effects of (e) in one request`,
      target: of(
        openai,
        ids,
        (id) => `/slice/${id}`,
        {},
        () => JSON.stringify({ models, tools }),
      ),
    },
    wholeSlices(service, ids),
  ]
}

export function wholeSlices(service: Server, ids: string[]): Variant {
  const whole = JSON.stringify({ rounds: roundsOf(SLICE.ops) })
  const path = (id: string) => `/tasks/${id}/step`
  return { id: 'slice', title: `slice of ${SLICE.ops} effects`, target: of(service, ids, path, HEADERS, () => whole) }
}

function of(
  { port, pid }: Server,
  ids: string[],
  path: (id: string) => string,
  headers: Record<string, string> = {},
  body: (id: string) => string = () => ONE_ROUND,
): Target {
  const next = inTurn(ids)
  const request = (lane: number, lanes: number) => {
    const id = next(lane, lanes)
    return { path: path(id), body: body(id) }
  }
  return { port, pid, headers, request }
}

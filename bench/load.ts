/** One sample: so many connections, each sending its next request as soon as it has its answer, for a time or for a number of requests. */
import { performance } from 'node:perf_hooks'
import { openConnection, type Connection } from './client.ts'
import { cpuOf_ms } from './machine.ts'

export interface Sample {
  requests: number
  per_s: number
  p50_ms: number
  /** Of the server alone; null where its account cannot be read. */
  cpu_ms: number | null
}
export interface Target {
  port: number
  pid: number
  headers: Record<string, string>
  /** The next request of connection `lane` of `lanes`. */
  request(lane: number, lanes: number): { path: string; body: string }
}

/** When a sample ends. */
export type SampleBound = { ms: number } | { requests: number }

/** Rejects on an answer other than 200: what is measured is work that was done. */
export async function sample(target: Target, lanes: number, bound: SampleBound): Promise<Sample> {
  const connections = await Promise.all(
    Array.from({ length: lanes }, () => openConnection(target.port, target.headers)),
  )
  try {
    const cpu_before = cpuOf_ms(target.pid)
    const begun = performance.now()
    let sent = 0
    const goesOn = 'ms' in bound ? () => performance.now() < begun + bound.ms : () => sent < bound.requests
    const times = await Promise.all(
      connections.map(async (connection, lane) => {
        const own = []
        do {
          sent += 1
          own.push(await send(connection, target.request(lane, lanes)))
        } while (goesOn())
        return own
      }),
    )
    const took_ms = performance.now() - begun
    const cpu_after = cpuOf_ms(target.pid)
    const all = times.flat()
    const cpu_ms = cpu_before === null || cpu_after === null ? null : (cpu_after - cpu_before) / all.length
    return { requests: all.length, per_s: (all.length * 1000) / took_ms, p50_ms: median(all), cpu_ms }
  } finally {
    for (const connection of connections) connection.close()
  }
}

/** How long one request took, in ms. */
async function send(connection: Connection, { path, body }: ReturnType<Target['request']>): Promise<number> {
  const begun = performance.now()
  const answer = await connection.post(path, body)
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body.slice(0, 500)}`)
  return performance.now() - begun
}

export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  const at = (index: number) => sorted[Math.max(0, Math.min(sorted.length - 1, index))] ?? Number.NaN
  return (at(Math.ceil(middle) - 1) + at(Math.floor(middle))) / 2
}

/** Of a list of tasks each lane has its own, in turn, so that no two requests meet at one task. */
export function inTurn(ids: string[]): (lane: number, lanes: number) => string {
  const next = new Map<number, number>()
  return (lane, lanes) => {
    const own = Math.max(1, Math.floor((ids.length - lane + lanes - 1) / lanes))
    const turn = next.get(lane) ?? 0
    next.set(lane, (turn + 1) % own)
    const id = ids[(lane + (turn % own) * lanes) % ids.length]
    if (id === undefined) throw new Error('there is no task to work on')
    return id
  }
}

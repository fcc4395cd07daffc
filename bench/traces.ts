/**
 * What traces cost a step, by the CPU time of the service: two servers of the same bundle, one with a collector and one without, work in turn.
 * A round is so many steps, and then a pause in which the rows leave their tasks. So it gives two figures: the requests alone, which is the
 * step path, and everything until nothing is owed any more.
 */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { openConnection } from './client.ts'
import { intervalText, ratioInterval } from './interval.ts'
import { median } from './load.ts'
import { cpuOf_ms, machine } from './machine.ts'
import { onField, type Field, type Wanted } from './run.ts'
import { serve, serviceBindings, type Server } from './servers.ts'
import { createTasks, HEADERS } from './tasks.ts'

export interface TraceScale {
  rounds: number
  /** Rounds before the first that counts: the code is not compiled yet. */
  warming: number
  tasks: number
  /** Of each task in a round. They make one export. */
  steps: number
}
const LANES = 8
/** An export begins five seconds after a change, and a run of work ends after three. */
const EXPORTED_MS = 10_000
/** A round whose requests took longer has exports among them. */
const REQUESTS_MS_MAX = 4_500

interface Round {
  /** CPU of the server per step, in ms: of the requests, and until all rows have left. */
  path_ms: number
  whole_ms: number
  /** How long the requests took. */
  took_ms: number
}
interface Side {
  name: 'on' | 'off'
  server: Server
  ids: string[]
  rounds: Round[]
}

export async function benchTraces(wanted: Omit<Wanted, 'scale'>, scale: TraceScale): Promise<string[]> {
  return onField({ ...wanted, scale: NO_SCALE }, async (field) => {
    const collector = await startCollector()
    const before = machine()
    const servers: Server[] = []
    const side = async (name: Side['name'], env: Record<string, string>): Promise<Side> => {
      const bindings = field.bindingsOf({ ...serviceBindings(field.model.base_url), ...env })
      const run = field.core === null ? {} : { core: field.core }
      const server = await serve(field.bundle, join(field.place, name), bindings, run)
      servers.push(server)
      return { name, server, ids: await createTasks(server, 'bench-thoughts', scale.tasks), rounds: [] }
    }
    try {
      const on = await side('on', { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
      const off = await side('off', {})
      for (let round = 0; round < scale.warming + scale.rounds; round++) {
        field.note(`round ${round + 1} of ${scale.warming + scale.rounds}`)
        const [first, second] = round % 2 === 0 ? [on, off] : [off, on]
        const begun = [await begin(first, scale), await begin(second, scale)]
        for (const end of begun) await end(round >= scale.warming)
      }
      const steps = scale.tasks * scale.steps * (scale.warming + scale.rounds)
      if (collector.count.bytes === 0) throw new Error('the collector got nothing')
      return [
        `${new Date().toISOString().slice(0, 10)} · ${before.cpu}, ${before.cores} cores, load average ${before.load_average} · ${scale.rounds} rounds of ${scale.tasks} tasks × ${scale.steps} steps`,
        `${steps} steps made ${collector.count.requests} requests with ${Math.round(collector.count.bytes / steps)} bytes a step to the collector`,
        line('the requests alone', on, off, ({ path_ms }) => path_ms),
        line('with everything that leaves the tasks', on, off, ({ whole_ms }) => whole_ms),
      ]
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
      await collector.close()
    }
  })
}

/** Nothing of it is used here. */
const NO_SCALE: Field['scale'] = {
  tasks: 0,
  rounds: 0,
  sample_ms: 0,
  hot_ms: 0,
  growth: { steps: 0, groups: 0, together: 0 },
  starts: 0,
}

/** The steps of a round. What comes back waits until the rows have left, so that the pauses of both sides overlap. */
async function begin({ name, server, ids, rounds }: Side, { steps }: TraceScale) {
  const cpu = () => cpuOf_ms(server.pid) ?? Number.NaN
  const [before, begun] = [cpu(), performance.now()]
  await Promise.all(
    Array.from({ length: LANES }, async (_, lane) => {
      const connection = await openConnection(server.port, HEADERS)
      for (let step = 0; step < steps; step++) {
        for (let index = lane; index < ids.length; index += LANES) {
          const { status, body } = await connection.post(`/tasks/${ids[index]}/step`, '{"rounds":1}')
          if (status !== 200) throw new Error(`${name}: ${status} ${body.slice(0, 500)}`)
        }
      }
      connection.close()
    }),
  )
  const [after, took_ms] = [cpu(), performance.now() - begun]
  const all = ids.length * steps
  return async (counts: boolean) => {
    const left = begun + took_ms + EXPORTED_MS - performance.now()
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, left)))
    if (counts) rounds.push({ path_ms: (after - before) / all, whole_ms: (cpu() - before) / all, took_ms })
  }
}

function line(title: string, on: Side, off: Side, figure: (round: Round) => number): string {
  // A pair of rounds is left out as a whole, so that both sides keep the same rounds.
  const pairs = on.rounds.flatMap((one, index) => {
    const other = off.rounds[index]
    return other === undefined || Math.max(one.took_ms, other.took_ms) > REQUESTS_MS_MAX ? [] : [[one, other] as const]
  })
  const middle = (index: 0 | 1) => median(pairs.map((pair) => figure(pair[index]))).toFixed(3)
  return `${title}: on ${middle(0)} ms, off ${middle(1)} ms of CPU a step, ratio ${intervalText(ratioInterval(pairs.map(([one, other]) => [figure(one), figure(other)])))} in ${pairs.length} pairs of rounds`
}

/** Takes everything, and costs next to nothing. */
async function startCollector() {
  const count = { requests: 0, bytes: 0 }
  const server = createServer((request, response) => {
    request.on('data', (part: Buffer) => void (count.bytes += part.length))
    request.on('end', () => {
      count.requests += 1
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the collector has no port')
  return {
    count,
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

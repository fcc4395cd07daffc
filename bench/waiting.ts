/**
 * Many slices at once that wait for a slow model: what each takes of the memory of the service, how much later than the model it answers, and
 * whether one is lost. Once for the tasks of one tenant, and once for those of a hundred.
 */
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import * as z from 'zod'
import { openConnection, type Connection } from './client.ts'
import { median } from './load.ts'
import { memoryOf_bytes } from './machine.ts'
import { onField, QUICK, type Field, type Wanted } from './run.ts'
import { serve, serviceBindings, type Server } from './servers.ts'
import { createTask, headersOf } from './tasks.ts'

export interface Waiting {
  slices: number
  tenants: number
  thinks_ms: number
}
export interface Waited extends Waiting {
  /** Slices whose answer has another status than 200, or shows no step. */
  lost: number
  /** How much later than the model had replied an answer came, in ms. */
  p50_ms: number
  longest_ms: number
  /** The most memory while all waited, less what the service had before, by the number of slices. */
  bytes_each: number
}

const keyOf = (tenant: number) => `bench-key-of-tenant-${String(tenant).padStart(4, '0')}`
const LOOK_EVERY_MS = 50

export function benchWaiting(wanted: Omit<Wanted, 'scale'>, all: Waiting[]): Promise<Waited[]> {
  return onField({ ...wanted, scale: QUICK }, async (field) => {
    const waited: Waited[] = []
    for (const one of all) {
      field.note(`${one.slices} slices of ${one.tenants} tenants wait ${one.thinks_ms} ms for a model`)
      waited.push(await waitTogether(field, one))
    }
    return waited
  })
}

async function waitTogether(field: Field, waiting: Waiting): Promise<Waited> {
  const { place, core, model, bindingsOf, bundle } = field
  const { slices, tenants, thinks_ms } = waiting
  const API_KEYS = Array.from({ length: tenants }, (_, tenant) => `t${tenant}:${keyOf(tenant)}`).join(',')
  const bindings = bindingsOf({ ...serviceBindings(model.base_url), API_KEYS })
  const server = await serve(bundle, join(place, `waiting-${tenants}`), bindings, core === null ? {} : { core })
  try {
    const lanes = await Promise.all(
      Array.from({ length: slices }, async (_, index) => {
        const connection = await openConnection(server.port, headersOf(keyOf(index % tenants)))
        return { connection, id: await createTask(connection, 'bench-thoughts') }
      }),
    )
    // A first step each, so that what is loaded once is no memory of those that wait.
    for (const lane of lanes) await step(lane)
    model.thinks_ms = thinks_ms
    const before = memoryOf_bytes(server.pid) ?? Number.NaN
    const { most, ended } = watchMemory(server)
    const answers = await Promise.all(lanes.map(step))
    ended()
    const late = answers.map(({ took_ms }) => took_ms - thinks_ms)
    for (const { connection } of lanes) connection.close()
    return {
      ...waiting,
      lost: answers.filter(({ step_count }) => step_count !== 2).length,
      p50_ms: median(late),
      longest_ms: Math.max(...late),
      bytes_each: (most() - before) / slices,
    }
  } finally {
    model.thinks_ms = 0
    await server.stop()
  }
}

const Stepped = z.object({ step_count: z.int() })

async function step({ connection, id }: { connection: Connection; id: string }) {
  const begun = performance.now()
  const { status, body } = await connection.post(`/tasks/${id}/step`, '{"rounds":1}')
  const took_ms = performance.now() - begun
  return { took_ms, step_count: status === 200 ? Stepped.parse(JSON.parse(body)).step_count : null }
}

function watchMemory({ pid }: Server): { most: () => number; ended: () => void } {
  let most = 0
  const look = () => (most = Math.max(most, memoryOf_bytes(pid) ?? Number.NaN))
  const timer = setInterval(look, LOOK_EVERY_MS)
  return { most: () => most, ended: () => clearInterval(timer) }
}

export const waitedLine = ({ slices, tenants, thinks_ms, lost, p50_ms, longest_ms, bytes_each }: Waited): string =>
  `${slices} slices of ${tenants} ${tenants === 1 ? 'tenant' : 'tenants'}, ${thinks_ms} ms of thinking: ${lost} lost, answered ${p50_ms.toFixed(0)} ms later than the model (p50; longest ${longest_ms.toFixed(0)} ms), ${(bytes_each / 1024).toFixed(0)} KiB each`

/**
 * Two pools of a tenant whose workspace is divided, through the real bundle. Workers of each see their own commands alone.
 * A receiver is told of the pool, and what is in a pool is there again after a kill -9 of the service.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Service } from '../../scripts/lib/service.mjs'
import { startFaultServer, type FaultServer } from '../support/fault-server.ts'
import { call, callTask, newPlace, untilFound, type Place } from './support.ts'

const Delegations = z.object({
  data: z.array(
    z.looseObject({ id: z.string(), status: z.string(), pool: z.string().nullable(), task_id: z.string() }),
  ),
})
const Notice = z.object({ type: z.string(), data: z.looseObject({ task_id: z.string(), pool: z.string().nullable() }) })

let place: Place
let receiver: FaultServer
let children: ChildProcess[]
beforeEach(async () => {
  place = newPlace()
  children = []
  receiver = await startFaultServer()
  receiver.script(...Array.from({ length: 20 }, () => ({ status: 204 })))
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await place.leave()
  await receiver.close()
})

/** A worker that notes the tasks of its commands in a file. */
function worker({ url }: Service, name: string, ...options: string[]): () => string[] {
  const file = join(place.dataDir, `${name}.txt`)
  const exec = `echo $DELEGATION_ID >> '${file}'; echo done by ${name}`
  const common = ['--url', url, '--key', 'dev-key', '--lease', '5', '--worker', name]
  const child = spawn(process.execPath, ['scripts/worker.mjs', '--exec', exec, ...common, ...options], {
    stdio: 'ignore',
  })
  children.push(child)
  return () =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
      : []
}
const made = (service: Service, settings: object) =>
  callTask(service, 'POST', '/tasks', { goal: 'Reproduce the project', mode: 'orchestrator', settings })
const listed = async (service: Service, query: string) =>
  Delegations.parse(await call(service, 'GET', `/delegations${query}`)).data.map(({ id, status, pool }) => [
    id,
    status,
    pool,
  ])
const awaited = ({ pending }: Awaited<ReturnType<typeof made>>) =>
  pending?.kind === 'report' ? pending.delegation_id : ''

describe('pools of workers', { timeout: 180_000 }, () => {
  it('POOL-02 POOL-08 each worker gets the commands of its pool, before and after a kill -9, and the receiver is told of the pool', async () => {
    const env = {
      TENANT_SHARDS: 'dev:4',
      WEBHOOK_URL: `dev:${receiver.origin}/hook`,
      WEBHOOK_SECRET: `dev:whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    }
    const first = await place.start(env)
    const { port } = new URL(first.url)
    const [gpu, none] = [await made(first, { worker_pool: 'gpu' }), await made(first, {})]
    const idle = { claimed: 0, waiting: 0 }
    const counts = [
      { name: null, pending: 1, ...idle },
      { name: 'gpu', pending: 1, ...idle },
    ]
    expect(await call(first, 'GET', '/pools')).toMatchObject({ data: counts })
    // A command that is settled before its notice is sent has none.
    const told = await untilFound('notice of each command', () => {
      const notices = receiver.received.map(({ body }) => Notice.parse(JSON.parse(body)))
      const of = (id: string) => notices.find(({ data }) => data.task_id === id)?.data.pool
      return of(gpu.id) === undefined || of(none.id) === undefined ? null : [of(gpu.id), of(none.id)]
    })
    expect(told).toEqual(['gpu', null])
    await first.kill()

    const service = await place.start({ ...env, PORT: port })
    expect(await listed(service, '?pool=gpu')).toEqual([[awaited(gpu), 'pending', 'gpu']])
    expect(await listed(service, '')).toEqual([[awaited(none), 'pending', null]])
    const [forGpu, forAll] = [worker(service, 'gpu-1', '--pool', 'gpu'), worker(service, 'all-1')]
    await untilFound('report in each pool', () => (forGpu().length > 0 && forAll().length > 0 ? true : null))
    await untilFound('two workers that wait', async () => {
      const page = z.object({ data: z.array(z.looseObject({ waiting: z.int() })) })
      const { data } = page.parse(await call(service, 'GET', '/pools'))
      return data.length === 2 && data.every(({ waiting }) => waiting === 1) ? true : null
    })
    // Both wait. A command of the pool wakes one of them.
    const next = await made(service, { worker_pool: 'gpu' })
    await untilFound('second report', () => (forGpu().length > 1 ? true : null))
    expect([forGpu(), forAll()]).toEqual([[awaited(gpu), awaited(next)], [awaited(none)]])
    await untilFound('settled command', async () =>
      (await listed(service, '?pool=gpu&status=reported')).length === 2 ? true : null,
    )
    for (const { id } of [gpu, none, next])
      expect((await callTask(service, 'POST', `/tasks/${id}/step`, { rounds: 5 })).status).toBe('completed')
    for (const { id } of [gpu, next]) await call(service, 'DELETE', `/tasks/${id}`)
    expect(await call(service, 'GET', '/pools')).toMatchObject({ data: [{ name: null }] })
    expect(await listed(service, '?pool=gpu')).toEqual([])
  })
})

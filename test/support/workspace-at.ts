/** A real workspace of a tenant of its own, at a time that stands still until the test puts the clock back. */
import { env } from 'cloudflare:workers'
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { vi } from 'vitest'
import type { Job } from '../../src/core/protocol/alarm-times.ts'
import type { WorkspaceObject } from '../../src/store/workspace/workspace-object.ts'

/** `variablesOf` answers what the environment of the object has beside its own variables. The queue is one that shows what it was asked. */
export function workspaceAt(now: number, variablesOf: (tenant: string) => Record<string, string>) {
  vi.useFakeTimers({ now, toFake: ['Date'] })
  const tenant = crypto.randomUUID()
  const stub = env.WORKSPACES.getByName(JSON.stringify([tenant]))
  const asked: Job[] = []
  const bound = { ...env, ...variablesOf(tenant), JOBS: { send: async (job: Job) => void asked.push(job) } }
  const within = <T>(body: (object: WorkspaceObject, state: DurableObjectState) => T | Promise<T>) =>
    runInDurableObject(stub, (object: WorkspaceObject, state) => {
      Object.defineProperty(object, 'env', { value: bound, configurable: true })
      return body(object, state)
    })
  return {
    tenant,
    stub,
    asked,
    within,
    ring: () => within(() => undefined).then(() => runDurableObjectAlarm(stub)),
  }
}

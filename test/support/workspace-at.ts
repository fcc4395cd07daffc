/** A real workspace of a separate tenant, with a clock that stands still until the test resets it. */
import { env } from 'cloudflare:workers'
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { vi } from 'vitest'
import type { Job } from '../../src/core/protocol/alarm-times.ts'
import type { WorkspaceObject } from '../../src/store/workspace/workspace-object.ts'

/** `variablesOf` gives further variables for the environment of the object. The queue records its requests. */
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

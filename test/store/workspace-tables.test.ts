/** The tables of a tenant's workspace: made once, or not at all where their transaction was rolled back. */
import { env } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { NO_TOTAL } from '../support/scripted.ts'

it('a first call that fails leaves a workspace that the next call can use', async () => {
  const workspace = env.WORKSPACES.getByName(crypto.randomUUID())
  const entry = { id: 'task_1', mode: 'plan_execute', status: 'running' as const, metadata: {} }
  await runInDurableObject(workspace, (object) => {
    // No mode: SQLite refuses it, and all that the call did is rolled back.
    expect(() => object.admit({ ...entry, mode: null as never }, 9, NO_TOTAL)).toThrow('NOT NULL')
    expect(object.admit(entry, 9, NO_TOTAL)).toEqual({ ok: true, value: null })
  })
})

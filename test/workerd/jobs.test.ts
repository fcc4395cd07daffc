/** Jobs as the queue hands them on: one that fails is let go, and stands in the log. */
import { createMessageBatch } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import worker, { type Env } from '../../src/index.ts'

it('a failed job writes one log line without any text of the task, and stops no other job', async () => {
  const lines = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const done: string[] = []
  const broken = (name: string) => ({
    async upkeep() {
      if (name.includes('task_bad')) throw new TypeError('canary')
      done.push(name)
      return { ok: true, value: null }
    },
  })
  // Of the objects only what the job calls.
  const TASKS = { getByName: broken } as unknown as Env['TASKS']
  const bodies = ['task_bad', 'task_good'].map((task) => ({ kind: 'deliver', tenant: 'acme', task }))
  const messages = [...bodies, { kind: 'nonsense' }].map((body, index) => ({
    id: String(index),
    timestamp: new Date(),
    attempts: 1,
    body,
  }))
  const batch = createMessageBatch('loop-agent-jobs', messages)
  await worker.queue(batch, { ...env, TASKS })
  const said = lines.mock.calls.map(([line]) => JSON.parse(String(line)))
  lines.mockRestore()
  const of = { kind: 'deliver', tenant: 'acme', task: 'task_bad' }
  const line = { time: expect.any(String), level: 'error', event: 'job_failed', ...of }
  expect(said).toEqual([{ ...line, error: 'TypeError', reason: 'unexpected' }])
  expect(done).toEqual(['["acme","task_good"]'])
})

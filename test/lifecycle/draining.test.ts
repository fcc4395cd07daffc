/** What a process does that is to end (src/lifecycle): it counts what is under way, and nothing further begins. */
import { describe, expect, it, vi } from 'vitest'
import { drainResponse } from '../../src/lifecycle/drain-request.ts'
import { newDraining } from '../../src/lifecycle/draining.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import { runJob } from '../../src/shell/jobs/jobs.ts'
import {
  act,
  ALL,
  benchOf,
  CALLER,
  closed,
  createTask,
  done,
  MANUAL,
  NONE,
  planned,
  step,
} from '../support/scripted.ts'

describe('draining', () => {
  it('tells those who listen once, and not those who have stopped', () => {
    const draining = newDraining()
    const [stays, leaves] = [vi.fn<() => void>(), vi.fn<() => void>()]
    draining.onBegin(stays)
    draining.onBegin(leaves)()
    draining.begin()
    draining.begin()
    expect([draining.hasBegun(), stays.mock.calls.length, leaves.mock.calls.length]).toEqual([true, 1, 0])
  })

  it('the answer to the second request that drains ends when nothing is under way any more, whatever became of it', async () => {
    const draining = newDraining()
    const gate = Promise.withResolvers<void>()
    const failing = draining.during(() => gate.promise).catch(() => 'failed')
    let looks = 0
    const sleep = async () => {
      looks += 1
      if (looks === 3) gate.reject(new Error('failed'))
      if (looks >= 3) await failing
    }
    expect(drainResponse(draining, sleep).status).toBe(204)
    expect(await drainResponse(draining, sleep).text()).toBe('draining\n')
    expect([looks, await failing, draining.isIdle()]).toEqual([3, 'failed', true])
  })

  it('a slice ends with the call under way and answers; the next process goes on', async () => {
    const draining = newDraining()
    const bench = benchOf({ plan: [planned('A')], thought: [act(), done()], replan: [closed()] }, { draining })
    const made = await createTask(bench)
    const { model } = bench.ports
    bench.ports.model = {
      complete(request, call) {
        draining.begin()
        return model?.complete(request, call) ?? Promise.reject(new Error('no model'))
      },
    }
    expect(await step(bench, made.id, ALL)).toMatchObject({
      status: 'running',
      step_count: 1,
      slice: { advanced: true },
    })
    expect(await step(bench, made.id, ALL)).toMatchObject({ step_count: 1, slice: { advanced: false } })
    bench.ports.draining = newDraining()
    expect(await step(bench, made.id, ALL)).toMatchObject({ status: 'completed', step_count: 4 })
    bench.spent()
  })

  it('no background slice begins', async () => {
    const draining = newDraining()
    const bench = benchOf({ plan: [planned('A')] }, { draining })
    const asked = {
      goal: 'g',
      mode: 'plan_execute',
      settings: Settings.parse({}),
      locale: 'en' as const,
      timezone: 'UTC',
    }
    const more = {
      metadata: {},
      ...MANUAL,
      drive: 'background' as const,
      tools: [],
      code_language: 'javascript' as const,
    }
    const created = await bench.service.createTask(CALLER, { ...asked, ...more }, NONE)
    const id = created.ok ? created.value.task.id : ''
    const job = { kind: 'drive', tenant: CALLER.tenant, task: id, version: 1, asked_ms: 0 } as const
    draining.begin()
    await runJob(bench.ports, job)
    expect(bench.requests).toEqual([])
    bench.ports.draining = newDraining()
    await runJob(bench.ports, job)
    expect(bench.requests.length).toBeGreaterThan(0)
  })
})

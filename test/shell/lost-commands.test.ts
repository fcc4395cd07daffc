/** Workers of ours that die around a command: what workers outside are shown of it afterwards, and how rounds are counted. */
import { describe, expect, it } from 'vitest'
import { mendAll } from '../support/mended.ts'
import { delegationId } from '../../src/core/terms/delegation-id.ts'
import type { DelegationEntry } from '../../src/core/workspace/delegation-index.ts'
import type { DelegationStatus } from '../../src/core/terms/delegation.ts'
import type { Ports } from '../../src/shell/ports.ts'
import { openSlice, ticketOf } from '../../src/shell/slice/slice.ts'
import { createService } from '../../src/shell/create-service.ts'
import { delegate } from '../../src/tools/delegate.ts'
import { overdue, answered, judge, orchestrated, report, steps, work } from '../core/orchestrator/support.ts'
import { CALLER, ONE, taken, type Bench } from '../support/scripted.ts'
import { workspaceWith } from '../support/workspace-with.ts'

type Fault = (entry: DelegationEntry) => Error | null

/** The ports of a bench whose commands are really entered; a fault kills the call that would have entered one. */
function portsOf({ ports }: Bench, fault: Fault = () => null): Ports {
  const workspace: Ports['store']['workspace'] = (tenant) => {
    const desk = ports.store.workspace(tenant)
    return workspaceWith(desk, {
      enter_delegation(command) {
        const error = fault(command.entry)
        return error === null ? desk.tell(command) : Promise.reject(error)
      },
    })
  }
  const store = { ...ports.store, workspace }
  return { ...ports, store, tools: new Map([['delegate', delegate(store)]]) }
}

/** Types of the commands that workers find. */
async function listed(bench: Bench, status: DelegationStatus | null) {
  const page = await bench.service.listDelegations(CALLER, { status, pool: null }, { after: 0, limit: 100 }, 0)
  return page.ok ? page.value.data.map(({ command_type }) => command_type) : []
}

describe('a worker that dies around a command', () => {
  it('api.md "A round" a dispatch that is taken over counts as the same round', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A')] })
    const key = { scope: 'step', key: 'k', digest: 'body' }
    const begin = (more: 'new_round' | 'nothing', slice: string) =>
      bench.store.of(CALLER.tenant, task.id).begin({
        slice,
        boot: 'boot',
        more,
        rounds: 1,
        wall_ms: bench.clock.now,
        key: slice === 'first' ? key : null,
      })
    const handed = async (call: ReturnType<typeof begin>) => {
      const told = await call
      return told.ok ? told.value.assignment?.opens_round : told.refusal.code
    }
    expect(await handed(begin('new_round', 'first'))).toBe(true)
    bench.clock.now += 60_000
    expect(await handed(begin('nothing', 'second'))).toBe(false)
    bench.clock.now += 60_000
    const own = taken(await bench.service.stepTask({ ...CALLER, key }, task.id, ONE))
    expect(own).toMatchObject({ status: 'waiting_external', slice: { rounds: 1 } })
    const again = taken(await bench.service.stepTask({ ...CALLER, key }, task.id, ONE))
    expect(again.slice).toEqual(own.slice)
  })

  it('R17 the end command is found though its worker died between the two calls that tell of it', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A')], evaluate: [judge('next')] })
    bench.service = createService(portsOf(bench, ({ type }) => (type === 'end' ? new Error('the worker died') : null)))
    await work(bench, task.id)
    await expect(answered(bench, task.id, report())).rejects.toThrow('the worker died')
    bench.service = createService(portsOf(bench))
    await mendAll(bench.ports, CALLER.tenant)
    expect(await listed(bench, null)).toContain('end')
  })

  it('S2-18 a command that is handed out again after its time is up is a failed attempt, and the next one is found by workers', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A')] })
    bench.service = createService(portsOf(bench))
    const ticket = ticketOf(await openSlice(bench.ports, CALLER, task.id, ONE), 0)
    const begun = await bench.store.of(CALLER.tenant, task.id).begin(ticket)
    const seq = begun.ok ? (begun.value.assignment?.seq ?? 0) : 0
    const [id, at] = [delegationId(task.id, seq), bench.clock.now]
    const entry = { id, task: task.id, type: 'new' as const, at, deadline: at + 600_000 }
    await bench.store.workspace(CALLER.tenant).tell({ kind: 'enter_delegation', entry })
    expect(await listed(bench, 'pending')).toEqual(['new'])
    // Its worker is never heard of again.
    bench.clock.now += 3_600_000
    expect((await work(bench, task.id)).status).toBe('waiting_external')
    expect(await listed(bench, 'pending')).toEqual([])
    expect((await overdue(bench, task.id)).status).toBe('running')
    await work(bench, task.id)
    expect(await listed(bench, 'pending')).toEqual(['new'])
  })
})

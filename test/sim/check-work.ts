/** What workers are shown: every command that was handed out is listed as its task says, and of a task that is gone nothing. */
import { parseDelegationId } from '../../src/core/terms/delegation-id.ts'
import type { DelegationView } from '../../src/core/shown/delegation-view.ts'
import type { DelegationStatus } from '../../src/core/terms/delegation.ts'
import type { Service } from '../../src/shell/service.ts'
import { createService } from '../../src/shell/create-service.ts'
import { mendAll } from '../support/mended.ts'
import { checkShownAs, commandRows, isFarewell } from './check-reports.ts'
import type { Watched } from './check-rows.ts'
import { callerOf } from './requests.ts'
import { actorOf } from './scheduler.ts'
import { demand } from './violation.ts'
import { lifeOf, portsOf, type World } from './world.ts'

const caller = callerOf(null, () => false)

export async function checkWork(world: World): Promise<void> {
  const ports = portsOf(world, actorOf('work', true))
  const service = createService(ports)
  await mendAll(ports, caller.tenant)
  // Whoever lists mends: what is listed twice is listed as it is.
  await listed(service, null)
  const all = await listed(service, null)
  for (const { id } of all) {
    const ref = parseDelegationId(id)
    demand(ref !== null && world.tasks.has(ref.task), 'of a task that is gone no command is listed', () => id)
  }
  for (const { id, status } of await listed(service, 'pending'))
    demand(status === 'pending', 'what is listed as pending is pending', () => `${id} is ${status}`)
  // A worker that outlived the DELETE of the task before this one may have entered what that wanted.
  for (const watched of world.tasks.values()) if (lifeOf(world, watched.id) === 1) checkTask(world, watched, all)
}

function checkTask(world: World, { id, rows, settled }: Watched, all: DelegationView[]): void {
  const found = new Map<number, DelegationView>()
  for (const one of all) {
    const ref = parseDelegationId(one.id)
    if (ref?.task === id) found.set(ref.seq, one)
  }
  for (const seq of commandRows(rows)) {
    const event = rows.closed(seq)?.event
    const out = event?.kind === 'tool_returned' && event.ok
    demand(!out || found.has(seq), 'a command that was handed out is listed', () => `${id}:${seq}`)
    // A worker that died between the end of its task and this one has told nobody.
    const told = isFarewell(rows, seq) && world.scheduler.lost === 0
    demand(!told || found.has(seq), 'the end of a session is listed', () => `${id}:${seq}`)
  }
  for (const [seq, one] of found) checkShownAs(rows, settled, { seq, status: one.status }, world.clock.now)
}

async function listed(service: Service, status: DelegationStatus | null): Promise<DelegationView[]> {
  const found: DelegationView[] = []
  for (let after: string | null = '0'; after !== null;) {
    const page: Awaited<ReturnType<Service['listDelegations']>> = await service.listDelegations(
      caller,
      { status, pool: null },
      { limit: 50, after: Number(after) },
      0,
    )
    if (!page.ok) break
    found.push(...page.value.data)
    after = page.value.next_cursor
  }
  return found
}

/** The laws of commands: the first report counts, and an ended task waits for no worker. */
import { DelegationView } from '../../../src/core/shown/delegation-view.ts'
import { get, type Bench } from '../ask.ts'
import { isThere, type Command } from '../known.ts'
import type { Story } from '../story.ts'

export async function checkCommand(bench: Bench, command: Command, stories: Map<string, Story>): Promise<void> {
  const { acks, tally } = bench
  const { id, task, tenant, taken } = command
  const known = acks.tasks.get(task)
  if (known === undefined || !isThere(known)) return
  const demand = (holds: boolean, law: string, detail: () => string) => tally.demand(holds, law, detail, task)
  demand(taken.size <= 1, 'the first report stands', () => `${id}: ${[...taken].join()}`)
  const view = DelegationView.safeParse(await get(bench, tenant, `/delegations/${id}`)).data
  const shown = () =>
    `${id}: ${view?.status} ${view?.report?.text}, taken ${[...taken].join()}, sent ${[...command.sent].join()}`
  const [first] = taken
  if (first !== undefined)
    demand(view?.status === 'reported' && view.report?.text === first, 'the first report stands', shown)
  const over = stories.get(task)?.view.status
  const waits = view?.status === 'pending' || view?.status === 'claimed'
  const ended = over === 'completed' || over === 'failed' || over === 'canceled'
  demand(!ended || !waits, 'nobody waits for the worker of a task that is over', shown)
}

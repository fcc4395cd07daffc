/** Checks the end of a script: the accounting allows exactly this end for the lost calls, and each report counts once. */
import { stopReasonOf } from '../../src/core/terms/head.ts'
import { predict } from './predict.ts'
import type { Script } from './script.ts'
import { demand } from './violation.ts'
import type { World } from './world.ts'

/** The task of a script, created under one key. */
export const ID = 'task_of_acme_create'

/** `lost` says how often each call of the model was lost, by its number. */
export function checkEnd(script: Script, world: World, lost: (move: number) => number): void {
  checkHeard(script, world)
  const head = world.tasks.get(ID)?.rows.last()?.head
  const status = head === undefined ? 'gone' : (head.end?.status ?? (head.pause_reason === null ? 'running' : 'paused'))
  if (script.ends.length > 0) {
    demand(script.ends.includes(status), 'the end the accounting allows', () => `${script.name}: ${status}`)
    return
  }
  const { expects, moves } = script
  const losses = moves.reduce((sum, _, index) => sum + lost(index), 0)
  const wanted = typeof expects === 'function' ? expects(losses) : (expects ?? predict(script, lost))
  const booked = [...world.effects.values()].filter((effect) => effect.tool !== 'ring').length
  const rings = moves.some((move) => JSON.stringify(move).includes('"ring"'))
  const found = {
    status,
    stop_reason: head === undefined ? null : stopReasonOf(head),
    steps: head?.budget.steps.used ?? 0,
    actions: rings ? wanted.actions : booked,
  }
  const [shown, told] = [JSON.stringify(found), JSON.stringify(wanted)]
  demand(shown === told, 'the end the accounting allows', () => `${script.name}: ${shown}, not ${told}`)
}

/** When a script names its end, each of its reports must be accepted once, and each missing report noticed once. */
function checkHeard({ name, reports, meanwhile, expects }: Script, world: World): void {
  if (expects === null) return
  const settled = [...(world.tasks.get(ID)?.settled.values() ?? [])].map(({ event }) => event.kind)
  const silences = reports.filter((line) => line === 'silence').length
  const said = reports.length - silences + (meanwhile?.does === 'report' ? 1 : 0)
  const found = [settled.filter((kind) => kind === 'report_arrived').length, settled.length]
  const wanted = [said, said + silences]
  demand(String(found) === String(wanted), 'a report is heard once', () => `${name}: ${found}, not ${wanted}`)
}

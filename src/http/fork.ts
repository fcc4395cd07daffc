/** What the routes of fork and replay ask of the service, and how their answers look. */
import type { Replay } from '../core/terms/view.ts'
import type { Routes } from './contract.ts'
import { refused, type Handler } from './route.ts'
import { taskReply, watched } from './tasks.ts'

export const forkTask: Handler<Routes['forkTask']> = async (ports, { caller, params, body }) => {
  const { at, settings = {}, edit } = body
  const forked = await ports.service.forkTask(caller, params.id, { at, settings, outcome: edit?.outcome ?? null })
  const reply = taskReply(forked, 201)
  return forked.ok ? watched(ports, caller, forked.value, reply) : reply
}

export const replayTask: Handler<Routes['replayTask']> = async ({ service }, { caller, params }) => {
  const replayed = await service.replayTask(caller, params.id)
  if (!replayed.ok) return refused(replayed.refusal)
  return { kind: 'answer', status: 200, json: replayed.value, lines: () => replayText(replayed.value) }
}

function replayText({ events, first_difference }: Replay): string[] {
  if (first_difference === null) return [`equal  ${events} rows`]
  const { seq, path, expected, found } = first_difference
  return [`differs  row ${seq}  ${path}`, `expected  ${JSON.stringify(expected)}`, `found  ${JSON.stringify(found)}`]
}

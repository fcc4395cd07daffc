/** The calls of a model and of a tool, each behind a gate of the scheduler. */
import type { Ports } from '../../src/shell/ports.ts'
import type { Tool } from '../../src/shell/tool-ports.ts'
import { applyTool, placeOf } from './effects.ts'
import type { Actor } from './scheduler.ts'
import { demand, noting } from './violation.ts'
import type { World } from './world.ts'

/** As a model answers whose call is ended before its time. */
const STOPPED = { kind: 'model_failed' as const, reason: 'stopped', status: null, retry_after_ms: null }

type ModelCall = Parameters<NonNullable<Ports['model']>['complete']>

export function modelGate(world: World, actor: Actor, request: ModelCall[0], call: ModelCall[1]) {
  const { task, phase, seq } = request.metadata
  const deliver = () => {
    demand(!actor.asked.has(`${task}:${seq}`), 'a model call is one row', () => `${task}:${seq} is asked twice`)
    actor.asked.add(`${task}:${seq}`)
    const { took_ms, ...said } = world.play.model(request, call)
    world.clock.now += took_ms
    // The caller has left while the model was asked. What it has said is let go.
    if (call.stop?.aborted !== true) return said
    world.seen('call stopped')
    return STOPPED
  }
  return world.scheduler.gate({
    actor,
    label: `model.${phase}`,
    repeatable: false,
    shown: () => `${phase} for ${seq}`,
    deliver: () => noting(world, deliver),
  })
}

export function toolGate(
  world: World,
  actor: Actor,
  call: { tool: string; input: string; key: string },
  timeout_ms: number,
  /** A tool that only reads: what it finds is told in place of what the ledger says. */
  read: (() => ReturnType<Tool['run']>) | null = null,
) {
  const { tool, input, key } = call
  // This is the incarnation of the task now: the call may happen when another one has the same id.
  const life = world.lives.get(placeOf(key).task) ?? 1
  const deliver = async () => {
    const fails = read === null ? world.play.toolFails : () => false
    const { result: ledgered } = applyTool(world.effects, { tool, input, key, life }, fails)
    const result = read === null ? ledgered : await read()
    const took_ms = world.play.tool_ms()
    world.clock.now += Math.min(took_ms, timeout_ms)
    // This is what shell/network/bounded-fetch.ts does with a late tool: the tool has acted, and its answer is ignored.
    return took_ms > timeout_ms ? { ok: false, code: 'timed_out', text: 'the tool timed out' } : result
  }
  return world.scheduler.gate({
    actor,
    label: `tool.${tool}`,
    repeatable: false,
    shown: () => `${tool} under ${key}`,
    deliver: () => noting(world, deliver),
  })
}

/** The modes: one line each, and what reads their replies. */
import type * as z from 'zod'
import type { EventOf } from '../terms/effect.ts'
import type { Settings } from '../terms/settings.ts'
import type { Mode } from '../mode/mode.ts'
import { objectReader, replyOf } from '../mode/reply.ts'
import type { ModeName } from '../terms/mode-names.ts'
import { autonomous } from './autonomous/machine.ts'
import { dynamic } from './dynamic/machine.ts'
import { orchestrator } from './orchestrator/machine.ts'
import { planExecute } from './plan-execute/machine.ts'
import { session } from './session/machine.ts'

export { cutReason, dataReader } from '../mode/reply.ts'

export type AnyMode = Mode<{ phase: string }>

/**
 * A state is made by its own mode, and parsed by that mode's schema when a head is read back, so forgetting its type here is safe.
 */
const erase = <S extends { phase: string }>(mode: Mode<S>) => mode as unknown as AnyMode

export const MODES: Readonly<Record<ModeName, AnyMode>> = {
  plan_execute: erase(planExecute),
  dynamic: erase(dynamic),
  session: erase(session),
  autonomous: erase(autonomous),
  orchestrator: erase(orchestrator),
}

/** What is wrong with a reply, by the contract of its phase. null: nothing. */
export function contractError(
  { reader = objectReader }: AnyMode,
  contract: z.ZodType,
  event: EventOf<'model_replied'>,
  settings: Settings,
): string | null {
  const reply = replyOf(contract, event, reader(settings))
  return reply.ok ? null : reply.reason
}

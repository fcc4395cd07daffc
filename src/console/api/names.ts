/** The names one can choose from, as the service has them; the compiler holds the lists to those of the service. */
import type { ModeName, Status } from './wire.ts'

// Object.keys() forgets the names it was given.
const namesOf = <Name extends string>(listed: Record<Name, true>) => Object.keys(listed) as Name[]

export const MODES = namesOf<ModeName>({
  plan_execute: true,
  dynamic: true,
  session: true,
  autonomous: true,
  orchestrator: true,
})
export const STATUSES = namesOf<Status>({
  queued: true,
  running: true,
  input_required: true,
  waiting_external: true,
  paused: true,
  completed: true,
  failed: true,
  canceled: true,
})

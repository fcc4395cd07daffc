/** Names that the service uses, as lists. The compiler holds each list to the type of the service. */
import type { EVENT_TYPES, Status } from './wire.ts'

// Object.keys() forgets the names it was given.
const namesOf = <Name extends string>(names: Record<Name, true>) => Object.keys(names) as Name[]

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
export const EVENT_NAMES = namesOf<(typeof EVENT_TYPES)[number]>({
  task_created: true,
  plan_created: true,
  item_started: true,
  item_completed: true,
  item_failed: true,
  thought_decided: true,
  llm_thinking: true,
  tasks_updated: true,
  action_started: true,
  action_finished: true,
  plan_replanned: true,
  plan_adjusted: true,
  plan_edited: true,
  command_dispatched: true,
  report_received: true,
  clarification_requested: true,
  clarification_answered: true,
  contract_failed: true,
  loop_guard: true,
  budget_exhausted: true,
  budget_added: true,
  task_paused: true,
  task_resumed: true,
  report_generated: true,
  task_completed: true,
  task_failed: true,
  task_canceled: true,
  agent_started: true,
  agent_completed: true,
  agent_error: true,
})

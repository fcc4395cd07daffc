/** The types of events, as the stream names them; the compiler holds the list to that of the service. */
import type { EVENT_TYPES } from './wire.ts'

type EventType = (typeof EVENT_TYPES)[number]
const LISTED: Record<EventType, true> = {
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
}
export const EVENTS = Object.keys(LISTED)

/** Names of the wire as plain lists. Nothing is imported here, because the console takes them into its page. */

export const STATUSES = [
  'queued',
  'running',
  'input_required',
  'waiting_external',
  'paused',
  'completed',
  'failed',
  'canceled',
] as const

/** Whether the goal was reached, from the best to the worst. */
export const OUTCOMES = ['done', 'partial', 'not_done'] as const

export const EVENT_TYPES = [
  'task_created',
  'plan_created',
  'item_started',
  'item_completed',
  'item_failed',
  'thought_decided',
  'llm_thinking',
  'tasks_updated',
  'action_started',
  'action_waiting',
  'action_finished',
  'plan_replanned',
  'plan_adjusted',
  'plan_edited',
  'command_dispatched',
  'report_received',
  'clarification_requested',
  'clarification_answered',
  'file_requested',
  'file_arrived',
  'tools_listed',
  'tools_unavailable',
  'contract_failed',
  'loop_guard',
  'budget_exhausted',
  'budget_added',
  'task_changed',
  'task_paused',
  'task_resumed',
  'report_generated',
  'task_completed',
  'task_failed',
  'task_canceled',
  'agent_started',
  'agent_completed',
  'agent_error',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

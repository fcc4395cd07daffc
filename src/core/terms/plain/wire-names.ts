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

/** What a task waits for, as its stop reason. */
export const WAIT_REASONS = ['question', 'file', 'approval', 'report', 'tool'] as const

/** Why a task is paused. */
export const PAUSE_TEXTS = [
  'paused_by_user',
  'held',
  'iteration_limit',
  'budget_exhausted:steps',
  'budget_exhausted:tokens',
  'budget_exhausted:cost_usd',
  'budget_exhausted:seconds',
  'budget_exhausted:tenant',
  'model_unavailable',
  'tools_unavailable',
  'model_not_allowed',
  'question_expired',
  'result_unmet',
  'storage_full',
] as const
export type PauseText = (typeof PAUSE_TEXTS)[number]

/** Why a task has failed. */
export const FAILURE_CODES = [
  'aborted',
  'contract_failures',
  'step_failed',
  'loop_detected',
  'iteration_limit',
  'budget_exhausted:steps',
  'question_expired',
] as const
export type FailureCode = (typeof FAILURE_CODES)[number]

/** The phases whose decisions are shown as the thought of a task. */
export const THOUGHT_PHASES = ['thought', 'turn', 'think', 'step_decision', 'evaluate'] as const

/** What a thought decides. Each phase has some of them. */
export const DECISIONS = [
  'continue',
  'ask_user',
  'done',
  'answer',
  'think',
  'next',
  'retry',
  'replan',
  'ask',
  'abort',
] as const
export type ThoughtDecision = (typeof DECISIONS)[number]

/** What keeps a task from going round in circles, or from more than it may do. */
export const GUARDS = [
  'repeated_action',
  'same_result',
  'repeated_question',
  'repeated_command',
  'max_clarifications',
  'max_adjustments',
  'max_actions_per_step',
  'max_retries_per_step',
  'max_replans',
  'step_timeout',
  'task_turns',
  'fallback_advance',
  'plan_bounds',
  'plan_full',
  'transcript_compacted',
  'model_fallback',
  'model_not_allowed',
  'aside_refused',
] as const
export type Guard = (typeof GUARDS)[number]

/** What a schedule does at a tick while an earlier run is still open. */
export const OVERLAP_RULES = ['skip', 'queue', 'replace'] as const
export type OverlapRule = (typeof OVERLAP_RULES)[number]

/** What a schedule does about ticks that were missed: nothing, or one run for all of them. */
export const MISSED_RULES = ['skip', 'once'] as const
export type MissedRule = (typeof MISSED_RULES)[number]

/** Why a call was refused. A mistake of the caller is a value. http/shapes/problems.ts maps each code to its HTTP status. */
import type { SpentAxis } from './axes.ts'

export type Refusal =
  | { code: 'task_not_found' }
  | { code: 'delivery_not_found' }
  | { code: 'delegation_not_found' }
  /** `hint`: the end of a message, with the known name that was probably meant; maybe empty. */
  | { code: 'secret_not_found'; hint: string }
  /** The tenant has named no receiver of spans. */
  | { code: 'receiver_not_found' }
  /** The operator has turned it off. */
  | { code: 'usage_off' }
  | { code: 'traces_off' }
  /** As of a secret. */
  | { code: 'schedule_not_found'; hint: string }
  /** `version`: that was asked for, which is not kept. null: there is no agent of the name. */
  | { code: 'agent_not_found'; name: string; version: number | null; hint: string }
  /** Its newest version is not the one that the author has seen. `version` null: there is none. `is_new`: there should have been none. */
  | { code: 'agent_changed'; name: string; version: number | null; is_new: boolean }
  /** Tasks that it has made are open; `ids` are the newest of them. */
  | { code: 'agent_in_use'; name: string; tasks: number; ids: string[] }
  /** `until`: when the lease of the worker that has claimed it ends, in ms since the epoch. */
  | { code: 'delegation_claimed'; worker: string; until: number; now_ms: number }
  /** The command was canceled. Commands that have expired or were reported have codes of their own. */
  | { code: 'delegation_canceled' }
  | { code: 'delegation_expired' }
  /** `recorded`: the status of the report that counts, if it is known. */
  | { code: 'already_reported'; recorded?: string | undefined }
  /** `wanted`: the command that the delegation is about. */
  | { code: 'wrong_command'; wanted: string; given: string }
  | { code: 'file_not_found' }
  /** `part`: the part of a form that was the file. */
  | { code: 'file_too_large'; max_bytes: number; part?: string }
  /** A document of the mode has this name. */
  | { code: 'file_reserved'; name: string }
  | { code: 'too_many_files'; part?: string }
  | { code: 'too_many_secrets'; max: number }
  | { code: 'too_many_agents'; max: number }
  | { code: 'too_many_schedules'; max: number }
  /** The runs of the day have used up the daily budget of the schedule. */
  | { code: 'schedule_budget_exceeded'; name: string }
  | { code: 'task_busy'; expires_ms: number; now_ms: number }
  | { code: 'lease_lost' }
  | { code: 'idempotency_key_reused' }
  | { code: 'request_in_progress'; expires_ms: number; now_ms: number }
  /** `takes_attempts`: the task goes on after a continue text or with more attempts. */
  | { code: 'task_ended'; status: string; takes_attempts?: true }
  /** Only an ended task is made again. */
  | { code: 'task_not_ended'; status: string }
  /** `recorded`: its answer, which only the holder of its link gets. */
  | { code: 'question_settled'; recorded?: string | null }
  /** `version`: the current version of the task. `waiting`: an edit is kept until the running effect is over. */
  | { code: 'precondition_failed'; version: number; waiting: boolean }
  | { code: 'plan_not_editable'; mode: string }
  | { code: 'link_not_found' }
  | { code: 'expired' }
  /** `pointer` as in RFC 6901. */
  | { code: 'validation_failed'; errors: { pointer: string; message: string }[]; hint?: string }
  | { code: 'model_not_budgetable'; models: string[] }
  /** `holder`: whose limit it is. Absent: the tenant's. */
  | { code: 'quota_exceeded'; open: number; max: number; holder?: 'key' }
  | { code: 'quota_exceeded'; bytes: number; bytes_max: number }
  | { code: 'too_many_watchers'; max: number }
  /** `spent`: the total without room. `reset_s` and `resets_ms`: until its period ends, and when. */
  | { code: 'tenant_budget_exceeded'; reset_s: number; resets_ms: number; spent: SpentAxis }
  /** `hint`: the end of a message, with the known name that was probably meant; maybe empty. */
  | { code: 'tenant_not_found'; hint: string }
  /** `is_deleted`: the name is kept, so that nobody gets what was stored under it. */
  | { code: 'tenant_exists'; name: string; is_deleted: boolean }
  /** Only a disabled tenant is deleted. */
  | { code: 'tenant_enabled'; name: string }
  | { code: 'tenant_disabled' }
  | { code: 'too_many_tenants'; max: number }
  | { code: 'key_not_found' }
  /** The key is not live any more, or another one has taken its place: `successor`. */
  | { code: 'key_ended'; id: string; state: 'revoked' | 'expired' | 'replaced'; successor: string | null }
  | { code: 'too_many_keys'; max: number }
  /** The key that was asked for would have more rights than the key of the caller. */
  | { code: 'grant_exceeded'; errors: { pointer: string; message: string }[] }
  | { code: 'operator_only' }
  | { code: 'state_unreadable'; detail: string }
  /** The service lacks something that its operator has to configure. */
  | { code: 'not_configured'; reasons: string[] }

export type Result<T> = { ok: true; value: T } | { ok: false; refusal: Refusal }
export const ok = <T>(value: T): Result<T> => ({ ok: true, value })
export const refuse = (refusal: Refusal): { ok: false; refusal: Refusal } => ({ ok: false, refusal })

/** Answers with another refusal in place of the one with this code. */
export const hideRefusal = <T>(
  result: Result<T>,
  code: Refusal['code'],
  shown: 'link_not_found' | 'delegation_not_found',
): Result<T> => (!result.ok && result.refusal.code === code ? refuse({ code: shown }) : result)

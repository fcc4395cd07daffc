/** What is said when a command cannot be claimed or reported. */
import type { Refusal } from '../../core/terms/refusal.ts'

export type DelegationRefusal = Extract<
  Refusal,
  {
    code:
      | 'delegation_not_found'
      | 'delegation_claimed'
      | 'delegation_canceled'
      | 'delegation_expired'
      | 'already_reported'
      | 'wrong_command'
  }
>

export function delegationDetail(refusal: DelegationRefusal): string {
  switch (refusal.code) {
    case 'delegation_not_found':
      return 'There is no such delegation; GET /delegations?status=pending lists those that wait for a worker.'
    case 'delegation_claimed':
      return `${refusal.worker} works on it until ${new Date(refusal.until).toISOString()}. Try again after Retry-After, or take another one.`
    case 'delegation_canceled':
      return 'This command was withdrawn: its task has ended, or its plan was changed. Nothing was recorded.'
    case 'delegation_expired':
      return 'Its deadline has passed, and its task has gone on without the report. Nothing was recorded.'
    case 'already_reported':
      return `A report ${refusal.recorded === undefined ? '' : `of ${refusal.recorded} `}was recorded for this command before, and stands. Yours is another one and was not taken.`
    case 'wrong_command':
      return `The report is about ${refusal.given}, this delegation about ${refusal.wanted}. Nothing was recorded.`
  }
}

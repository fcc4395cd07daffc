/** The details of refusals about files, quotas and delegations. */
import { FILES_MAX } from '../../core/terms/files/files.ts'
import type { Refusal } from '../../core/terms/refusal.ts'

export const countText = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`

type OfFiles = Extract<Refusal, { code: 'file_not_found' | 'file_reserved' | 'file_too_large' | 'too_many_files' }>

export function fileDetail(refusal: OfFiles): string {
  switch (refusal.code) {
    case 'file_not_found':
      return 'The task has no such file; GET /tasks/{id}/files lists those it has.'
    case 'file_reserved':
      return `The task keeps "${refusal.name}" up to date by itself: it can be read, not put or deleted. Take another name.`
    case 'file_too_large':
      return `The file may have at most ${refusal.max_bytes} bytes.`
    case 'too_many_files':
      return `A task has at most ${FILES_MAX} files; delete one first, or put it in place of another.`
  }
}

export function quotaDetail(refusal: Extract<Refusal, { code: 'quota_exceeded' }>): string {
  if ('open' in refusal)
    return `At most ${countText(refusal.max, 'task')} may be open, and you have ${refusal.open}. Let some end, cancel or delete them.`
  const { bytes, bytes_max } = refusal
  return `What is stored for you may take at most ${bytes_max} bytes together, and takes ${bytes} without this. Delete tasks or files.`
}

/** Which quota it is, and how much of it is used. */
export const quotaMembers = (refusal: Extract<Refusal, { code: 'quota_exceeded' }>) =>
  'open' in refusal
    ? { quota: 'open_tasks', used: refusal.open, max: refusal.max }
    : { quota: 'bytes', used: refusal.bytes, max: refusal.bytes_max }

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

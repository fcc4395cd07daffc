/** What is said of files that are refused, and of quotas that are used up. */
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

/** What a tenant's blobs take, in memory. `isKnown`: whether the index knows the task. */
import { ok, refuse } from '../core/refusal.ts'
import type { StoredMethods } from '../core/workspace-methods.ts'

interface Kept {
  blobsOf(task: string): string[]
  dropStored(task: string): void
}

export function memoryStored(isKnown: (task: string) => boolean): StoredMethods & Kept {
  const stored = new Map<string, Map<string, number>>()
  return {
    holdBytes({ task, blob, bytes }, max) {
      if (!isKnown(task)) return refuse({ code: 'task_not_found' })
      const own = stored.get(task) ?? new Map<string, number>()
      const all = [...stored.values()].flatMap((blobs) => [...blobs.values()]).reduce((sum, one) => sum + one, 0)
      const others = all - (own.get(blob) ?? 0)
      if (others + bytes > max) return refuse({ code: 'quota_exceeded', bytes: others, bytes_max: max })
      stored.set(task, own.set(blob, bytes))
      return ok(null)
    },
    releaseBytes(task, blobs) {
      for (const blob of blobs) stored.get(task)?.delete(blob)
    },
    blobsOf: (task) => [...(stored.get(task)?.keys() ?? [])],
    dropStored: (task) => void stored.delete(task),
  }
}

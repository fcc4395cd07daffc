/** What a tenant's blobs take, in memory. `isKnown`: whether the index knows the task. */
import type { ByteMethods } from '../../../src/core/workspace/stored-bytes.ts'
import { ok, refuse } from '../../../src/core/terms/refusal.ts'
import type { StoredMethods } from '../../../src/core/protocol/workspace-methods.ts'
import {
  SWEEP_AGAIN_MS,
  SWEEP_BATCH,
  UPLOAD_SILENCE_MS,
  type UnfinishedBlob,
  type UnfinishedMethods,
} from '../../../src/core/workspace/unfinished-blobs.ts'
import { memoryBytes } from './memory-bytes.ts'

interface Kept {
  blobsOf(task: string): string[]
  dropStored(task: string): void
}

type Unfinished = UnfinishedBlob & { due: number; swept: boolean }

export function memoryStored(
  isKnown: (task: string) => boolean,
  now: () => number,
): StoredMethods & UnfinishedMethods & ByteMethods & Kept {
  const stored = new Map<string, Map<string, number>>()
  const unfinished = new Map<string, Unfinished>()
  const nameOf = (task: string, blob: string) => JSON.stringify([task, blob])
  const renew = (task: string, blob: string) =>
    void unfinished.set(nameOf(task, blob), { task, blob, due: now() + UPLOAD_SILENCE_MS, swept: false })
  const { methods, take, leave } = memoryBytes(isKnown)
  const forget = (task: string, blob: string) => {
    take(-(stored.get(task)?.get(blob) ?? 0), 0)
    stored.get(task)?.delete(blob)
  }
  const blobsOf = (task: string) => [...(stored.get(task)?.keys() ?? [])]
  return {
    ...methods,
    holdBytes({ task, blob, bytes, named = false }, max) {
      if (!isKnown(task)) return refuse({ code: 'task_not_found' })
      if (unfinished.get(nameOf(task, blob))?.swept === true) return refuse({ code: 'lease_lost' })
      const own = stored.get(task) ?? new Map<string, number>()
      const before = own.get(blob) ?? 0
      const taken = take(bytes - before, max, before)
      if (taken.ok) stored.set(task, own.set(blob, bytes))
      if (taken.ok && !named) renew(task, blob)
      return taken.ok ? ok(null) : taken
    },
    releaseBytes(task, blobs) {
      for (const blob of blobs) forget(task, blob)
    },
    renewHolds(task, blobs) {
      if (!blobs.every((blob) => unfinished.get(nameOf(task, blob))?.swept === false)) return false
      for (const blob of blobs) renew(task, blob)
      return true
    },
    settleBlobs(task, { named, removed }) {
      for (const blob of [...named, ...removed]) unfinished.delete(nameOf(task, blob))
      for (const blob of removed) forget(task, blob)
    },
    takeOverdueBlobs() {
      const overdue = [...unfinished.values()]
        .filter(({ due }) => due <= now())
        .sort((one, other) => one.due - other.due)
      return overdue.slice(0, SWEEP_BATCH).map(({ task, blob }) => {
        unfinished.set(nameOf(task, blob), { task, blob, due: now() + SWEEP_AGAIN_MS, swept: true })
        return { task, blob }
      })
    },
    blobsOf,
    dropStored(task) {
      for (const blob of blobsOf(task)) forget(task, blob)
      leave(task)
    },
  }
}

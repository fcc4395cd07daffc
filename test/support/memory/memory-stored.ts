/** The bytes of a tenant's blobs, in memory. `isKnown` says whether the index has the task. */
import { ok, refuse } from '../../../src/core/terms/refusal.ts'
import {
  SWEEP_AGAIN_MS,
  SWEEP_BATCH,
  UPLOAD_SILENCE_MS,
  type UnfinishedBlob,
} from '../../../src/core/workspace/unfinished-blobs.ts'
import { memoryBytes } from './memory-bytes.ts'
import type { MemoryCommands } from './memory-handlers.ts'

type Unfinished = UnfinishedBlob & { due: number; swept: boolean }

type BlobKind = 'hold_bytes' | 'release_bytes' | 'renew_holds' | 'settle_blobs' | 'take_overdue_blobs'

export function memoryStored(isKnown: (task: string) => boolean, now: () => number) {
  const stored = new Map<string, Map<string, number>>()
  const unfinished = new Map<string, Unfinished>()
  const nameOf = (task: string, blob: string) => JSON.stringify([task, blob])
  const renew = (task: string, blob: string) =>
    void unfinished.set(nameOf(task, blob), { task, blob, due: now() + UPLOAD_SILENCE_MS, swept: false })
  const { commands: rooms, queries, take, leave } = memoryBytes(isKnown)
  const forget = (task: string, blob: string) => {
    take(-(stored.get(task)?.get(blob) ?? 0), 0)
    stored.get(task)?.delete(blob)
  }
  const blobsOf = (task: string) => [...(stored.get(task)?.keys() ?? [])]
  const commands: MemoryCommands<BlobKind> = {
    hold_bytes({ task, blob, bytes, named = false, max }) {
      if (!isKnown(task)) return refuse({ code: 'task_not_found' })
      if (unfinished.get(nameOf(task, blob))?.swept === true) return refuse({ code: 'lease_lost' })
      const own = stored.get(task) ?? new Map<string, number>()
      const before = own.get(blob) ?? 0
      const taken = take(bytes - before, max, before)
      if (taken.ok) stored.set(task, own.set(blob, bytes))
      if (taken.ok && !named) renew(task, blob)
      return taken.ok ? ok(null) : taken
    },
    release_bytes({ task, blobs }) {
      for (const blob of blobs) forget(task, blob)
    },
    renew_holds({ task, blobs }) {
      if (!blobs.every((blob) => unfinished.get(nameOf(task, blob))?.swept === false)) return false
      for (const blob of blobs) renew(task, blob)
      return true
    },
    settle_blobs({ task, named, removed }) {
      for (const blob of [...named, ...removed]) unfinished.delete(nameOf(task, blob))
      for (const blob of removed) forget(task, blob)
    },
    take_overdue_blobs() {
      const overdue = [...unfinished.values()]
        .filter(({ due }) => due <= now())
        .sort((one, other) => one.due - other.due)
      return overdue.slice(0, SWEEP_BATCH).map(({ task, blob }) => {
        unfinished.set(nameOf(task, blob), { task, blob, due: now() + SWEEP_AGAIN_MS, swept: true })
        return { task, blob }
      })
    },
  }
  const drop = (task: string) => {
    for (const blob of blobsOf(task)) forget(task, blob)
    leave(task)
  }
  return { commands: { ...commands, ...rooms }, queries, blobsOf, drop }
}

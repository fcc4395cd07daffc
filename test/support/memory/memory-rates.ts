/** The request permits of a tenant's isolates, in memory. */
import { chunkPermits } from '../../../src/core/workspace/rate.ts'
import type { MemoryCommands } from './memory-handlers.ts'

export function memoryRates(): MemoryCommands<'take_permits'> {
  const taken = new Map<string, number>()
  return {
    take_permits({ name, minute, per_minute, used }) {
      const key = JSON.stringify([minute, name])
      const before = (taken.get(key) ?? 0) + used
      const permits = chunkPermits(per_minute, before)
      taken.set(key, before + permits)
      return permits
    },
  }
}

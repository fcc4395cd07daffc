/** Permits that a tenant's isolates have taken, in memory. */
import { chunkPermits, type RateMethods } from '../../../src/core/workspace/rate.ts'

export function memoryRates(): RateMethods {
  const taken = new Map<string, number>()
  return {
    takePermits({ name, minute, per_minute, used }) {
      const key = JSON.stringify([minute, name])
      const before = (taken.get(key) ?? 0) + used
      const permits = chunkPermits(per_minute, before)
      taken.set(key, before + permits)
      return permits
    },
  }
}

/** The built-in model with real tools in memory. */
import { expect } from 'vitest'
import type { Model } from '../../src/shell/ports.ts'
import { builtInTools } from '../../src/tools/index.ts'
import { EQUAL, replayOf, storedRows } from '../support/forks.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import { benchOf, filesOver, FREE, NO_RUNNERS, UNBOUNDED, type Bench } from '../support/scripted.ts'

export { ALL, createTask, say } from '../support/scripted.ts'

const NOW = Date.UTC(2026, 10, 24, 12, 0)
const search = { name: 'none', search: () => Promise.reject(new Error('no network in tests')) }

export function realBench(model: Model): Bench {
  const store = memoryStore(() => ({ now_ms: NOW, boot: 'boot', prices: FREE, daily: UNBOUNDED }))
  const tools = builtInTools(store, filesOver(store), search, 'UTC', NO_RUNNERS)
  const bench = benchOf({}, { store, tools, model })
  bench.clock.now = NOW
  return { ...bench, store }
}

export async function replayedEqual(bench: Bench, id: string): Promise<void> {
  expect(await replayOf(bench, id)).toEqual(EQUAL(storedRows(bench, id).last()?.seq ?? 0))
}

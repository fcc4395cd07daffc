/** When a task asks for its export: some time after a change, and once for the rows and the end of their run of work. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NOTHING_EXPORTED, owedIn, type ExportState } from '../../src/core/replay/export/export-page.ts'
import { exportTeller } from '../../src/store/task/export-teller.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A task whose rows close when the test says so; a job exports all of them, and the run if it has ended. */
function place() {
  const last = { seq: 0, head: { updated_at: Date.now() } }
  const task = { state: NOTHING_EXPORTED, is_under_way: false }
  const asked: number[] = []
  const begun = Date.now()
  const teller = exportTeller(
    (is_patient) => owedIn(task.state, last, { now_ms: Date.now(), is_under_way: task.is_under_way, is_patient }),
    async () => {
      asked.push(Date.now() - begun)
      const run = Date.now() - last.head.updated_at > 3_000 ? 0 : 1
      const cursor = { seq: last.seq, run, attempts: 0, due: 0 }
      const state: ExportState = { usage: last.seq, service: cursor, tenant: cursor }
      task.state = state
      teller.settled(true)
    },
  )
  const close = () => {
    last.seq += 1
    last.head.updated_at = Date.now()
    teller.changed()
  }
  return { task, asked, close }
}

describe('OTEL-06 a task asks for its export', () => {
  it('five seconds after a change, if it does nothing more', async () => {
    const { asked, close } = place()
    close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toEqual([5_000])
  })

  it('once for its rows and the end of their run, if the run ends soon', async () => {
    const { asked, close } = place()
    for (let step = 0; step < 4; step++) {
      close()
      await vi.advanceTimersByTimeAsync(1_000)
    }
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toEqual([6_001])
  })

  it('at the latest eight seconds after a change, if it goes on and on', async () => {
    const { asked, close } = place()
    for (let step = 0; step < 30; step++) {
      close()
      await vi.advanceTimersByTimeAsync(1_000)
    }
    const gaps = asked.map((at, index) => at - (asked[index - 1] ?? 0))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(8_001)
    expect(asked.length).toBeGreaterThanOrEqual(3)
    expect(asked.length).toBeLessThanOrEqual(6)
  })

  it('without waiting for an effect that is under way', async () => {
    const { task, asked, close } = place()
    close()
    await vi.advanceTimersByTimeAsync(4_000)
    close()
    task.is_under_way = true
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toEqual([5_000])
  })
})

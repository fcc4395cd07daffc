/** The ticks of a timing. */
import { SECOND_MS } from '../../core/terms/plain/durations.ts'
import type { Timing } from '../../core/workspace/schedules/schedule.ts'
import { intervalTicks, zonedTicks, type Ticks } from '../../core/workspace/schedules/ticks.ts'

export async function ticksOf(timing: Timing): Promise<Ticks> {
  if ('every_s' in timing) return intervalTicks(timing.every_s * SECOND_MS, timing.anchor_ms)
  const { cronTimes } = await import('./cron.ts')
  return zonedTicks(cronTimes(timing.cron), timing.timezone)
}

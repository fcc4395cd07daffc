/** Schedules of the built service: a tick makes its task without a request, also after a kill. */
import { afterEach, describe, expect, it } from 'vitest'
import type { ScheduleRunView, ScheduleView } from '../../src/core/shown/schedule-view.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import type { Service } from '../../scripts/lib/service.mjs'
import { call, newPlace, until, type Place } from './support.ts'

let place: Place
afterEach(() => place.leave())

const GOAL = 'add the todo "water the plants on {{scheduled_date}}"'
const runsOf = async (service: Service) =>
  ((await call(service, 'GET', '/schedules/plants/runs')) as { data: ScheduleRunView[] }).data

/** The runs, as soon as there is one that has become something. */
async function firstRuns(service: Service): Promise<ScheduleRunView[]> {
  for (const end = Date.now() + 90_000; Date.now() < end;) {
    const runs = await runsOf(service)
    if (runs.some(({ outcome }) => outcome !== 'pending')) return runs
    await new Promise((resolve) => void setTimeout(resolve, 500))
  }
  throw new Error('no tick has come')
}
const ended = ({ status }: TaskView) => status === 'completed' || status === 'failed'

describe('schedules of the built service', () => {
  it('U57 a tick makes one task, which is worked off, although the process was killed before it', async () => {
    place = newPlace()
    const first = await place.start()
    const schedule = (await call(first, 'PUT', '/schedules/plants', {
      cron: '* * * * *',
      timezone: 'Europe/Berlin',
      task: { goal: GOAL },
    })) as ScheduleView
    expect(schedule.next).toHaveLength(5)
    const asked = (await call(first, 'POST', '/schedules/plants/run', {})) as ScheduleRunView
    expect(asked).toMatchObject({ trigger: 'request', outcome: 'created' })
    expect(await until(first, asked.task_id ?? '', ended)).toMatchObject({
      status: 'completed',
      metadata: { schedule: 'plants' },
    })
    await call(first, 'DELETE', '/schedules/plants')
    await call(first, 'PUT', '/schedules/plants', { cron: '* * * * *', task: { goal: GOAL } })
    await first.kill()
    const second = await place.start()
    const [run] = await firstRuns(second)
    expect(run).toMatchObject({ trigger: 'tick', outcome: 'created', ticks: 1 })
    const task = await until(second, run?.task_id ?? '', ended)
    expect(task).toMatchObject({ status: 'completed', drive: 'background', metadata: { scheduled_at: run?.at } })
    expect(task.goal).toBe(GOAL.replace('{{scheduled_date}}', run?.at.slice(0, 10) ?? ''))
    // The second tick may have come meanwhile, and each has its own task.
    const tasks = (await call(second, 'GET', `/tasks?metadata.scheduled_at=${run?.at}`)) as { data: TaskView[] }
    expect(tasks.data.map(({ id }) => id)).toEqual([run?.task_id])
  }, 150_000)
})

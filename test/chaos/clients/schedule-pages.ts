/** The runs of a schedule, page by page. */
import * as z from 'zod'
import { ScheduleRunView } from '../../../src/core/shown/schedule-view.ts'
import { get, type Bench } from '../ask.ts'
import { PLANNED } from './clients.ts'

const RunsPage = z.object({ data: z.array(ScheduleRunView), next_cursor: z.string().nullable() })
const LIMIT = 40

/** null: the schedule is gone. */
export async function runsPage(bench: Bench, name: string, after: string) {
  const cursor = after === '' ? '' : `&after=${after}`
  const json = await get(bench, PLANNED, `/schedules/${name}/runs?limit=${LIMIT}${cursor}`)
  return json === null ? null : RunsPage.parse(json)
}

/** Newest first. */
export async function allRuns(bench: Bench, name: string): Promise<ScheduleRunView[]> {
  const found: ScheduleRunView[] = []
  for (let after: string | null = ''; after !== null;) {
    const page: z.infer<typeof RunsPage> | null = await runsPage(bench, name, after)
    found.push(...(page?.data ?? []))
    after = page?.next_cursor ?? null
  }
  return found
}

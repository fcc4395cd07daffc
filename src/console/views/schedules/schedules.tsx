/** The schedules of the tenant by name, and one of them. */
import { get } from '../../api/request.ts'
import type { ScheduleView } from '../../api/wire.ts'
import { CopyCurl } from '../../parts/copy.tsx'
import { Pager, useList } from '../../parts/list-frame.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { StatusMark } from '../../parts/status.tsx'
import { TableHead } from '../../parts/table-head.tsx'
import { Time } from '../../parts/time/time.tsx'
import '../../parts/stacked-table.css'
import { fragmentOf } from '../../route.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useTitle } from '../../state/use-title.ts'
import { TaskLink } from './runs.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { SchedulePage } from './schedule-page.tsx'
import { useTiming } from './timing.ts'

const WORDS = wordTable({
  title: ['Schedules', '定时任务'],
  what: [
    'A schedule makes a task by itself, at the times of a cron expression or at equal distances.',
    '定时任务会在 cron 表达式的时间或按相同间隔自动创建任务。',
  ],
  list: ['this list', '此列表'],
  loading: ['Reading …', '正在读取……'],
  none: ['There is no schedule yet.', '还没有定时任务。'],
  name: ['Name', '名称'],
  timing: ['Timing', '时间'],
  zone: ['Zone', '时区'],
  next: ['Next tick', '下次触发'],
  state: ['State', '状态'],
  run: ['Newest run', '最近运行'],
})
/** A tick changes an entry without a request of this page. */
const READ_AGAIN_MS = 5_000

export function SchedulesView({ name }: { name: string | undefined }) {
  return name === undefined ? <ScheduleList /> : <SchedulePage key={name} name={name} />
}

function ScheduleList() {
  const words = useWords(WORDS)
  useTitle(words.title)
  const { value, problem, refresh, path, after, turn, place } = useList<ScheduleView>('/schedules', '', READ_AGAIN_MS)
  const entries = value?.data ?? []
  return (
    <div class="stack" ref={place} tabIndex={-1}>
      <div class="row">
        <h1>{words.title}</h1>
        <CopyCurl request={get(path)} of={words.list} />
      </div>
      <p class="soft">{words.what}</p>
      <ProblemNote problem={problem} />
      {value === null && problem === null && <p class="soft">{words.loading}</p>}
      {value !== null && entries.length === 0 && <p class="card">{words.none}</p>}
      {entries.length > 0 && <Table entries={entries} />}
      <Pager
        isByName
        after={after}
        next={value?.next_cursor ?? null}
        onTurn={(next) => {
          turn({ status: '', after: next })
          place.current?.focus()
        }}
      />
      <ScheduleForm of={null} onDone={refresh} />
    </div>
  )
}

function Table({ entries }: { entries: ScheduleView[] }) {
  const words = useWords(WORDS)
  const timing = useTiming()
  return (
    <table class="stacked card">
      <TableHead columns={[words.name, words.timing, words.zone, words.next, words.state, words.run]} />
      <tbody>
        {entries.map((schedule) => (
          <tr key={schedule.name}>
            <td>
              <a href={fragmentOf({ view: 'schedules', name: schedule.name })}>{schedule.name}</a>
            </td>
            <td>
              <code>{timing(schedule)}</code>
            </td>
            <td>{schedule.timezone}</td>
            <td>{schedule.next[0] === undefined ? '–' : <Time at={schedule.next[0]} />}</td>
            <td>
              <StatusMark of={schedule.paused ? 'paused' : 'active'} />
            </td>
            <td>
              <NewestRun of={schedule.last_run} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function NewestRun({ of }: { of: ScheduleView['last_run'] }) {
  if (of === null) return '–'
  return (
    <>
      <StatusMark of={of.outcome} /> <Time at={of.at} /> <TaskLink id={of.task_id} />
    </>
  )
}

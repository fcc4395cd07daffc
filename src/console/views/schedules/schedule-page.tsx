/** One schedule: its next ticks, its task and its runs, with what a person can do to it. */
import { useState } from 'preact/hooks'
import { post, type ApiRequest } from '../../api/request.ts'
import type { ScheduleRunView, ScheduleView } from '../../api/wire.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Fact, Facts } from '../../parts/entry/facts.tsx'
import { Fold } from '../../parts/fold.tsx'
import { JsonText } from '../../parts/entry/json-text.tsx'
import { useList } from '../../parts/list-frame.tsx'
import { ActionNote } from '../../parts/problem/action-note.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { RequestButton } from '../../parts/request-button.tsx'
import { StatusMark } from '../../parts/status.tsx'
import { Time } from '../../parts/time/time.tsx'
import { drafts } from '../../state/drafts.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useAction } from '../../state/use-action.ts'
import { useResource } from '../../state/use-resource.ts'
import { go } from '../../state/use-route.ts'
import { useTitle } from '../../state/use-title.ts'
import { Runs, TaskLink } from './runs.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { useTiming } from './timing.ts'

const WORDS = wordTable({
  loading: ['Reading …', '正在读取……'],
  timing: ['Timing', '时间'],
  zone: ['Zone', '时区'],
  overlap: ['Overlap', '重叠时'],
  put: ['Last changed', '最近修改'],
  next: ['Next ticks', '接下来的触发'],
  noNext: ['none', '无'],
  waiting: ['Waiting ticks', '等待中的触发'],
  task: ['Task of each run', '每次运行的任务'],
  copy: ['Copy the JSON', '复制 JSON'],
  pause: ['Pause', '暂停'],
  resume: ['Resume', '继续'],
  run: ['Run now', '立即运行'],
  made: ['The run has the task', '本次运行的任务：'],
  change: ['Change the schedule', '修改定时任务'],
  remove: ['Delete', '删除'],
  removeOf: [(name: string) => `Delete ${name}`, (name) => `删除 ${name}`],
  sure: [
    'It and the list of its runs are gone then. Its tasks stay.',
    '它和它的运行记录都会被删除，已创建的任务会保留。',
  ],
})
const READ_AGAIN_MS = 5_000
const pathOf = (name: string, part = '') => `/schedules/${encodeURIComponent(name)}${part}`

export function SchedulePage({ name }: { name: string }) {
  const words = useWords(WORDS)
  useTitle(name)
  const { value, problem, refresh } = useResource<ScheduleView>(pathOf(name), READ_AGAIN_MS)
  const runs = useList<ScheduleRunView>(pathOf(name, '/runs'), '', READ_AGAIN_MS)
  const readAgain = () => {
    refresh()
    runs.refresh()
  }
  return (
    <div class="stack">
      <h1>{name}</h1>
      <ProblemNote problem={problem} />
      {value === null && problem === null && <p class="soft">{words.loading}</p>}
      {value !== null && (
        <>
          <ScheduleFacts schedule={value} />
          <Actions schedule={value} onDone={readAgain} />
          <Runs list={runs} />
          <JsonText title={words.task} copy={words.copy} value={value.task} />
          <Fold title={words.change} kind="card">
            {() => <ScheduleForm of={value} onDone={readAgain} />}
          </Fold>
        </>
      )}
    </div>
  )
}

function ScheduleFacts({ schedule }: { schedule: ScheduleView }) {
  const words = useWords(WORDS)
  const timing = useTiming()
  return (
    <>
      <div>
        <StatusMark of={schedule.paused ? 'paused' : 'active'} />
      </div>
      <Facts>
        <Fact name={words.timing}>
          <code>{timing(schedule)}</code>
        </Fact>
        <Fact name={words.zone}>{schedule.timezone}</Fact>
        <Fact name={words.overlap}>
          <code>{schedule.overlap}</code>
        </Fact>
        <Fact name={words.put}>
          <Time at={schedule.updated_at} />
        </Fact>
        <Fact name={words.next}>
          <Ticks of={schedule.next} />
        </Fact>
        {schedule.waiting.length > 0 && (
          <Fact name={words.waiting}>
            <Ticks of={schedule.waiting} />
          </Fact>
        )}
      </Facts>
    </>
  )
}

function Ticks({ of }: { of: string[] }) {
  const words = useWords(WORDS)
  if (of.length === 0) return <>{words.noNext}</>
  return of.map((at, index) => (
    <span key={at}>
      {index === 0 ? '' : ' · '}
      <Time at={at} />
    </span>
  ))
}

function Actions({ schedule: { name, paused }, onDone }: { schedule: ScheduleView; onDone: () => void }) {
  const words = useWords(WORDS)
  const [turn, run] = [useAction(), useAction()]
  const [made, setMade] = useState<ScheduleRunView | null>(null)
  const [isRemoving, setRemoving] = useState(false)
  const turning = post(pathOf(name, paused ? '/resume' : '/pause'))
  const running = post(pathOf(name, '/run'))
  const runNow = async () => {
    setMade(null)
    const answer = await run.run<ScheduleRunView>(running)
    if (answer?.ok === true) setMade(answer.value)
    onDone()
  }
  return (
    <>
      <div class="row">
        <RequestButton
          text={paused ? words.resume : words.pause}
          busy={turn.busy}
          request={turning}
          onClick={() => void turn.run(turning).then(onDone)}
        />
        <RequestButton text={words.run} busy={run.busy} request={running} onClick={() => void runNow()} />
        <Button kind="danger" label={words.removeOf(name)} onClick={() => setRemoving(true)}>
          {words.remove}
        </Button>
        <output class="small">
          {made !== null && made.task_id !== null && (
            <>
              {words.made} <TaskLink id={made.task_id} />
            </>
          )}
        </output>
      </div>
      <ActionNote of={turn} />
      <ActionNote of={run} />
      {isRemoving && <Removal name={name} close={() => setRemoving(false)} />}
    </>
  )
}

function Removal({ name, close }: { name: string; close: () => void }) {
  const words = useWords(WORDS)
  const action = useAction()
  const request: ApiRequest = { method: 'DELETE', path: pathOf(name) }
  const onDone = () => {
    // Nobody could come back to a change of it.
    drafts.drop(`schedule:${name}`)
    go({ view: 'schedules' })
  }
  return <Confirm title={words.removeOf(name)} text={words.sure} {...{ request, action, onDone, close }} />
}

/** One slice by hand, or one after the other until the task waits. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { taskPath, post } from '../../../api/request.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { ActionNote } from '../../../parts/problem/action-note.tsx'
import { useWords } from '../../../state/preferences.tsx'
import { useTask, useTaskAction, type TaskAction } from '../task-context.tsx'
import { useFocusOnward } from '../focus-onward.ts'
import { stepUntilWaiting } from './step-until-waiting.ts'

const WORDS = {
  en: {
    rounds: 'Rounds',
    step: 'Step',
    run: 'Run until it waits',
    stop: 'Stop',
    running: 'Running. It stops after the request that is under way.',
    stopping: 'Stopping after the request that is under way …',
    later: (seconds: number) => `The model wants a pause: a step before ${seconds} s are over does nothing.`,
  },
  zh: {
    rounds: '轮数',
    step: '推进',
    run: '运行直到需要等待',
    stop: '停止',
    running: '正在运行。停止会在当前请求结束后生效。',
    stopping: '当前请求结束后停止……',
    later: (seconds: number) => `模型要求稍候：${seconds} 秒内推进不会有任何动作。`,
  },
}
const ROUNDS_MAX = 50
const RUN_ROUNDS = 10

/** It stays while it runs, so that its Stop does not go away with a status in between. */
export function StepControls({ offered }: { offered: boolean }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const action = useTaskAction()
  const [rounds, set] = useState(1)
  const runner = useRunner(task.id, action)
  const step = post(taskPath(task.id, 'step'), { rounds })
  // It may be over only after the task is: then its Stop goes last.
  useFocusOnward(`${offered} ${runner.state}`)
  if (!offered && runner.state === 'idle') return <ActionNote of={action} />
  const isIdle = runner.state === 'idle'
  return (
    <div class="stack">
      <div class="row">
        <label class="controls-rounds">
          <span>{words.rounds}</span>
          <input
            type="number"
            min={1}
            max={ROUNDS_MAX}
            value={rounds}
            onChange={({ currentTarget: { valueAsNumber: wanted } }) =>
              set(Number.isInteger(wanted) ? Math.min(Math.max(wanted, 1), ROUNDS_MAX) : 1)
            }
          />
        </label>
        <Button kind="main" disabled={!isIdle} busy={isIdle && action.busy} onClick={() => void action.run(step)}>
          {words.step}
        </Button>
        <CopyCurl request={step} of={words.step} />
        <Button busy={runner.state === 'stopping'} onClick={isIdle ? runner.start : runner.stop}>
          {isIdle ? words.run : words.stop}
        </Button>
        <CopyCurl request={runner.request} of={words.run} />
      </div>
      <output class="soft small">
        {runner.state === 'idle' ? '' : runner.state === 'running' ? words.running : words.stopping}
        {isIdle && task.retry_after_ms !== null && words.later(Math.ceil(task.retry_after_ms / 1_000))}
      </output>
      <ActionNote of={action} />
    </div>
  )
}

function useRunner(id: string, action: TaskAction) {
  const [state, set] = useState<'idle' | 'running' | 'stopping'>('idle')
  const stopped = useRef(true)
  const wake = useRef<() => void>(() => undefined)
  const halt = () => {
    stopped.current = true
    wake.current()
  }
  // Who leaves the page leaves the repetition.
  useEffect(() => halt, [])
  const request = post(taskPath(id, 'step'), { rounds: RUN_ROUNDS })
  const start = async () => {
    if (action.busy) return
    stopped.current = false
    set('running')
    await stepUntilWaiting({
      step: () => action.run(request),
      stopped: () => stopped.current,
      wait: (ms) =>
        new Promise((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake.current = () => {
            clearTimeout(timer)
            resolve()
          }
        }),
    })
    stopped.current = true
    set('idle')
  }
  const stop = () => {
    set('stopping')
    halt()
  }
  return { state, request, start: () => void start(), stop }
}

/** The buttons that run one slice, or one slice after the other until the task waits. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { taskPath, post } from '../../../api/request.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { ActionNote } from '../../../parts/problem/action-note.tsx'
import { RequestButton } from '../../../parts/request-button.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { useTask, useTaskAction, type TaskAction } from '../task-context.tsx'
import { useFocusOnward } from '../focus-onward.ts'
import { stepUntilWaiting } from './step-until-waiting.ts'

const WORDS = wordTable({
  rounds: ['Rounds', '轮数'],
  step: ['Step', '推进'],
  run: ['Run until it waits', '运行直到需要等待'],
  stop: ['Stop', '停止'],
  running: ['Running. It stops after the request that is under way.', '正在运行。停止会在当前请求结束后生效。'],
  stopping: ['Stopping after the request that is under way …', '当前请求结束后停止……'],
  later: [
    (seconds: number) => `The model wants a pause: a step before ${seconds} s are over does nothing.`,
    (seconds) => `模型要求稍候：${seconds} 秒内推进不会有任何动作。`,
  ],
})
const ROUNDS_MAX = 50
const RUN_ROUNDS = 10

/** The controls stay during a run, so that a status in between does not remove its stop button. */
export function StepControls({ isOffered }: { isOffered: boolean }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const action = useTaskAction()
  const [rounds, setRounds] = useState(1)
  const runner = useRunner(task.id, action)
  const step = post(taskPath(task.id, 'step'), { rounds })
  // A run may end after the task, and its stop button is then the last to disappear.
  useFocusOnward(`${isOffered} ${runner.state}`)
  if (!isOffered && runner.state === 'idle') return <ActionNote of={action} />
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
            onChange={({ currentTarget: { valueAsNumber: entered } }) =>
              setRounds(Number.isInteger(entered) ? Math.min(Math.max(entered, 1), ROUNDS_MAX) : 1)
            }
          />
        </label>
        <RequestButton
          kind="main"
          text={words.step}
          disabled={!isIdle}
          busy={isIdle && action.busy}
          request={step}
          onClick={() => void action.run(step)}
        />
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
  const [state, setState] = useState<'idle' | 'running' | 'stopping'>('idle')
  const isStopped = useRef(true)
  const wake = useRef<() => void>(() => undefined)
  const halt = () => {
    isStopped.current = true
    wake.current()
  }
  // Leaving the view ends the run.
  useEffect(() => halt, [])
  const request = post(taskPath(id, 'step'), { rounds: RUN_ROUNDS })
  const start = async () => {
    if (action.busy) return
    isStopped.current = false
    setState('running')
    await stepUntilWaiting({
      step: () => action.run(request),
      isStopped: () => isStopped.current,
      wait: (ms) =>
        new Promise((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake.current = () => {
            clearTimeout(timer)
            resolve()
          }
        }),
    })
    isStopped.current = true
    setState('idle')
  }
  const stop = () => {
    setState('stopping')
    halt()
  }
  return { state, request, start: () => void start(), stop }
}

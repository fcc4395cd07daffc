/** The state of the connection to the task. Without a connection it says from when the shown task is. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { mayReopen } from '../../api/live-state.ts'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { Time } from '../../parts/time/time.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useTask } from './task-context.tsx'

const WORDS = wordTable({
  live: ['live', '实时'],
  connecting: ['connecting …', '正在连接……'],
  lost: ['connection lost; what you see is from', '连接已断开，所见内容截至'],
  limited: ['too many requests; what you see is from', '请求过于频繁，所见内容截至'],
  again: [', trying again', '，正在重试'],
  ended: ['ended: nothing more will come', '已结束，不再有更新'],
  rest: ['this run has ended; a next one will be shown', '本轮已结束；如有新的一轮会显示出来'],
  asleep: ['asleep while hidden', '页面隐藏时暂停更新'],
})
const nowText = () => new Date().toISOString()

export function ConnectionNote() {
  const words = useWords(WORDS)
  const live = useTask()
  const { connection, problem } = live
  const lastContact = useLastContact()
  const isLimited = connection === 'lost' && problem?.code === 'rate_limited'
  // The task is gone, or this key cannot read it any more. The page shows its last state.
  if (connection === 'ended' && problem !== null) return <ProblemNote problem={problem} />
  return (
    <output class={`task-connection small ${connection}`}>
      {mayReopen(live) ? words.rest : isLimited ? words.limited : words[connection]}
      {connection === 'lost' && (
        <>
          {' '}
          <Time at={lastContact} seconds />
          {words.again}
        </>
      )}
    </output>
  )
}

/** Returns the time of the last answer, or of the end of the live connection. */
function useLastContact(): string {
  const { task, events, connection } = useTask()
  const [time, setTime] = useState(nowText)
  const before = useRef(connection)
  useEffect(() => setTime(nowText()), [task, events])
  useEffect(() => {
    if (before.current === 'live') setTime(nowText())
    before.current = connection
  }, [connection])
  return time
}

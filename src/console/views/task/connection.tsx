/** Whether the page is in touch with the task, and of when what it shows is when it is not. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { mayReopen } from '../../api/live-state.ts'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { Time } from '../../parts/time/time.tsx'
import { useWords } from '../../state/preferences.tsx'
import { useTask } from './task-context.tsx'

const WORDS = {
  en: {
    live: 'live',
    connecting: 'connecting …',
    lost: 'connection lost; what you see is from',
    limited: 'too many requests; what you see is from',
    again: ', trying again',
    ended: 'ended: nothing more will come',
    rest: 'this run has ended; a next one will be shown',
    asleep: 'asleep while hidden',
  },
  zh: {
    live: '实时',
    connecting: '正在连接……',
    lost: '连接已断开，所见内容截至',
    limited: '请求过于频繁，所见内容截至',
    again: '，正在重试',
    ended: '已结束，不再有更新',
    rest: '本轮已结束；如有新的一轮会显示出来',
    asleep: '页面隐藏时暂停更新',
  },
}
const nowText = () => new Date().toISOString()

export function ConnectionNote() {
  const words = useWords(WORDS)
  const live = useTask()
  const { connection, problem } = live
  const seen = useLastSeen()
  const isLimited = connection === 'lost' && problem?.code === 'rate_limited'
  // Gone, or not for this key any more: what is shown is the last that was known.
  if (connection === 'ended' && problem !== null) return <ProblemNote problem={problem} />
  return (
    <output class={`task-connection small ${connection}`}>
      {mayReopen(live) ? words.rest : isLimited ? words.limited : words[connection]}
      {connection === 'lost' && (
        <>
          {' '}
          <Time at={seen} seconds />
          {words.again}
        </>
      )}
    </output>
  )
}

/** Until when it was known that the task is as it is shown: the last answer, or the end of the live connection. */
function useLastSeen(): string {
  const { task, events, connection } = useTask()
  const [seen, see] = useState(nowText)
  const before = useRef(connection)
  useEffect(() => see(nowText()), [task, events])
  useEffect(() => {
    if (before.current === 'live') see(nowText())
    before.current = connection
  }, [connection])
  return seen
}

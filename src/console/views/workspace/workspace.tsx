/** The todos and the calendar of the workspace. The view uses slash commands only. */
import { useState } from 'preact/hooks'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useTitle } from '../../state/use-title.ts'
import { CommandLine } from './command-line.tsx'
import { Schedule } from './schedule.tsx'
import { Subscription } from './subscription.tsx'
import { Todos } from './todos.tsx'
import './workspace.css'

const WORDS = wordTable({
  title: ['Todos & calendar', '待办与日程'],
  zone: [
    'All times here are of the clock of the workspace (TIMEZONE of the service), not of this browser.',
    '此处的时间均为工作区时区（服务的 TIMEZONE 设置），而非浏览器所在时区。',
  ],
})

export function WorkspaceView() {
  const words = useWords(WORDS)
  useTitle(words.title)
  // Any command may change any list, so both are read again after each one.
  const [version, setVersion] = useState(0)
  const readAgain = () => setVersion((before) => before + 1)
  return (
    <div class="stack">
      <div>
        <h1>{words.title}</h1>
        <p class="soft small">{words.zone}</p>
      </div>
      <div class="desk">
        <Todos version={version} onChanged={readAgain} />
        <Schedule version={version} onChanged={readAgain} />
      </div>
      <CommandLine onChanged={readAgain} />
      <Subscription />
    </div>
  )
}

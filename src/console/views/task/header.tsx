/** The head of a task: goal, status, mode and connection. The title of the document shows status and goal in a background tab. */
import { useState } from 'preact/hooks'
import type { TaskView } from '../../api/wire.ts'
import { Copy } from '../../parts/copy.tsx'
import { Fact, Facts } from '../../parts/entry/facts.tsx'
import { StatusMark, useStatusWord } from '../../parts/status.tsx'
import { Time } from '../../parts/time/time.tsx'
import { fragmentOf } from '../../route.ts'
import { usePreferences, useWords, wordTable } from '../../state/preferences.tsx'
import { useTitle } from '../../state/use-title.ts'
import { ConnectionNote } from './connection.tsx'
import { stopReasonText } from '../../parts/stop-reasons.ts'
import { useTask } from './task-context.tsx'
import './header.css'

const WORDS = wordTable({
  mode: ['Mode', '模式'],
  drive: ['Drive', '驱动'],
  manual: ['by requests', '由请求推进'],
  background: ['by the service', '由服务推进'],
  id: ['Id', '编号'],
  copyId: ['Copy the id', '复制编号'],
  created: ['Created', '创建于'],
  updated: ['Updated', '更新于'],
  title: ['Title', '标题'],
  callback: ['Callback', '回调地址'],
  agent: ['Agent', '智能体'],
  forkOf: ['Fork of', '分叉自'],
  afterRow: [(row: number) => `after row ${row}`, (row) => `第 ${row} 行之后`],
  more: ['Show all of the goal', '显示完整目标'],
  less: ['Show less', '收起'],
})

export function Header() {
  const { task } = useTask()
  const { locale } = usePreferences()
  useTaskTitle(task)
  return (
    <header class="task-header stack">
      <Goal goal={task.goal} lang={task.locale} />
      <div class="row">
        <StatusMark of={task.status} />
        {task.stop_reason !== null && <span>{stopReasonText(task.stop_reason, locale)}</span>}
        <span class="push">
          <ConnectionNote />
        </span>
      </div>
      <TaskFacts />
    </header>
  )
}

const SHOWN_CHARS = 240
const SHOWN_LINES = 4

function Goal({ goal, lang }: { goal: string; lang: string }) {
  const words = useWords(WORDS)
  const [isOpen, setOpen] = useState(false)
  const isLong = goal.length > SHOWN_CHARS || goal.split('\n').length > SHOWN_LINES
  return (
    <div>
      <h1 lang={lang} class={`said ${isLong && !isOpen ? 'task-goal-folded' : ''}`}>
        {goal}
      </h1>
      {isLong && (
        <button class="task-goal-more" type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? words.less : words.more}
        </button>
      )}
    </div>
  )
}

function TaskFacts() {
  const words = useWords(WORDS)
  const { task } = useTask()
  return (
    <Facts>
      {task.title !== null && <Fact name={words.title}>{task.title}</Fact>}
      <Fact name={words.mode}>{task.mode}</Fact>
      <Fact name={words.drive}>{words[task.drive]}</Fact>
      <Fact name={words.created}>
        <Time at={task.created_at} />
      </Fact>
      <Fact name={words.updated}>
        <Time at={task.updated_at} seconds />
      </Fact>
      <Fact name={words.id}>
        <Copy text={task.id} label={words.copyId}>
          {task.id}
        </Copy>
      </Fact>
      {task.callback_url !== null && (
        <Fact name={words.callback}>
          <code>{task.callback_url}</code>
        </Fact>
      )}
      {task.agent !== null && (
        <Fact name={words.agent}>
          <a href={fragmentOf({ view: 'agents', name: refOf(task.agent) })}>{refOf(task.agent)}</a>
        </Fact>
      )}
      {task.forked_from !== null && (
        <Fact name={words.forkOf}>
          <a href={fragmentOf({ view: 'task', id: task.forked_from.id, tab: 'journal' })}>{task.forked_from.id}</a>{' '}
          {words.afterRow(task.forked_from.at)}
        </Fact>
      )}
      {Object.entries(task.metadata).map(([name, value]) => (
        <Fact key={name} name={name}>
          {name === 'schedule' ? <a href={fragmentOf({ view: 'schedules', name: value })}>{value}</a> : value}
        </Fact>
      ))}
    </Facts>
  )
}

const refOf = ({ name, version }: NonNullable<TaskView['agent']>) => `${name}@${version}`

const TITLE_CHARS = 80

function useTaskTitle({ status, goal }: TaskView): void {
  const word = useStatusWord()(status)
  const [line = ''] = goal.split('\n', 1)
  useTitle(`${word} · ${line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS)}…` : line}`)
}

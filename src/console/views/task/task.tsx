/** One task: what it is at the top, what it waits for below that, then its plan and its budget beside one of four tabs. */
import { Guard } from '../../parts/guard.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { TABS, fragmentOf, type Tab } from '../../route.ts'
import { useWords } from '../../state/preferences.tsx'
import { useLiveTask } from '../../state/use-live-task.ts'
import { Activity } from './activity/activity.tsx'
import { Budget } from './budget/budget.tsx'
import { Controls } from './controls/controls.tsx'
import { Files } from './files/files.tsx'
import { Gone } from './gone.tsx'
import { Header } from './header.tsx'
import { Journal } from './journal/journal.tsx'
import { JournalProvider } from './journal/use-journal.tsx'
import { Outcome } from './outcome/outcome.tsx'
import { Waiting } from './waiting/waiting.tsx'
import { Plan } from './plan/plan.tsx'
import { Raw } from './raw.tsx'
import { TaskProvider, useTask } from './task-context.tsx'
import './task.css'

const WORDS = {
  en: {
    loading: 'Reading the task …',
    tabs: 'Parts of the task',
    activity: 'Activity',
    journal: 'Journal',
    files: 'Files',
    raw: 'JSON',
  },
  zh: {
    loading: '正在读取任务……',
    tabs: '任务的各部分',
    activity: '动态',
    journal: '日志',
    files: '文件',
    raw: 'JSON',
  },
}
const VIEWS: Record<Tab, () => preact.JSX.Element> = { activity: Activity, journal: Journal, files: Files, raw: Raw }

const HEAD = [Header, Waiting, Outcome, Controls]
const SIDE = [Plan, Budget]

export function TaskPage({ id, tab }: { id: string; tab: Tab }) {
  const words = useWords(WORDS)
  const live = useLiveTask(id)
  const { task, problem } = live
  if (task === null) return problem === null ? <p>{words.loading}</p> : <ProblemNote problem={problem} />
  if (problem?.status === 404) return <Gone task={task} problem={problem} />
  const View = VIEWS[tab]
  return (
    <TaskProvider shown={{ ...live, task }}>
      <JournalProvider>
        <div class="task">
          <Parts of={HEAD} kind="task-head" />
          <Parts of={SIDE} kind="task-side" />
          <div class="task-body stack">
            <nav class="tabs" aria-label={words.tabs}>
              {TABS.map((name) => (
                <a
                  key={name}
                  href={fragmentOf({ view: 'task', id, tab: name })}
                  aria-current={name === tab ? 'page' : undefined}
                >
                  {words[name]}
                </a>
              ))}
            </nav>
            <Guard of={`${tab} ${task.version}`}>
              <View />
            </Guard>
          </div>
        </div>
      </JournalProvider>
    </TaskProvider>
  )
}

/** One that cannot be drawn is tried again with the next version. */
function Parts({ of, kind }: { of: readonly (() => preact.JSX.Element | null)[]; kind: string }) {
  const { version } = useTask().task
  return (
    <div class={`${kind} stack`}>
      {of.map((Part, at) => (
        <Guard key={at} of={version}>
          <Part />
        </Guard>
      ))}
    </div>
  )
}

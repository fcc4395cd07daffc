/** The page of a task: its head and its open request first, then plan and budget beside one of four tabs. */
import { ErrorBoundary } from '../../parts/problem/error-boundary.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { TASK_TABS, fragmentOf, type TaskTab } from '../../route.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useLiveTask } from '../../state/use-live-task.ts'
import { Activity } from './activity/activity.tsx'
import { BudgetCard } from './budget/budget.tsx'
import { Controls } from './controls/controls.tsx'
import { FilesTab } from './files/files.tsx'
import { DeletedTask } from './deleted-task.tsx'
import { Header } from './header.tsx'
import { Journal } from './journal/journal.tsx'
import { JournalProvider } from './journal/use-journal.tsx'
import { TaskOutcome } from './outcome/outcome.tsx'
import { WaitingCard } from './waiting/waiting.tsx'
import { PlanCard } from './plan/plan.tsx'
import { TaskProvider, useTask } from './task-context.tsx'
import { ToolsTab } from './task-tools.tsx'
import './task.css'
import { get, taskPath } from '../../api/request.ts'
import { Copy, CopyCurl } from '../../parts/copy.tsx'

const WORDS = wordTable({
  loading: ['Reading the task …', '正在读取任务……'],
  tabs: ['Parts of the task', '任务的各部分'],
  activity: ['Activity', '动态'],
  journal: ['Journal', '日志'],
  tools: ['Tools', '工具'],
  files: ['Files', '文件'],
  raw: ['JSON', 'JSON'],
})
const VIEWS: Record<TaskTab, () => preact.JSX.Element> = {
  activity: Activity,
  journal: Journal,
  tools: ToolsTab,
  files: FilesTab,
  raw: TaskJson,
}

const HEAD = [Header, WaitingCard, TaskOutcome, Controls]
const SIDE = [PlanCard, BudgetCard]

export function TaskPage({ id, tab }: { id: string; tab: TaskTab }) {
  const words = useWords(WORDS)
  const live = useLiveTask(id)
  const { task, problem } = live
  if (task === null) return problem === null ? <p>{words.loading}</p> : <ProblemNote problem={problem} />
  if (problem?.status === 404) return <DeletedTask task={task} problem={problem} />
  const View = VIEWS[tab]
  return (
    <TaskProvider task={{ ...live, task }}>
      <JournalProvider>
        <div class="task">
          <Parts of={HEAD} kind="task-head" />
          <Parts of={SIDE} kind="task-side" />
          <div class="task-body stack">
            <nav class="tabs" aria-label={words.tabs}>
              {TASK_TABS.map((name) => (
                <a
                  key={name}
                  href={fragmentOf({ view: 'task', id, tab: name })}
                  aria-current={name === tab ? 'page' : undefined}
                >
                  {words[name]}
                </a>
              ))}
            </nav>
            <ErrorBoundary of={`${tab} ${task.version}`}>
              <View />
            </ErrorBoundary>
          </div>
        </div>
      </JournalProvider>
    </TaskProvider>
  )
}

/** A part that cannot be drawn is drawn again with the next version of the task. */
function Parts({ of, kind }: { of: readonly (() => preact.JSX.Element | null)[]; kind: string }) {
  const { version } = useTask().task
  return (
    <div class={`${kind} stack`}>
      {of.map((Part, at) => (
        <ErrorBoundary key={at} of={version}>
          <Part />
        </ErrorBoundary>
      ))}
    </div>
  )
}

const JSON_WORDS = wordTable({
  read: ['Read the task', '读取任务'],
  copy: ['Copy the JSON', '复制 JSON'],
  json: ['The task as JSON', '任务的 JSON'],
})

/** The task as JSON, with the curl line that reads it. */
function TaskJson() {
  const words = useWords(JSON_WORDS)
  const { task } = useTask()
  const text = JSON.stringify(task, null, 2)
  return (
    <section class="stack" aria-label={words.json}>
      <div class="row">
        <Copy text={text}>{words.copy}</Copy>
        <CopyCurl request={get(taskPath(task.id))} of={words.read} />
      </div>
      <pre>{text}</pre>
    </section>
  )
}

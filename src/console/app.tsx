/** The frame of the page: the navigation, and the view of the current address or the sign-in. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { fragmentOf, VIEWS, type PageRoute } from './route.ts'
import { PreferencesProvider, useWords, wordTable } from './state/preferences.tsx'
import { drafts } from './state/drafts.ts'
import { SessionProvider, useSession } from './state/session.tsx'
import { useRoute } from './state/use-route.ts'
import { DelegationsView } from './views/delegations/delegations.tsx'
import { DeliveriesView } from './views/deliveries/deliveries.tsx'
import { ToolsView } from './views/tools/tools.tsx'
import { AgentsView } from './views/agents/agents.tsx'
import { SchedulesView } from './views/schedules/schedules.tsx'
import { SecretsView } from './views/secrets/secrets.tsx'
import { WorkspaceView } from './views/workspace/workspace.tsx'
import { SignInView } from './views/sign-in/sign-in.tsx'
import { NewTaskView } from './views/new/new-task.tsx'
import { TaskPage } from './views/task/task.tsx'
import { TasksView } from './views/tasks/tasks.tsx'
import { Preferences } from './parts/preferences.tsx'
import { Button } from './parts/button.tsx'
import { Dialog } from './parts/dialog.tsx'
import { ErrorBoundary } from './parts/problem/error-boundary.tsx'
import './app.css'

const WORDS = wordTable({
  skip: ['Skip to the content', '跳到正文'],
  views: ['Views', '视图'],
  tasks: ['Tasks', '任务'],
  new: ['New task', '新任务'],
  schedules: ['Schedules', '定时任务'],
  agents: ['Agents', '智能体'],
  desk: ['Todos & calendar', '待办与日程'],
  deliveries: ['Deliveries', '回调投递'],
  delegations: ['Delegations', '外部委派'],
  tools: ['Tools', '工具'],
  secrets: ['Secrets', '密钥'],
  leave: ['Forget the key', '忘记密钥'],
  signOut: ['Sign out', '退出登录'],
  unsent: [
    'What you have typed and not sent is forgotten with it, and files that are not there yet.',
    '您已输入但尚未发送的内容和尚未传完的文件会一并丢弃。',
  ],
  stay: ['Stay', '留下'],
  nowhere: ['There is nothing at this address.', '这个地址下没有内容。'],
})

export function App() {
  return (
    <PreferencesProvider>
      <SessionProvider>
        <Frame />
      </SessionProvider>
    </PreferencesProvider>
  )
}

function Frame() {
  const session = useSession()
  const isSignedIn = session.kind !== null
  const [isConfirming, setConfirming] = useState(false)
  const leave = () => {
    setConfirming(false)
    session.leave()
  }
  const words = useWords(WORDS)
  const leaveWord = session.kind === 'key' ? words.leave : words.signOut
  const route = useRoute()
  const main = useRef<HTMLElement>(null)
  useFocusOnArrival(!isSignedIn ? 'entry' : placeOf(route), main)
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          // The fragment is the route, so the link must not change it.
          event.preventDefault()
          main.current?.focus()
        }}
      >
        {words.skip}
      </a>
      <header class="frame">
        <a class="brand" href="#/tasks">
          loop-agent
        </a>
        {isSignedIn && <Navigation route={route} />}
        <div class="row push">
          <Preferences />
          {isSignedIn && (
            <Button kind="quiet" onClick={() => (drafts.isEmpty() ? leave() : setConfirming(true))}>
              {leaveWord}
            </Button>
          )}
        </div>
      </header>
      {isConfirming && isSignedIn && (
        <Dialog title={leaveWord} onClose={() => setConfirming(false)}>
          <p>{words.unsent}</p>
          <div class="row">
            <Button onClick={() => setConfirming(false)}>{words.stay}</Button>
            <Button kind="danger" onClick={leave}>
              {leaveWord}
            </Button>
          </div>
        </Dialog>
      )}
      <main ref={main} id="main" tabIndex={-1}>
        <ErrorBoundary of={!isSignedIn || route.view === 'nowhere' ? '' : fragmentOf(route)}>
          {isSignedIn ? <View route={route} /> : <SignInView />}
        </ErrorBoundary>
      </main>
    </>
  )
}

function Navigation({ route }: { route: PageRoute }) {
  const words = useWords(WORDS)
  const current = route.view === 'task' ? 'tasks' : route.view
  return (
    <nav aria-label={words.views}>
      {VIEWS.map((view) => (
        <a
          key={view}
          href={fragmentOf(view === 'tasks' ? { view, query: {} } : { view })}
          aria-current={view === current ? 'page' : undefined}
        >
          {words[view]}
        </a>
      ))}
    </nav>
  )
}

function View({ route }: { route: PageRoute }) {
  const words = useWords(WORDS)
  switch (route.view) {
    case 'tasks':
      return <TasksView query={route.query} />
    case 'task':
      return <TaskPage key={route.id} id={route.id} tab={route.tab} />
    case 'new':
      return <NewTaskView />
    case 'schedules':
      return <SchedulesView name={route.name} />
    case 'agents':
      return <AgentsView of={route.name} />
    case 'desk':
      return <WorkspaceView />
    case 'deliveries':
      return <DeliveriesView />
    case 'delegations':
      return <DelegationsView />
    case 'tools':
      return <ToolsView />
    case 'secrets':
      return <SecretsView />
    case 'nowhere':
      return <p>{words.nowhere}</p>
  }
}

/** A tab of a task and a query of the list are the same place. */
const placeOf = (route: PageRoute): string =>
  route.view === 'task' ? route.id : `${route.view} ${'name' in route ? (route.name ?? '') : ''}`

/** Moves the focus to the top of a new view. Otherwise it would stay where the link was. */
function useFocusOnArrival(place: string, main: { current: HTMLElement | null }): void {
  const before = useRef(place)
  useLayoutEffect(() => {
    if (before.current === place) return
    before.current = place
    main.current?.focus()
    scrollTo(0, 0)
  }, [place, main])
}

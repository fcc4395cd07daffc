/** Where one is: the fragment of the address, so that every view can be linked, reloaded and gone back to. */

export const TABS = ['activity', 'journal', 'files', 'raw'] as const
export type Tab = (typeof TABS)[number]
export type Route =
  | { view: 'tasks'; query: Record<string, string> }
  /** `seq`: a row of the journal to go to. */
  | { view: 'task'; id: string; tab: Tab; seq?: number }
  | { view: 'new' }
  | { view: 'desk' }
  | { view: 'deliveries' }
  | { view: 'delegations' }
  | { view: 'nowhere' }

/** `#/tasks?status=paused`, `#/tasks/task_…/journal?seq=7`, `#/new`, …; nothing at all is the list of tasks. */
export function routeOf(fragment: string): Route {
  const [path = '', query = ''] = fragment.replace(/^#/, '').split('?', 2)
  const [view = '', id, tab, ...rest] = path.split('/').filter((part) => part !== '')
  if (rest.length > 0 || (id !== undefined && view !== 'tasks')) return { view: 'nowhere' }
  if (id !== undefined) return taskRoute(id, tab, new URLSearchParams(query).get('seq'))
  if (view === '' || view === 'tasks') return { view: 'tasks', query: Object.fromEntries(new URLSearchParams(query)) }
  if (view === 'new' || view === 'desk' || view === 'deliveries' || view === 'delegations') return { view }
  return { view: 'nowhere' }
}

function taskRoute(id: string, tab: string | undefined, row: string | null): Route {
  const known = TABS.find((name) => name === (tab ?? TABS[0]))
  if (known === undefined) return { view: 'nowhere' }
  const seq = known === 'journal' && /^[1-9]\d{0,8}$/.test(row ?? '') ? { seq: Number(row) } : {}
  return { view: 'task', id: decoded(id), tab: known, ...seq }
}

export function fragmentOf(route: Exclude<Route, { view: 'nowhere' }>): string {
  if (route.view === 'task') {
    const tab = route.tab === TABS[0] ? '' : `/${route.tab}`
    const row = route.seq === undefined ? '' : `?seq=${route.seq}`
    return `#/tasks/${encodeURIComponent(route.id)}${tab}${row}`
  }
  if (route.view !== 'tasks') return `#/${route.view}`
  const query = new URLSearchParams(route.query).toString()
  return query === '' ? '#/tasks' : `#/tasks?${query}`
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

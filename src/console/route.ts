/** The route is the fragment of the address, so every view has a link and survives a reload. */

/** The views of the navigation, in its order. `desk` is the address of the workspace. */
export const VIEWS = [
  'tasks',
  'new',
  'schedules',
  'agents',
  'desk',
  'delegations',
  'deliveries',
  'tools',
  'secrets',
] as const

export const TASK_TABS = ['activity', 'journal', 'tools', 'files', 'raw'] as const
export type TaskTab = (typeof TASK_TABS)[number]
/** The views that show a list by name, and one entry of it. */
const NAMED_VIEWS = ['schedules', 'agents'] as const
type NamedView = (typeof NAMED_VIEWS)[number]
export type PageRoute =
  | { view: 'tasks'; query: Record<string, string> }
  /** `seq` names a row of the journal to go to. */
  | { view: 'task'; id: string; tab: TaskTab; seq?: number }
  /** `name` names one of them. Of an agent it may end in a version, such as `shopper@3`. */
  | { view: NamedView; name?: string }
  | { view: Exclude<(typeof VIEWS)[number], 'tasks' | NamedView> }
  | { view: 'nowhere' }

/** Reads `#/tasks?status=paused`, `#/tasks/task_…/journal?seq=7`, `#/new` and so on. An empty fragment is the list of tasks. */
export function routeOf(fragment: string): PageRoute {
  const [path = '', query = ''] = fragment.replace(/^#/, '').split('?', 2)
  const [view = '', id, tab, ...rest] = path.split('/').filter((part) => part !== '')
  const named = NAMED_VIEWS.find((name) => name === view)
  if (id !== undefined && tab === undefined && named !== undefined) return { view: named, name: decodePart(id) }
  if (rest.length > 0 || (id !== undefined && view !== 'tasks')) return { view: 'nowhere' }
  if (id !== undefined) return taskRoute(id, tab, new URLSearchParams(query).get('seq'))
  const known = VIEWS.find((name) => name === (view === '' ? 'tasks' : view))
  if (known === 'tasks') return { view: known, query: Object.fromEntries(new URLSearchParams(query)) }
  return { view: known ?? 'nowhere' }
}

function taskRoute(id: string, tab: string | undefined, row: string | null): PageRoute {
  const found = TASK_TABS.find((name) => name === (tab ?? TASK_TABS[0]))
  if (found === undefined) return { view: 'nowhere' }
  const seq = found === 'journal' && /^[1-9]\d{0,8}$/.test(row ?? '') ? { seq: Number(row) } : {}
  return { view: 'task', id: decodePart(id), tab: found, ...seq }
}

export function fragmentOf(route: Exclude<PageRoute, { view: 'nowhere' }>): string {
  if (route.view === 'task') {
    const tab = route.tab === TASK_TABS[0] ? '' : `/${route.tab}`
    const row = route.seq === undefined ? '' : `?seq=${route.seq}`
    return `#/tasks/${encodeURIComponent(route.id)}${tab}${row}`
  }
  if ('name' in route && route.name !== undefined) return `#/${route.view}/${encodeURIComponent(route.name)}`
  if (route.view !== 'tasks') return `#/${route.view}`
  const query = new URLSearchParams(route.query).toString()
  return query === '' ? '#/tasks' : `#/tasks?${query}`
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

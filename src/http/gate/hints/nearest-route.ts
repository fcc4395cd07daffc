/** The end of the message about a path that is no route: the rule of file names, the route that was probably meant, or what there is beside it. */
import { nameList, nearestName } from '../../../core/terms/values/known-names.ts'
import { FILE_NAME_RULE } from '../../shapes/fields.ts'

/** What other services call the last part of a route. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  step: ['run', 'start', 'execute', 'next', 'advance', 'continue'],
  input: ['message', 'messages', 'reply', 'answer', 'chat'],
  cancel: ['stop', 'abort', 'kill'],
  events: ['stream', 'logs', 'status'],
}

const PATH_CHARS_MAX = 500
/** Other services have these before their routes. */
const PREFIX = /^(?:api|v\d{1,3})$/

/** `templates`: the paths of all routes, as OpenAPI writes them. null: nothing is near. The parts of the path are not repeated, as they may be secret. */
export function routeHint(path: string, templates: readonly string[]): string | null {
  if (path.length > PATH_CHARS_MAX) return null
  const parts = partsOf(path)
  const [tasks, , files, ...name] = parts
  if (tasks === 'tasks' && files === 'files' && name.length > 1)
    return `a file has one name without "/": ${FILE_NAME_RULE}`
  while (PREFIX.test(parts[0] ?? '')) parts.shift()
  const near = templates
    .map((template) => ({ template, misses: missesOf(partsOf(template), parts) }))
    .filter(({ misses }) => misses !== null)
    .sort((a, b) => Number(a.misses) - Number(b.misses))
  const best = near.filter(({ misses }) => misses === near[0]?.misses).map(({ template }) => template)
  const meant = nearestName(`/${parts.join('/')}`, best) ?? best[0]
  if (meant !== undefined) return `did you mean ${meant}?`
  return besideHint(parts, templates)
}

const partsOf = (path: string) => path.split('/').filter((part) => part !== '')
const isParameter = (part: string) => part.startsWith('{')

/** How many parts differ from those of the route, if each of them is only misspelled. null: it is another route. */
function missesOf(wanted: readonly string[], given: readonly string[]): number | null {
  if (wanted.length !== given.length || wanted.length === 0) return null
  const differing = wanted.flatMap((part, index) => (isParameter(part) || part === given[index] ? [] : [index]))
  const isNear = differing.every((index) => nearestName(given[index] ?? '', [wanted[index] ?? '']) !== null)
  return isNear ? differing.length : null
}

/** What may stand in place of the last part, if those before it are of a route. */
function besideHint(parts: readonly string[], templates: readonly string[]): string | null {
  const all = templates.map(partsOf).filter((wanted) => wanted.length === parts.length && parts.length > 1)
  const beside = all.filter((wanted) => missesOf(wanted.slice(0, -1), parts.slice(0, -1)) === 0)
  const names = [...new Set(beside.flatMap((wanted) => wanted.at(-1) ?? []))].filter((name) => !isParameter(name))
  const word = parts.at(-1)?.toLowerCase() ?? ''
  const meant = beside.find((wanted) => OTHER_WORDS[wanted.at(-1) ?? '']?.includes(word))
  if (meant !== undefined) return `did you mean ${meant.at(-1) === 'events' ? 'GET' : 'POST'} /${meant.join('/')}?`
  const [first] = beside
  return first === undefined || names.length === 0
    ? null
    : `under /${first.slice(0, -1).join('/')} there are ${nameList(names)}`
}

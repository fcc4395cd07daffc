/**
 * What a Worker asks of the objects, as the sources of a release declare it: each kind of request, with the members that it must carry. While a
 * deployment is rolled out, a Worker of one release asks objects of the next one.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDERS = ['src/core/protocol', 'src/core/replay', 'src/core/workspace']
const DECLARED = {
  task_commands: 'CommandTypes',
  task_queries: 'QueryTypes',
  task_upkeep: 'UpkeepTypes',
  workspace_commands: 'WorkspaceCommandTypes',
  workspace_queries: 'WorkspaceQueryTypes',
}

/** By group and kind: the members that are spelled out there and required. Those of a named type are not looked at. */
export function rpcContract(folder) {
  const paths = FOLDERS.flatMap((name) => globSync(`${name}/**/*.ts`, { cwd: folder }))
  const text = paths.map((path) => readFileSync(join(folder, path), 'utf8')).join('\n')
  return Object.fromEntries(Object.entries(DECLARED).map(([group, name]) => [group, kindsIn(text, name)]))
}

function kindsIn(text, name) {
  const [, parents, body] =
    new RegExp(`interface ${name}(?: extends ([\\w, ]+))? \\{\\n([\\s\\S]*?)\\n\\}`).exec(text) ?? []
  if (body === undefined) throw new Error(`there is no interface ${name}`)
  const inherited = parents === undefined ? [] : parents.split(',').map((parent) => kindsIn(text, parent.trim()))
  const found = [...body.matchAll(/^ {2}(\w+): \[([\s\S]*?)(?=^ {2}\w+: \[|^ {2}\/\*\*|(?![\s\S]))/gm)]
  return Object.assign(
    {},
    ...inherited,
    Object.fromEntries(found.map(([, kind, declared]) => [kind, requiredIn(declared)])),
  )
}

/** Of `{ a: X; b?: Y }` at the head of the tuple: `a`. */
function requiredIn(declared) {
  const [, inline = ''] = /^\s*\{([^{}]*)\}/.exec(declared) ?? []
  const members = [...inline.matchAll(/(\w+)(\??):/g)].flatMap(([, member, optional]) =>
    optional === '' ? [member] : [],
  )
  return members.toSorted()
}

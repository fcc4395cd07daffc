/** The operations of an OpenAPI document, and those that a task has chosen. */
import type { Attempt } from '../../core/terms/attempt.ts'
import { HTTP_METHODS, type OpenApiSource } from '../../core/terms/tools/client-tools.ts'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import { nameHint, nameList } from '../../core/terms/values/known-names.ts'
import {
  own,
  ownList,
  ownRecord,
  ownText,
  resolvePart,
  quoteValue,
  type Members,
  type OpenApiDocument,
} from './document.ts'

type HttpMethod = (typeof HTTP_METHODS)[number]

export interface Operation {
  method: HttpMethod
  path: string
  /** As the document names it, or made of method and path. */
  id: string
  /** `GET /orders/{id}`. It is unique. */
  key: string
  tags: readonly string[]
  deprecated: boolean
  operation: Members
  /** What is said for all operations of the path. */
  item: Members
  /** Whether the task names it. */
  named: boolean
}

/** More tools than these confuse a model, and take the room of the conversation. */
const OPERATIONS_MAX = 64

export function listOperations(document: OpenApiDocument, note: (text: string) => void): Operation[] {
  const paths = ownRecord(document.root, 'paths')
  return Object.keys(paths).flatMap((path) => {
    if (path.startsWith('x-')) return []
    const item = resolvePart(document, paths[path])
    if (item.ok) return operationsAt(path, item.value)
    note(`${quoteValue(path)} ${item.error}`)
    return []
  })
}

function operationsAt(path: string, item: Members): Operation[] {
  return HTTP_METHODS.flatMap((method) => {
    const operation = own(item, method.toLowerCase())
    if (!isRecord(operation)) return []
    const key = `${method} ${path}`
    return {
      method,
      path,
      id: ownText(operation, 'operationId').trim() || madeUpId(method, path),
      key,
      tags: ownList(operation, 'tags').filter((tag) => typeof tag === 'string'),
      deprecated: own(operation, 'deprecated') === true,
      operation,
      item,
      named: false,
    }
  })
}

const madeUpId = (method: string, path: string) =>
  `${method.toLowerCase()}_${path}`.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_|_$/g, '')

type Choice = Pick<OpenApiSource, 'operations' | 'tags' | 'methods'>

/** `error` follows the name of the document. */
export function chooseOperations(
  all: readonly Operation[],
  choice: Choice,
  note: (text: string) => void,
): Attempt<Operation[], string> {
  if (all.length === 0) return { ok: false, error: 'describes no operation' }
  const error = unknownNameError(all, choice)
  if (error !== null) return { ok: false, error }
  const names = choice.operations === null ? null : new Set(choice.operations.map(normalName))
  const matching = all
    .map((one) => ({ ...one, named: names !== null && namesOf(one).some((name) => names.has(name)) }))
    .filter(
      ({ named, tags, method }) =>
        (names === null || named) &&
        (choice.tags === null || choice.tags.some((tag) => tags.includes(tag))) &&
        (choice.methods === null || choice.methods.some((name) => name.toUpperCase() === method)),
    )
  const chosen = matching.filter(({ named, deprecated }) => named || !deprecated)
  const deprecated = matching.filter((one) => !chosen.includes(one)).map(({ id }) => quoteValue(id))
  if (deprecated.length > 0)
    note(`left out because they are deprecated and not named in \`operations\`: ${nameList(deprecated)}`)
  return checkCount(all, chosen)
}

function checkCount(all: readonly Operation[], chosen: Operation[]): Attempt<Operation[], string> {
  const ids = nameList((chosen.length === 0 ? all : chosen).map(({ id }) => quoteValue(id)))
  if (chosen.length === 0) return { ok: false, error: `has no operation that was chosen; it has ${ids}` }
  if (chosen.length <= OPERATIONS_MAX) return { ok: true, value: chosen }
  const error = `has ${chosen.length} of them, and at most ${OPERATIONS_MAX} can be tools: choose by \`operations\`, \`tags\` or \`methods\`, such as ${ids}`
  return { ok: false, error }
}

/** `get  /orders` names the same operation as `GET /orders`. */
function normalName(name: string): string {
  const [method = '', path, ...more] = name.trim().split(/\s+/)
  return path === undefined || more.length > 0 ? name.trim() : `${method.toUpperCase()} ${path}`
}

const namesOf = ({ id, key, method, path }: Operation) => [id, key, madeUpId(method, path)]

/** Each comparison of two names takes time, and a document may have thousands. */
const COMPARED_MAX = 1_000

function unknownNameError(all: readonly Operation[], { operations, tags }: Choice): string | null {
  const known = new Set(all.flatMap(namesOf))
  const unknown = (operations ?? []).filter((name) => !known.has(normalName(name)))
  if (unknown.length > 0)
    return unknownError(
      'operation',
      unknown,
      all.map(({ id }) => id),
    )
  const known_tags = [...new Set(all.flatMap((one) => one.tags))]
  const unknown_tags = (tags ?? []).filter((tag) => !known_tags.includes(tag))
  return unknown_tags.length > 0 ? unknownError('tag', unknown_tags, known_tags) : null
}

function unknownError(what: string, unknown: readonly string[], known: readonly string[]): string {
  const [first = '', ...more] = unknown.map(quoteValue)
  const compared = known.slice(0, COMPARED_MAX).map(quoteValue)
  const others = more.length === 0 ? '' : `, nor ${nameList(more)}`
  return `has no ${what} ${JSON.stringify(first)}${others}${nameHint(first, compared) || `; it has ${nameList(compared)}`}`
}

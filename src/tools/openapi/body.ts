/** The body of an operation: the argument `body` of its tool, and how that is sent. */
import type { Attempt } from '../../core/terms/attempt.ts'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import type { JsonSchema } from '../../core/terms/schema/json-schema.ts'
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
import { isJsonType } from './parameters.ts'
import { schemaBehind, translateSchema, type SchemaWalk } from './schemas.ts'
import { plainText } from './texts.ts'
import type { Operation } from './operations.ts'

export const BODY = 'body'

export interface Body {
  type: string
  required: boolean
  schema: unknown
  description: string
}

/** null: the operation has none. `error` follows the name of the operation. */
export function readBody(
  document: OpenApiDocument,
  { operation, method }: Operation,
  note: (text: string) => void,
): Attempt<Body | null, string> {
  const written = own(operation, 'requestBody')
  if (written === undefined) return { ok: true, value: null }
  const part = resolvePart(document, written)
  if (!part.ok) return part
  const required = own(part.value, 'required') === true
  const leaveOut = (why: string): Attempt<null, string> => {
    if (required) return { ok: false, error: `needs a body, ${why}` }
    note(`its body is left out: ${why}`)
    return { ok: true, value: null }
  }
  if (method === 'GET' || method === 'HEAD') return leaveOut(`which ${method} cannot have`)
  const content = ownRecord(part.value, 'content')
  const type = chooseType(Object.keys(content))
  if (type === null) return leaveOut(`which has the type ${quoteValue(Object.keys(content)[0] ?? 'none')}`)
  const media = ownRecord(content, type.written)
  const schema =
    type.kind === 'multipart' ? withoutFiles(document, media, note) : { ok: true as const, value: own(media, 'schema') }
  if (!schema.ok) return leaveOut(schema.error)
  if (own(media, 'encoding') !== undefined) note('how single members of its body are encoded (`encoding`) is left out')
  const description = ownText(part.value, 'description')
  return { ok: true, value: { type: type.sent, required, schema: schema.value, description } }
}

type TypeKind = 'json' | 'form' | 'multipart' | 'text'
const KINDS: readonly TypeKind[] = ['json', 'form', 'multipart', 'text']
const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

/** The first that can be sent, in the order of KINDS. null: there is none. */
function chooseType(types: readonly string[]): { kind: TypeKind; written: string; sent: string } | null {
  const readable = types.map((written) => ({ written, essence: written.split(';', 1)[0]?.trim().toLowerCase() ?? '' }))
  for (const kind of KINDS) {
    const matching = readable.filter(({ essence }) => kindOf(essence) === kind)
    const found = matching.find(({ essence }) => essence === 'application/json') ?? matching[0]
    if (found !== undefined)
      return { kind, written: found.written, sent: found.essence.includes('*') ? ANY[kind] : found.essence }
  }
  return null
}
const ANY: Record<TypeKind, string> = { json: 'application/json', form: FORM, multipart: MULTIPART, text: 'text/plain' }

function kindOf(essence: string): TypeKind | null {
  if (!/^[\w!#$&^.+*-]{1,60}\/[\w!#$&^.+*-]{1,60}$/.test(essence)) return null
  if (isJsonType(essence) || essence === '*/*' || essence === 'application/*') return 'json'
  if (essence === FORM) return 'form'
  if (essence === MULTIPART) return 'multipart'
  return essence.startsWith('text/') ? 'text' : null
}

/** A model writes no files, so their parts are left out. */
function withoutFiles(
  document: OpenApiDocument,
  media: Members,
  note: (text: string) => void,
): Attempt<unknown, string> {
  const schema = schemaBehind(document, own(media, 'schema'))
  const properties = ownRecord(schema, 'properties')
  const files = Object.keys(properties).filter((name) => isFile(document, properties[name]))
  if (files.length === 0) return { ok: true, value: own(media, 'schema') }
  const required = ownList(schema, 'required')
  const needed = files.find((name) => required.includes(name))
  if (needed !== undefined) return { ok: false, error: `in which ${JSON.stringify(quoteValue(needed))} is a file` }
  note(`files of its body are left out: ${files.slice(0, 10).map(quoteValue).join(', ')}`)
  const kept = Object.entries(properties).filter(([name]) => !files.includes(name))
  return { ok: true, value: { ...schema, properties: Object.fromEntries(kept) } }
}

function isFile(document: OpenApiDocument, schema: unknown): boolean {
  const behind = schemaBehind(document, schema)
  const one = isRecord(own(behind, 'items')) ? schemaBehind(document, own(behind, 'items')) : behind
  const is_encoded = own(one, 'contentEncoding') !== undefined
  return own(one, 'format') === 'binary' || (own(one, 'contentMediaType') !== undefined && !is_encoded)
}

export function bodySchema(walk: SchemaWalk, { schema, description }: Body): JsonSchema {
  const value = translateSchema(walk, schema)
  const text = plainText(description, walk.description_max)
  walk.chars += text.length
  return text === '' || value['description'] !== undefined ? value : { ...value, description: text }
}

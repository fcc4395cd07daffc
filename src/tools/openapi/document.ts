/** An OpenAPI document as data: what its text says, in JSON or YAML, and what its references name. */
import type { Attempt } from '../../core/terms/attempt.ts'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import { valueAtPointer } from '../../core/terms/schema/tool-parameters.ts'
import { parseJson } from '../../core/terms/values/parse-json.ts'
import { isTooDeep } from '../../core/mode/json-text.ts'
import type { Pause } from './yaml-pieces.ts'
import { LEVELS_MAX, readYaml } from './yaml-text.ts'

export type Members = Record<string, unknown>

export interface OpenApiDocument {
  root: Members
  /** 3.0 has a dialect of JSON Schema of its own. */
  is_3_0: boolean
}

/** A document of this length in JSON is parsed in about 20 ms. */
export const DOCUMENT_BYTES_MAX = 2_097_152

/** `error` follows the name of the document. What the text is decides, and not what a server says it is. */
export async function readDocument(text: string, pause: Pause): Promise<Attempt<OpenApiDocument, string>> {
  const start = text.trimStart().slice(0, 1)
  if (start === '') return { ok: false, error: 'is empty' }
  if (start === '<')
    return { ok: false, error: 'is a web page or XML: give the address of the JSON or YAML text itself' }
  const value = start === '{' ? readJson(text) : await readYaml(text, pause)
  return value.ok ? documentOf(value.value) : value
}

function readJson(text: string): Attempt<unknown, string> {
  if (isTooDeep(text, LEVELS_MAX)) return { ok: false, error: `must not nest deeper than ${LEVELS_MAX}` }
  const value = parseJson(text)
  return value === undefined ? { ok: false, error: 'is not valid JSON' } : { ok: true, value }
}

function documentOf(root: unknown): Attempt<OpenApiDocument, string> {
  if (!isRecord(root))
    return { ok: false, error: 'is no OpenAPI document: it is not an object with a member `openapi`' }
  if (own(root, 'swagger') !== undefined)
    return {
      ok: false,
      error: `is Swagger ${quoteValue(own(root, 'swagger'))}, which is not read: convert it to OpenAPI 3, for example with converter.swagger.io or \`npx swagger2openapi\``,
    }
  const version = own(root, 'openapi')
  // YAML reads an unquoted 3.0 or 3.1 as a number.
  const minor = /^3\.([012])(?:\.|$)/.exec(quoteValue(version))?.[1] ?? (version === 3 ? '0' : undefined)
  if (minor === undefined)
    return {
      ok: false,
      error:
        version === undefined
          ? 'is no OpenAPI document: it has no member `openapi`'
          : `is OpenAPI ${quoteValue(version)}; only 3.0, 3.1 and 3.2 are read`,
    }
  if (!isRecord(own(root, 'paths'))) return { ok: false, error: 'has no `paths`, so it describes no operation' }
  return { ok: true, value: { root, is_3_0: minor === '0' } }
}

/** A member of the object itself. Names of strangers such as `constructor` find nothing that the language put there. */
export const own = (record: Members, name: string): unknown => (Object.hasOwn(record, name) ? record[name] : undefined)
export const ownRecord = (record: Members, name: string): Members => {
  const value = own(record, name)
  return isRecord(value) ? value : {}
}
export const ownText = (record: Members, name: string): string => {
  const value = own(record, name)
  return typeof value === 'string' ? value : ''
}
export const ownList = (record: Members, name: string): unknown[] => {
  const value = own(record, name)
  return Array.isArray(value) ? value : []
}

/** A value of strangers in a message. */
export const quoteValue = (value: unknown): string =>
  (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeof value)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ')
    .slice(0, 100)

const REF_CHARS_MAX = 500

type ReferenceTarget = { ok: true; value: unknown } | { ok: false; external: boolean }

/** The part of the document that a reference names. Only references into the document itself are followed. */
export function followReference({ root }: OpenApiDocument, ref: unknown): ReferenceTarget {
  if (typeof ref !== 'string' || ref.length > REF_CHARS_MAX) return { ok: false, external: false }
  if (!ref.startsWith('#')) return { ok: false, external: true }
  if (!ref.startsWith('#/')) return { ok: false, external: false }
  const value = valueAtPointer(root, ref.slice(1))
  return value === undefined ? { ok: false, external: false } : { ok: true, value }
}

/** A chain of references between components has no reason to be longer. */
const HOPS_MAX = 8

/** A parameter, body or path that may be written as a reference. */
export function resolvePart(document: OpenApiDocument, part: unknown): Attempt<Members, string> {
  let value = part
  for (let hops = 0; hops <= HOPS_MAX; hops++) {
    if (!isRecord(value)) return { ok: false, error: 'has a part that is not an object' }
    const ref = own(value, '$ref')
    if (ref === undefined) return { ok: true, value }
    const target = followReference(document, ref)
    if (!target.ok) return { ok: false, error: referenceError(ref, target.external) }
    value = target.value
  }
  return { ok: false, error: 'has references that lead in a circle' }
}

export const referenceError = (ref: unknown, external: boolean): string =>
  external
    ? `refers to ${quoteValue(ref)}, which is outside the document: bundle the document into one file`
    : `refers to ${quoteValue(ref)}, which the document does not have`

/** Makes a result for the model of what an MCP tool answers: its texts, its structured content, and files of what is neither. */
import * as z from 'zod'
import type { Attempt } from '../../core/terms/attempt.ts'
import type { McpCall } from '../../core/terms/tools/client-tools.ts'
import { contentTypeOf, FILE_BYTES_MAX, IMAGE_BYTES_MAX, isBinary } from '../../core/terms/files/file-types.ts'
import { readImageHeader } from '../../core/terms/files/image-header.ts'
import { imageTypeOf, IMAGES_MAX, type ImageRef } from '../../core/terms/files/images.ts'
import { appliedSchema } from '../../core/terms/schema/tool-parameters.ts'
import { cut, utf8Bytes } from '../../core/terms/text.ts'
import { parseBoundedJson } from '../../core/mode/json-text.ts'
import { sha256, toHex } from '../../shell/hex.ts'
import type { ToolContext, ToolResult } from '../../shell/tool-ports.ts'
import { seqOf } from '../files.ts'
import type { McpPorts } from './connection.ts'
import { canonicalJson } from './canonical-json.ts'
import { mcpFailure, RESULT_WORDS, type McpFailure } from './texts.ts'

const PARTS_MAX = 64
const FILES_MAX = 16
/** The longest text of a result. */
const TEXT_CHARS_MAX = 262_144
/** A longer text of a resource becomes a file. */
const INLINE_CHARS_MAX = 8_000
const LABEL_CHARS_MAX = 300

const Resource = z.looseObject({
  uri: z.string(),
  mimeType: z.string().optional(),
  text: z.string().optional(),
  blob: z.string().optional(),
})
const Content = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
  z.looseObject({ type: z.literal('audio'), data: z.string(), mimeType: z.string() }),
  z.looseObject({ type: z.literal('resource'), resource: Resource }),
  z.looseObject({ type: z.literal('resource_link'), uri: z.string(), name: z.string().optional() }),
])
type Content = z.infer<typeof Content>
const CallResult = z.looseObject({
  content: z.array(Content).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
})

interface Writer {
  outside: McpPorts
  call: ToolContext
  tool: string
  images: ImageRef[]
  files: number
}

/** Codes: `success` and `tool_error`, as the server says. */
export async function toolResultOf(
  outside: McpPorts,
  call: ToolContext,
  { tool, output_schema }: Pick<McpCall, 'tool' | 'output_schema'>,
  given: unknown,
): Promise<Attempt<ToolResult, McpFailure>> {
  const read = CallResult.safeParse(given)
  if (!read.success) return failed('no_protocol', `not a result of a tool: ${issueOf(read.error)}`)
  const { content, structuredContent: structured, isError: is_error = false } = read.data
  const mismatch = is_error ? null : mismatchOf(outside, output_schema, structured)
  if (mismatch !== null) return failed('output', mismatch)
  const words = RESULT_WORDS[call.locale]
  const writer: Writer = { outside, call, tool, images: [], files: 0 }
  const parts: string[] = []
  for (const part of content.slice(0, PARTS_MAX)) if (!isSame(part, structured)) parts.push(await textOf(writer, part))
  if (content.length > PARTS_MAX) parts.push(words.left(content.length - PARTS_MAX))
  if (structured !== undefined) parts.push(JSON.stringify(structured))
  const text = cut(parts.filter((part) => part !== '').join('\n'), TEXT_CHARS_MAX)
  const { images } = writer
  return {
    ok: true,
    value: {
      ok: !is_error,
      code: is_error ? 'tool_error' : 'success',
      text: text === '' ? words.empty : text,
      ...(images.length === 0 ? {} : { images }),
    },
  }
}

const failed = (kind: McpFailure['kind'], detail: string) => ({ ok: false as const, error: mcpFailure(kind, detail) })

const issueOf = ({ issues }: z.ZodError): string =>
  cut(`${issues[0]?.path.join('.') ?? ''} ${issues[0]?.message ?? ''}`.trim(), LABEL_CHARS_MAX)

/** null: the structured result fits, or its schema is none that is applied. */
function mismatchOf(outside: McpPorts, schema: McpCall['output_schema'], structured: unknown): string | null {
  if (schema === null) return null
  if (structured === undefined) return 'there is none'
  const applied = appliedSchema(schema)
  return applied.ok ? outside.fits(applied.schema, structured) : null
}

/** Servers repeat a structured result as a text for clients that know no structured results. */
function isSame(part: Content, structured: unknown): boolean {
  if (part.type !== 'text' || structured === undefined) return false
  const value = parseBoundedJson(part.text)
  return value !== undefined && canonicalJson(value) === canonicalJson(structured)
}

async function textOf(writer: Writer, part: Content): Promise<string> {
  const words = RESULT_WORDS[writer.call.locale]
  switch (part.type) {
    case 'text':
      return part.text
    case 'image':
    case 'audio':
      return keepBlob(writer, part.data, part.mimeType)
    case 'resource_link':
      return words.link(cut(part.name ?? '', LABEL_CHARS_MAX), cut(part.uri, LABEL_CHARS_MAX))
    case 'resource': {
      const { uri, mimeType: type = 'text/plain', text, blob } = part.resource
      const label = words.resource(cut(uri, LABEL_CHARS_MAX))
      if (blob !== undefined) return `${label} ${await keepBlob(writer, blob, type)}`
      if (text === undefined || text.length <= INLINE_CHARS_MAX) return `${label}\n${text ?? ''}`
      return `${label} ${await keepText(writer, text, type)}`
    }
  }
}

/** The endings of the types that become files. */
const ENDINGS: ReadonlyMap<string, string> = new Map(
  'png jpg webp gif csv tsv json xlsx xls md html svg txt'
    .split(' ')
    .map((ending) => [contentTypeOf(`x.${ending}`).split(';', 1)[0] ?? '', ending]),
)
const endingFor = (type: string): string | undefined => ENDINGS.get(type.split(';', 1)[0]?.trim().toLowerCase() ?? '')

/** A name that no other effect of the task gives. */
function nameFor({ tool, call, files }: Writer, ending: string): string {
  const stem = tool.replaceAll(/[^A-Za-z0-9_-]/g, '-').slice(0, 60)
  return `${stem}-${seqOf(call.key)}-${files}.${ending}`
}

async function keepText(writer: Writer, text: string, type: string): Promise<string> {
  const words = RESULT_WORDS[writer.call.locale]
  const ending = endingFor(type)
  const bytes = utf8Bytes(text)
  if (bytes > FILE_BYTES_MAX) return cut(text, INLINE_CHARS_MAX)
  return keep(writer, ending === undefined || isBinary(`x.${ending}`) ? 'txt' : ending, text, (name) =>
    words.file(name, shortType(type), bytes),
  )
}

async function keepBlob(writer: Writer, base64: string, type: string): Promise<string> {
  const words = RESULT_WORDS[writer.call.locale]
  const size = Math.floor((base64.length * 3) / 4)
  const unkept = (why: string) => words.unkept(shortType(type), size, why)
  const ending = endingFor(type)
  if (ending === undefined) return unkept(words.unknownType)
  if (size > IMAGE_BYTES_MAX) return unkept(words.tooLarge)
  const bytes = bytesOf(base64)
  if (bytes === null) return unkept(words.notBase64)
  if (imageTypeOf(`x.${ending}`) === null)
    return keep(writer, ending, bytes, (name) => words.file(name, shortType(type), bytes.length))
  const read = readImageHeader(`x.${ending}`, bytes)
  if (!read.ok) return unkept(words.notImage)
  const digest = toHex(await sha256(bytes))
  return keep(writer, ending, bytes, (name) => {
    if (writer.images.length < IMAGES_MAX) writer.images.push({ name, ...read.header, bytes: bytes.length, digest })
    return words.image(name, `${read.header.width}x${read.header.height}`)
  })
}

const shortType = (type: string): string => cut(type, 80)

/** Writes a file, and answers what `kept` says of its name. */
async function keep(
  writer: Writer,
  ending: string,
  content: string | Uint8Array<ArrayBuffer>,
  kept: (name: string) => string,
): Promise<string> {
  const words = RESULT_WORDS[writer.call.locale]
  const bytes = typeof content === 'string' ? utf8Bytes(content) : content.length
  const unkept = (why: string) => words.unkept(contentTypeOf(`x.${ending}`), bytes, words.notWritten(why))
  if (writer.files >= FILES_MAX) return unkept('too_many_files')
  writer.files += 1
  const name = nameFor(writer, ending)
  const written = await writer.outside.files.write(writer.call, { name, seq: seqOf(writer.call.key), content })
  if (!written.ok) return unkept(written.refusal.code)
  return written.value === 'written' ? kept(name) : unkept(written.value)
}

/** null: it is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    const text = atob(base64)
    const bytes = new Uint8Array(text.length)
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
    return bytes
  } catch {
    return null
  }
}

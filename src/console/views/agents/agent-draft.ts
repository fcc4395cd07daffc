/** What the forms of an agent send: a definition as JSON, and the input of a task. */
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { post, type ApiRequest } from '../../api/request.ts'
import type { AgentView, ModeName } from '../../api/wire.ts'
import { asText, parseJson } from '../../parse.ts'
import { argumentsFor } from '../../parts/tools/arguments-for.ts'

export interface AgentDraft {
  name: string
  definition: string
}
export const NO_AGENT: AgentDraft = { name: '', definition: '' }

/** The path of an agent, or of a part of it. `ref` may end in a version. */
export const agentPath = (ref: string, part = ''): string => `/agents/${encodeURIComponent(ref)}${part}`
export const nameOfRef = (ref: string): string => ref.split('@', 1)[0] ?? ref

/** What the service takes where a definition names no mode. */
const DEFAULT_MODE: ModeName = 'plan_execute'
export const modeOfAgent = ({ definition }: Pick<AgentView, 'definition'>): string =>
  asText(definition['mode']) ?? DEFAULT_MODE

export const draftOfAgent = ({ name, definition }: AgentView): AgentDraft => ({
  name,
  definition: JSON.stringify(definition, null, 2),
})

/** null: the definition is no JSON object. */
/** `etag`: that of the version that is changed, so that no other change is lost. null: it is a new agent. */
export function putAgentRequest({ name, definition }: AgentDraft, etag: string | null = null): ApiRequest | null {
  const read = parseJson(definition)
  if (!read.ok || !isRecord(read.value)) return null
  const request = { method: 'PUT', path: agentPath(name), json: read.value } as const
  return etag === null ? request : { ...request, headers: { 'if-match': etag } }
}

/** The members that the agent asks for, to be filled in; empty where it asks for none. */
export const inputTextFor = ({ definition }: AgentView): string =>
  isRecord(definition['input_schema']) ? argumentsFor(definition['input_schema']) : ''

/** An empty text is no input. null: the text is no JSON object. */
export function agentTaskRequest(ref: string, input: string): ApiRequest | null {
  if (input.trim() === '') return post(agentPath(ref, '/tasks'))
  const read = parseJson(input)
  return read.ok && isRecord(read.value) ? post(agentPath(ref, '/tasks'), { input: read.value }) : null
}

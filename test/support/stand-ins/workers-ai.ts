/**
 * A strict stand-in for the binding of Workers AI. It refuses what the published schema of a model refuses, and otherwise says what a script tells
 * it, by the phase that `cf-aig-metadata` names.
 */
import * as z from 'zod'
import { memberOf } from '../tongues/tongue.ts'
import type { Calling } from '../scripted.ts'
import { bodyOf, eventResponse } from './streams/body.ts'
import { newerStream, olderStream } from './streams/workers-ai.ts'
import { isReadableUrl } from './images.ts'

const MODELS = 'https://developers.cloudflare.com/workers-ai/models'
/** A model of each family: the older ones have an answer of their own, the newer ones speak as chat completions do. */
export const OLDER = '@cf/meta/llama-3.3-70b-instruct-fp8-fast'
export const NEWER = '@cf/zai-org/glm-4.7-flash'
/** One that sees images, and otherwise is as the older ones. */
export const SEEING = '@cf/meta/llama-4-scout-17b-16e-instruct'
const isOlder = (model: string): boolean => model !== NEWER

const Message = z.looseObject({ role: z.string(), content: z.unknown().optional() })
const Tool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), description: z.string(), parameters: z.looseObject({}) }),
})
const Inputs = z.looseObject({ messages: z.array(Message), tools: z.array(z.unknown()).optional() })
export type Inputs = z.infer<typeof Inputs>

interface Objection {
  code: number
  status: number
  message: string
}
const badInput = (message: string): Objection => ({ code: 5006, status: 400, message: `Error: ${message}` })

export interface Rule {
  rule: string
  /** The public page that says so. */
  source: string
  /** null: the request keeps the rule. */
  broken: (inputs: Record<string, unknown>, model: string) => Objection | null
}

const messagesIn = (inputs: object): unknown[] => z.array(z.unknown()).catch([]).parse(memberOf(inputs, 'messages'))
const rangeOf = (model: string): number => (isOlder(model) ? 5 : 2)
const FORMS: readonly unknown[] = ['json_object', 'json_schema']
const formIn = (inputs: object) => memberOf(memberOf(inputs, 'response_format'), 'type')
const EFFORTS: readonly unknown[] = ['low', 'medium', 'high', null, undefined]

const isPart = (part: unknown): boolean =>
  memberOf(part, 'type') === 'text'
    ? typeof memberOf(part, 'text') === 'string'
    : memberOf(part, 'type') === 'image_url' && isReadableUrl(memberOf(memberOf(part, 'image_url'), 'url'))

export const RULES: readonly Rule[] = [
  {
    rule: 'the model is one of the catalogue',
    source: 'https://developers.cloudflare.com/workers-ai/platform/errors',
    broken: (_, model) =>
      [OLDER, NEWER, SEEING].includes(model)
        ? null
        : { code: 5007, status: 400, message: `No such model ${model} or task` },
  },
  {
    rule: 'there are messages',
    source: `${MODELS}/llama-3.3-70b-instruct-fp8-fast`,
    broken: (inputs) =>
      messagesIn(inputs).length === 0 ? badInput("required properties at '/' are 'messages'") : null,
  },
  {
    rule: 'each message has a content that is a text, or parts where the model sees images',
    source: `${MODELS}/llama-4-scout-17b-16e-instruct`,
    broken: (inputs, model) => {
      const index = messagesIn(inputs).findIndex((message) => {
        const content = memberOf(message, 'content')
        const hasParts = model === SEEING && memberOf(message, 'role') === 'user' && Array.isArray(content)
        return typeof content !== 'string' && !(hasParts && content.every(isPart))
      })
      return index === -1 ? null : badInput(`Type mismatch of '/messages/${index}/content', expected 'string'`)
    },
  },
  {
    rule: 'a tool has a name, a description and parameters',
    source: `${MODELS}/llama-3.3-70b-instruct-fp8-fast`,
    broken: (inputs) => {
      const tools = memberOf(inputs, 'tools')
      const isFine = tools === undefined || z.array(Tool).min(1).safeParse(tools).success
      return isFine ? null : badInput("oneOf at '/tools/0' not met, 0 matches")
    },
  },
  {
    rule: 'a reply has one of two forms',
    source: 'https://developers.cloudflare.com/workers-ai/features/json-mode',
    broken: (inputs) =>
      memberOf(inputs, 'response_format') === undefined || FORMS.includes(formIn(inputs))
        ? null
        : badInput("'/response_format/type' is not one of 'json_object', 'json_schema'"),
  },
  {
    rule: 'a reply in JSON mode is not streamed',
    source: 'https://developers.cloudflare.com/workers-ai/features/json-mode',
    broken: (inputs) =>
      memberOf(inputs, 'stream') === true && formIn(inputs) !== undefined
        ? { code: 5023, status: 400, message: 'JSON Schema mode is not supported with stream mode' }
        : null,
  },
  {
    rule: 'newer models take a schema with its name',
    source: `${MODELS}/glm-4.7-flash`,
    broken: (inputs, model) => {
      const name = memberOf(memberOf(memberOf(inputs, 'response_format'), 'json_schema'), 'name')
      const isFine = isOlder(model) || formIn(inputs) !== 'json_schema' || typeof name === 'string'
      return isFine ? null : badInput("required properties at '/response_format/json_schema' are 'name'")
    },
  },
  {
    rule: 'newer models have three efforts',
    source: `${MODELS}/glm-4.7-flash`,
    broken: (inputs, model) => {
      const effort = memberOf(inputs, 'reasoning_effort')
      const isFine = isOlder(model) || EFFORTS.includes(effort)
      return isFine ? null : badInput(`'/reasoning_effort' '${String(effort)}' not in 'low', 'medium', 'high'`)
    },
  },
  {
    rule: 'a temperature is within its range',
    source: `${MODELS}/glm-4.7-flash`,
    broken: (inputs, model) => {
      const { success } = z.number().min(0).max(rangeOf(model)).optional().safeParse(memberOf(inputs, 'temperature'))
      return success ? null : badInput(`Value of '/temperature' is not between 0 and ${rangeOf(model)}`)
    },
  },
]

/** The first rule that a request breaks, with the answer to it. */
export function brokenRule(inputs: Record<string, unknown>, model: string) {
  for (const { rule, broken } of RULES) {
    const objection = broken(inputs, model)
    if (objection !== null) return { rule, objection }
  }
  return null
}

type Said = Calling | object | string
export interface WorkersAiStandIn {
  run(model: string, inputs: object, options?: object): Promise<unknown>
  /** The requests that were answered. */
  answered: Inputs[]
  /** The rules that requests have broken. */
  broken: string[]
  /** The replies that no request has used. */
  leftovers(): string[]
}

/** `isOld`: a binding that knows no raw answer. It gives what is in the answer, and throws errors. */
export function workersAiStandIn(script: Record<string, Said[]>, { isOld = false } = {}): WorkersAiStandIn {
  const left = new Map(Object.entries(script).map(([phase, said]) => [phase, [...said]]))
  const answered: Inputs[] = []
  const broken: string[] = []
  const reply = (model: string, inputs: Record<string, unknown>, phase: string): object | string | Objection => {
    const found = brokenRule(inputs, model)
    if (found !== null) {
      broken.push(found.rule)
      return found.objection
    }
    const said = left.get(phase)?.shift()
    if (said === undefined) return { code: 3040, status: 429, message: 'the script is dry' }
    answered.push(Inputs.parse(inputs))
    const isJson = formIn(inputs) !== undefined
    const isStreamed = memberOf(inputs, 'stream') === true
    if (isOlder(model)) {
      const answer = olderAnswer(said, isJson)
      return isStreamed ? olderStream(answer) : answer
    }
    const answer = newerAnswer(model, said, answered.length)
    return isStreamed ? newerStream(answer) : answer
  }
  return {
    answered,
    broken,
    leftovers: () => [...left].flatMap(([phase, said]) => said.map(() => phase)),
    // What is sent is JSON, and so is what comes back.
    run: async (model, inputs, options = {}) => {
      const metadata = memberOf(memberOf(options, 'extraHeaders'), 'cf-aig-metadata')
      const { phase } = z.object({ phase: z.string() }).parse(JSON.parse(String(metadata)))
      const told = reply(model, JSON.parse(JSON.stringify(inputs)), phase)
      const isRaw = memberOf(options, 'returnRawResponse') === true && !isOld
      if (typeof told === 'string') return isRaw ? eventResponse(told) : bodyOf(told)
      if (!isObjection(told)) return isRaw ? Response.json(told) : told
      const { code, status, message } = told
      if (!isRaw) throw new Error(`${code}: ${message}`)
      return Response.json(
        { internalCode: code, name: 'AiError', message: 'AiError', description: message },
        { status },
      )
    },
  }
}

const isObjection = (told: object): told is Objection => 'status' in told && 'code' in told
const isCalling = (said: Said): said is Calling => typeof said === 'object' && 'calls' in said
const textOf = (said: Said): string => {
  if (isCalling(said)) return said.said
  return typeof said === 'string' ? said : JSON.stringify(said)
}
const USAGE = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 }

/** In JSON mode the response is the value itself. Calls have no ids, and their arguments are objects. */
function olderAnswer(said: Said, isJson: boolean) {
  const response = isJson && !isCalling(said) ? JSON.parse(textOf(said)) : textOf(said)
  const calls = isCalling(said) ? said.calls : []
  const tool_calls = calls.map(({ name, arguments: args }) => ({ name, arguments: JSON.parse(args) }))
  return { response, ...(calls.length === 0 ? {} : { tool_calls }), usage: USAGE }
}

function newerAnswer(model: string, said: Said, serial: number) {
  const calls = isCalling(said) ? said.calls : []
  const tool_calls = calls.map(({ name, arguments: args }, index) => ({
    id: `chatcmpl-tool-${serial}-${index}`,
    type: 'function',
    function: { name, arguments: args },
  }))
  const message = {
    role: 'assistant',
    content: textOf(said) === '' ? null : textOf(said),
    reasoning_content: `I think of reply ${serial}.`,
    ...(calls.length === 0 ? {} : { tool_calls }),
  }
  const finish_reason = calls.length === 0 ? 'stop' : 'tool_calls'
  return { id: 'id-1', object: 'chat.completion', model, choices: [{ index: 0, finish_reason, message }], usage: USAGE }
}

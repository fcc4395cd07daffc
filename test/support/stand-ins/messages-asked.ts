/** A request as the stand-in of `/v1/messages` reads it, the models it knows, and the form of its rules. */
import { isRecord } from '../../../src/core/terms/plain/is-record.ts'

export type Json = Record<string, unknown>

/** What a model takes. The names stand for the generations of the public list of models. */
export interface Traits {
  thinking: readonly ('adaptive' | 'enabled' | 'disabled')[]
  /** Whether it thinks where the request says nothing of thinking. */
  thinks: boolean
  effort: boolean
  /** Whether a temperature other than 1 is taken. */
  temperature: boolean
  /** Whether the conversation may end with the model's turn. */
  prefill: boolean
  forced_tools: boolean
  /** Whether it sees images. */
  vision: boolean
  /** Whether thinking is refused if anything before it has changed. */
  binds: boolean
}
const OLDEST: Traits = {
  thinking: ['enabled', 'disabled'],
  thinks: false,
  effort: false,
  temperature: true,
  prefill: true,
  forced_tools: true,
  vision: true,
  binds: false,
}
const MIDDLE: Traits = { ...OLDEST, thinking: ['adaptive', 'enabled', 'disabled'], effort: true, prefill: false }
const NEWER: Traits = { ...MIDDLE, thinking: ['adaptive', 'disabled'], temperature: false }
export const MODELS = {
  /** Thinks within a budget only, as Haiku 4.5. */
  budget: OLDEST,
  /** Thinks in both ways, as Opus 4.6. */
  both: MIDDLE,
  /** Decides by itself how much it thinks, and takes no temperature, as Opus 4.8. */
  adaptive: NEWER,
  /** Thinks always, as Opus 5.5 does, for an account whose thinking is not bound. */
  always: { ...NEWER, thinking: ['adaptive'], thinks: true, forced_tools: false },
  /** The same for a newer account. */
  bound: { ...NEWER, thinking: ['adaptive'], thinks: true, forced_tools: false, binds: true },
  /** Knows neither thinking nor forms nor images, as other endpoints of this wire. */
  plain: { ...OLDEST, thinking: [], vision: false },
} satisfies Record<string, Traits>
export type ModelName = keyof typeof MODELS

export interface Asked {
  method: string
  path: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Json
  traits: Traits
  turns: readonly Turn[]
}
export interface Turn {
  role: unknown
  blocks: readonly Json[]
}

/** A refusal in the words of the endpoint. */
export interface Refusal {
  status: number
  type: string
  message: string
}
export const bad = (message: string): Refusal => ({ status: 400, type: 'invalid_request_error', message })

/** One thing that the endpoint refuses, and the public page that says so. */
export interface Rule {
  rule: string
  source: string
  check(asked: Asked): Refusal | null
}

export const recordsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : [])

export const isModelName = (name: unknown): name is ModelName => typeof name === 'string' && Object.hasOwn(MODELS, name)

/** A text is short for a list of one text block. */
export function turnsIn({ messages }: Json): Turn[] {
  return recordsIn(messages).map(({ role, content }) => ({
    role,
    blocks: typeof content === 'string' ? [{ type: 'text', text: content }] : recordsIn(content),
  }))
}

export const THINKING_TYPES: readonly unknown[] = ['thinking', 'redacted_thinking']
/** Whether the request asks the model to think. */
export const asksToThink = ({ body }: Pick<Asked, 'body'>): boolean =>
  isRecord(body.thinking) && ['adaptive', 'enabled'].includes(String(body.thinking.type))
/** Whether the reply begins with thinking. */
export const willThink = (asked: Pick<Asked, 'body' | 'traits'>): boolean =>
  asksToThink(asked) || (asked.traits.thinks && asked.body.thinking === undefined)

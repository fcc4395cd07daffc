/** What the shell needs of tools: those of the service, those of clients, and the secrets that they are called with. */
import type { Attempt } from '../core/terms/attempt.ts'
import type { ClientTool, ToolSource } from '../core/terms/tools/client-tools.ts'
import type { DroppedCall } from '../core/engine/tools/held-calls.ts'
import type { EventOf } from '../core/terms/effect.ts'
import type { Locale } from '../core/terms/locale.ts'
import type { CheckBudget } from '../core/terms/schema/checks.ts'
import type { Settings } from '../core/terms/settings.ts'

export interface CallContext {
  /** The longest time that the call may take, in ms. */
  timeout_ms: number
  /** The W3C trace context of the request that caused this call. */
  traceparent: string | null
  /** The longest time between two parts of a streamed reply, in ms. */
  silence_ms?: number
  /** Ends the call of a model before its time. */
  stop?: AbortSignal
  /** Gets what the model says while it says it. Nobody keeps it: the reply comes whole at the end. */
  onWords?: (words: string) => void
}

export interface ToolContext extends CallContext {
  tenant: string
  task: string
  /** `task:seq`. A tool that has acted under this key answers as before and changes nothing. */
  key: string
  /** Wall clock that commands see, ms since the epoch. */
  now_ms: number
  /** When a call that is a round itself was first begun, by the real clock. */
  begun_ms?: number | undefined
  /** IANA zone of the task; the workspace has its own. */
  timezone: string
  locale: Locale
  settings: Settings
  /** The checks left for the arguments of all calls of the reply; without it this call has all of them. */
  checks?: CheckBudget | undefined
}

export type ToolResult = Omit<EventOf<'tool_returned'>, 'kind'>
/** A call that has no result yet: its tool asks a person, or works on outside. */
export type HeldCall = EventOf<'tool_asked'> | EventOf<'tool_waits'>

/** What the model is told of a tool, and whether it may be repeated, is in core/mode/tools.ts. */
export interface Tool {
  name: string
  /** Bad input and failures of the world are results with `ok: false`. A rejection becomes one too. */
  run(input: string, call: ToolContext): Promise<ToolResult>
}

/** What a held call goes on from: its state, and the answer to what it asked. */
export interface HeldState {
  state: string
  /** null: it has asked nothing. */
  answer: Pick<EventOf<'tool_answered'>, 'action' | 'content'> | null
}

/** The tools that clients bring. Nothing rejects: what goes wrong is a result. */
export interface ClientTools {
  /** The sources are those of the task. */
  run(
    tool: ClientTool,
    sources: readonly ToolSource[],
    input: string,
    call: ToolContext & { held?: HeldState | undefined },
  ): Promise<ToolResult | HeldCall>
  list(
    source: { source: ToolSource; position: number },
    call: ToolContext,
  ): Promise<EventOf<'tools_listed'> | EventOf<'tools_unlisted'>>
  /** Tells the server that nobody waits for a held call any more. What it answers does not matter. */
  abandon(dropped: DroppedCall, call: CallContext & Pick<ToolContext, 'tenant' | 'task'>): Promise<void>
}

/** A secret of a tenant, for one request to one address. */
export interface Secrets {
  /** The value. Refused, in words of this language and without the value: there is none of the name, or it may not be sent to the host of this address. */
  reveal(tenant: string, name: string, address: URL, locale: Locale): Promise<Attempt<string, string>>
}

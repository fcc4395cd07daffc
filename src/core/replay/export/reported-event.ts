/** What an export tells of an event. It has neither texts of people and models nor results of tools. */
import type { Event, EventOf } from '../../terms/effect.ts'
import type { ReportStatus } from '../../terms/delegation.ts'

type Replied = EventOf<'model_replied'>
type Failed = EventOf<'model_failed'>

export type ReportedEvent =
  | ({ kind: 'model_replied'; calls: number } & Pick<Replied, 'model' | 'usage' | 'form' | 'finish' | 'endpoint'>)
  | ({ kind: 'model_failed'; timed_out: boolean } & Pick<Failed, 'status' | 'usage' | 'endpoint'>)
  | { kind: 'tool_returned'; ok: boolean; code: string }
  | { kind: 'tools_listed'; tools: number }
  | { kind: 'report_arrived'; delegation: number; status: ReportStatus; dispatched_at: number }
  | { kind: 'report_expired'; delegation: number; dispatched_at: number }
  | {
      kind: Exclude<
        Event['kind'],
        'model_replied' | 'model_failed' | 'tool_returned' | 'tools_listed' | 'report_arrived' | 'report_expired'
      >
    }

/** `handedOutAt` tells when the command of a row was handed out. */
export function reportedEvent(event: Event, handedOutAt: (seq: number) => number): ReportedEvent {
  switch (event.kind) {
    case 'model_replied': {
      const { kind, model, usage, form, finish, endpoint, tool_calls = [] } = event
      return { kind, model, usage, form, finish, endpoint, calls: tool_calls.length }
    }
    case 'model_failed': {
      const { kind, status, usage, endpoint, reason } = event
      return { kind, status, usage, endpoint, timed_out: reason.includes('timed out') }
    }
    case 'tool_returned':
      return { kind: event.kind, ok: event.ok, code: event.code }
    case 'tools_listed':
      return { kind: event.kind, tools: event.tools.length }
    case 'report_arrived': {
      const { kind, delegation, report } = event
      return { kind, delegation, status: report.status, dispatched_at: handedOutAt(delegation) }
    }
    case 'report_expired':
      return { kind: event.kind, delegation: event.delegation, dispatched_at: handedOutAt(event.delegation) }
    default:
      return { kind: event.kind }
  }
}

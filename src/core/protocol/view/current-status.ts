/** The status of a task. It is derived from the head and not stored. */
import { briefNow } from '../../engine/changed-brief.ts'
import { awaitedRow } from '../../engine/awaiting.ts'
import { worksOutside } from '../../engine/tools/held-calls.ts'
import type { Recall } from '../../terms/effect.ts'
import type { Head } from '../../terms/head.ts'
import type { Status } from '../../terms/status.ts'

/** `underWay`: an effect is under way. A task that the service drives is queued until its first effect begins (U20). */
export function statusOf(head: Head, underWay: boolean, recall: Recall): Status {
  if (head.end !== null) return head.end.status
  if (head.pause_reason !== null) return 'paused'
  if (head.asking_since !== null) return 'input_required'
  if (awaitedRow(head) !== null || worksOutside(head)) return 'waiting_external'
  const hasBegun = underWay || head.counters.model_calls + head.counters.actions > 0
  return hasBegun || briefNow(head, recall).drive === 'manual' ? 'running' : 'queued'
}

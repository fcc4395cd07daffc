/** What clients ask of their usage and of the receiver of their spans. */
import type { TraceReceiver } from '../../core/shown/receiver-view.ts'
import { usageView, type Usage } from '../../core/shown/usage-view.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import { rfc3339 } from '../../core/terms/text.ts'
import type { StoredReceiver } from '../../core/workspace/telemetry.ts'
import { USAGE_SUMS_MAX, type UsageGroup } from '../../core/terms/values/usage-sums.ts'
import type { Caller } from '../caller.ts'
import { readReference } from '../secrets/references.ts'
import type { Ports } from '../ports.ts'

/** Days are `YYYY-MM-DD`, in UTC, both included. `tenant` is the one of the caller, unless the caller administers all. */
interface UsageQuestion {
  tenant: string
  from: string
  to: string
  group_by: readonly UsageGroup[]
}

export interface ExportService {
  /** `usage_off`: nobody counts. */
  getUsage(caller: Caller, asked: UsageQuestion): Promise<Result<Usage>>
  /** `traces_off`: nobody sends spans. The endpoint was checked as addresses of callbacks are. */
  putReceiver(caller: Caller, receiver: Omit<StoredReceiver, 'updated'>): Promise<Result<TraceReceiver>>
  getReceiver(caller: Caller): Promise<Result<TraceReceiver>>
  deleteReceiver(caller: Caller): Promise<Result<null>>
}

export function exportService({ store, exports, clock }: Pick<Ports, 'store' | 'exports' | 'clock'>): ExportService {
  const has_traces = exports?.traces === true
  return {
    async getUsage(_caller, { tenant, from, to, group_by }) {
      if (exports?.usage !== true) return refuse({ code: 'usage_off' })
      const as_of = rfc3339(clock.now_ms())
      const limit = USAGE_SUMS_MAX + 1
      const sums = await store.workspace(tenant).ask({ kind: 'usage', from, to, group_by, limit })
      return ok(usageView({ tenant, from, to }, sums, { as_of, max: USAGE_SUMS_MAX }))
    },
    async putReceiver({ tenant }, receiver) {
      if (!has_traces) return refuse({ code: 'traces_off' })
      const stored = await store.workspace(tenant).tell({ kind: 'put_receiver', receiver })
      exports.tenants.forget(tenant)
      return stored === null ? refuse({ code: 'receiver_not_found' }) : ok(viewOf(stored, null))
    },
    async getReceiver({ tenant }) {
      const workspace = store.workspace(tenant)
      const stored = await workspace.ask({ kind: 'receiver' })
      if (stored === null) return refuse({ code: 'receiver_not_found' })
      return ok(viewOf(stored, await workspace.ask({ kind: 'receiver_failure' })))
    },
    async deleteReceiver({ tenant }) {
      const workspace = store.workspace(tenant)
      if ((await workspace.ask({ kind: 'receiver' })) === null) return refuse({ code: 'receiver_not_found' })
      await workspace.tell({ kind: 'put_receiver', receiver: null })
      exports?.tenants.forget(tenant)
      return ok(null)
    },
  }
}

const viewOf = (
  { endpoint, protocol, headers, capture_content, updated }: StoredReceiver,
  failure: { at: number; detail: string } | null,
): TraceReceiver => ({
  endpoint,
  protocol,
  headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, shownHeader(text)])),
  capture_content,
  updated_at: rfc3339(updated),
  last_failure: failure === null ? null : { at: rfc3339(failure.at), detail: failure.detail },
})

/** What stands before the name of a secret: a scheme such as `Bearer`. Anything longer may be a part of a key. */
const SCHEME = /^(?:[A-Za-z]{1,10} )?$/
/** Stands for a value. It is refused as a header, so what was read cannot be put in place of the value by mistake. */
const HIDDEN = '•••'

/** A header as every reader of the tenant may see it: the name of its secret, and nothing of a value that was put as it is. */
function shownHeader(text: string): string {
  const read = readReference(text)
  if (!read.ok || read.value.name === null) return HIDDEN
  const reference = text.slice(read.value.text.length)
  return SCHEME.test(read.value.text) ? text : `${HIDDEN} ${reference}`
}

/** The ports of the export in tests: a strict collector behind a fetch, which a test may make fail. */
import type { ExportPorts } from '../../../src/shell/network/export-ports.ts'
import { newBreaker, tenantReceivers } from '../../../src/shell/exports/known-receivers.ts'
import { exportTask } from '../../../src/shell/exports/export-task.ts'
import { benchOf, CALLER, type Bench, type Script } from '../scripted.ts'
import { strictCollector, type Collector } from './strict-collector.ts'

/** How the collector answers a request. undefined: it takes it. */
export type Answering = (url: string, init: RequestInit) => Promise<Response> | Response | undefined

export interface TelemetryBench extends Bench {
  collector: Collector
  telemetry: ExportPorts
  /** Requests to the collector. */
  sent: { url: string; headers: Headers }[]
  answering: { with: Answering }
  /** Lets so much time pass that runs of work have ended, and exports the task until nothing is owed. */
  export(id: string): Promise<void>
}

export function telemetryBench(
  script: Script,
  overrides: Partial<ExportPorts> = {},
  ports: Parameters<typeof benchOf>[1] = {},
): TelemetryBench {
  const collector = strictCollector()
  const sent: TelemetryBench['sent'] = []
  const answering: TelemetryBench['answering'] = { with: () => undefined }
  const reach: typeof fetch = async (input, init = {}) => {
    const url = String(input)
    const headers = new Headers(init.headers)
    sent.push({ url, headers })
    const answer = await answering.with(url, init)
    if (answer !== undefined) return answer
    collector.take(init.body as Uint8Array, headers.get('content-type'))
    return new Response(null, { status: 200 })
  }
  const holder: { bench: Bench | null } = { bench: null }
  const now_ms = () => holder.bench?.clock.now ?? 0
  const bench = benchOf(script, ports)
  holder.bench = bench
  const telemetry: ExportPorts = {
    usage: true,
    traces: true,
    receiver: { url: 'http://collector/v1/traces', headers: {}, protocol: 'http/protobuf', timeout_ms: 1_000 },
    tenants: tenantReceivers((tenant) => bench.ports.store.workspace(tenant).ask({ kind: 'receiver' }), now_ms),
    breaker: newBreaker(now_ms),
    sampler: { by_parent: true, ratio: 1 },
    capture_content: false,
    resource: { 'service.name': 'test' },
    version: '0',
    fetch: reach,
    provider_of: () => 'openai',
    ...overrides,
  }
  bench.ports.exports = telemetry
  bench.ports.webhooks = { ...bench.ports.webhooks, fetch: reach }
  return {
    ...bench,
    collector,
    telemetry,
    sent,
    answering,
    async export(id) {
      bench.clock.now += 10_000
      for (let jobs = 0; jobs < 20; jobs++) await exportTask(bench.ports, CALLER.tenant, id)
    },
  }
}

/** Gives spans their ids, their provider and their links, and the prompts and results where they are wanted. */
import type { ExportedTask } from '../../core/replay/export/export-page.ts'
import type { Attributes, SpanDraft, SpanName } from '../../core/replay/export/span-draft.ts'
import type { ReadablePage } from '../../core/protocol/task-answers.ts'
import type { Result } from '../../core/terms/refusal.ts'
import type { JournalEntry } from '../../core/terms/view.ts'
import type { Ports } from '../ports.ts'
import type { SentSpan } from './otlp-spans.ts'
import { contentOf } from './span-content.ts'
import type { ExportPorts } from '../network/export-ports.ts'
import { spanIdOf, traceOf, type TraceContext } from './trace-ids.ts'

interface TraceOfTask {
  task: ExportedTask
  trace: TraceContext
  provider_of: ExportPorts['provider_of']
}

export async function sentSpans(
  ports: Pick<Ports, 'store'>,
  of: TraceOfTask,
  drafts: readonly SpanDraft[],
  with_content: boolean,
): Promise<SentSpan[]> {
  const entries = with_content ? await entriesFor(ports, of.task, drafts) : NO_ENTRIES
  const ids = new Map<string, Promise<string>>()
  // Most spans of a page have the same parent, and a digest is the dearest part of a span.
  const idOf: IdOf = ({ about, row }) => {
    const key = `${about} ${row}`
    const id = ids.get(key) ?? spanIdOf(of.task, { about, row })
    ids.set(key, id)
    return id
  }
  return Promise.all(drafts.map((draft) => sentSpan(ports, of, idOf, draft, entries)))
}

type IdOf = (name: SpanName) => Promise<string>

async function sentSpan(
  ports: Pick<Ports, 'store'>,
  { task, trace, provider_of }: TraceOfTask,
  idOf: IdOf,
  draft: SpanDraft,
  entries: ReadonlyMap<number, JournalEntry>,
): Promise<SentSpan> {
  const { span, parent, content_of, called, forked_from, attributes, ...same } = draft
  const entry = content_of === null ? undefined : entries.get(content_of)
  return {
    ...same,
    trace_id: trace.trace_id,
    span_id: await idOf(span),
    parent:
      parent === 'caller'
        ? trace.caller_span === null
          ? null
          : { span_id: trace.caller_span, is_remote: true }
        : { span_id: await idOf(parent), is_remote: false },
    attributes: {
      ...attributes,
      ...(called === undefined ? OWN_PROVIDER : { 'gen_ai.provider.name': provider_of(called) }),
      ...(entry === undefined ? {} : contentOf(entry)),
    },
    links: forked_from === undefined ? [] : await linkTo(ports, task.tenant, forked_from),
  }
}

/** What the service does itself. */
const OWN_PROVIDER: Attributes = { 'gen_ai.provider.name': 'loop_agent' }
const NO_ENTRIES: ReadonlyMap<number, JournalEntry> = new Map()

/** A fork links to the first run of its parent. A parent that is gone has no trace that anybody could find by it. */
async function linkTo({ store }: Pick<Ports, 'store'>, tenant: string, { task, at }: { task: string; at: number }) {
  const asked = await store.of(tenant, task).ask({ kind: 'export', after: 0, limit: 0 })
  const parent = asked.ok ? asked.value.task : null
  if (parent === null) return []
  const { trace_id } = await traceOf(parent)
  const span_id = await spanIdOf(parent, { about: 'run', row: (parent.forked?.at ?? 0) + 1 })
  return [{ trace_id, span_id, attributes: { 'loop_agent.forked_from.task': task, 'loop_agent.forked_from.row': at } }]
}

/** The rows whose prompts and results are wanted, as the ledger shows them. */
async function entriesFor(
  { store }: Pick<Ports, 'store'>,
  { tenant, id }: ExportedTask,
  drafts: readonly SpanDraft[],
): Promise<ReadonlyMap<number, JournalEntry>> {
  const rows = drafts.flatMap(({ content_of }) => content_of ?? [])
  if (rows.length === 0) return NO_ENTRIES
  const [first, last] = [Math.min(...rows), Math.max(...rows)]
  const entries = new Map<number, JournalEntry>()
  // A page of the ledger is bounded by its characters too.
  for (let after: number | null = first - 1; after !== null && after < last;) {
    const asked: Result<ReadablePage<JournalEntry>> = await store
      .of(tenant, id)
      .ask({ kind: 'journal', after, limit: last - after })
    if (!asked.ok) break
    for (const entry of asked.value.data) entries.set(entry.seq, entry)
    const next: string | null = asked.value.next_cursor
    after = next === null ? null : Number(next)
  }
  return entries
}

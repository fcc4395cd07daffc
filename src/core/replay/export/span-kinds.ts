/**
 * What a span of each kind says. Names and attributes are those of the GenAI conventions in the version of `SCHEMA_URL`; what they have no
 * word for is below `loop_agent`. `plan` is an operation of the conventions that follow that version, which allows operations of one's own.
 */
import type { ExportedTask, ExportRow, LedgerRow, UsedBudget } from './export-page.ts'
import { firstRow, requestedName, usedBetween } from './row-usage.ts'
import type { Attributes, AttributeValue, SpanDraft } from './span-draft.ts'

/** The version of the semantic conventions that the spans follow. */
export const SCHEMA_URL = 'https://opentelemetry.io/schemas/1.41.1'

/** A run of work, with what it has used and how it left its task. */
export function runSpan(
  { first, before }: { first: LedgerRow; before: UsedBudget },
  last: LedgerRow,
  task: ExportedTask,
): SpanDraft[] {
  const root = firstRow(task)
  const used = usedBetween(before, last.used)
  const { kinds } = used
  const name = task.agent?.name
  return [
    {
      span: { about: 'run', row: first.seq },
      parent: first.seq === root ? 'caller' : { about: 'run', row: root },
      name: name === undefined ? 'invoke_agent' : `invoke_agent ${name}`,
      kind: 'internal',
      start_ms: first.at,
      end_ms: Math.max(first.at, last.closed_at),
      attributes: present({
        'gen_ai.operation.name': 'invoke_agent',
        ...ofTask(task),
        'gen_ai.usage.input_tokens': kinds.input + kinds.cache_read + kinds.cache_write + kinds.image,
        'gen_ai.usage.output_tokens': kinds.output + kinds.reasoning,
        'loop_agent.drive': task.drive,
        'loop_agent.run.first_row': first.seq,
        'loop_agent.run.last_row': last.seq,
        ...amounts('loop_agent.run', used),
        ...amounts('loop_agent.budget.used', last.used),
        'loop_agent.budget.max.steps': last.max.steps,
        'loop_agent.budget.max.tokens': last.max.tokens,
        'loop_agent.budget.max.cost_micro_usd': last.max.cost,
        'loop_agent.budget.max.working_ms': last.max.ms,
        'loop_agent.task.status': last.end?.status ?? (last.paused === null ? null : 'paused'),
        'loop_agent.task.stop_reason': last.end?.reason ?? last.paused,
      }),
      error: last.end?.status === 'failed' ? last.end.reason : null,
      content_of: null,
      ...(task.forked !== null && first.seq === root ? { forked_from: task.forked } : {}),
    },
  ]
}

/** The phases in which a model plans. */
const PLANNING: ReadonlySet<string> = new Set(['plan', 'replan'])

/** The span of an effect. A model call that plans lies in a span of the planning. */
export function effectSpans(row: ExportRow, before: UsedBudget, run: number, task: ExportedTask): SpanDraft[] {
  const { effect } = row
  if (effect === null) return []
  const in_run = { about: 'run', row: run } as const
  if (effect.kind !== 'call_model') return [toolSpan(row, effect, before, in_run, task)]
  if (!PLANNING.has(effect.phase)) return [chatSpan(row, effect, before, in_run, task)]
  const plan = { about: 'plan', row: row.seq } as const
  const chat = chatSpan(row, effect, before, plan, task)
  const { called: _called, ...same } = chat
  const planning: SpanDraft = {
    ...same,
    span: plan,
    parent: in_run,
    name: 'plan',
    kind: 'internal',
    attributes: present({
      'gen_ai.operation.name': 'plan',
      ...ofTask(task),
      'loop_agent.row': row.seq,
      'loop_agent.phase': effect.phase,
    }),
    content_of: null,
  }
  return [planning, chat]
}

type Effect<K> = Extract<NonNullable<ExportRow['effect']>, { kind: K }>

function chatSpan(
  row: ExportRow,
  effect: Effect<'call_model'>,
  before: UsedBudget,
  parent: SpanDraft['parent'],
  task: ExportedTask,
): SpanDraft {
  const { event } = row
  const replied = event?.kind === 'model_replied' ? event : null
  const usage = replied?.usage ?? (event?.kind === 'model_failed' ? event.usage : null)
  const asked = requestedName(effect, event, task.settings)
  const model = asked ?? replied?.model
  return {
    ...effectSpan(row, parent),
    name: model === undefined ? 'chat' : `chat ${model}`,
    kind: 'client',
    attributes: present({
      'gen_ai.operation.name': 'chat',
      ...ofTask(task),
      'gen_ai.request.model': model,
      'gen_ai.request.max_tokens': row.output_cap,
      'gen_ai.response.model': replied?.model,
      'gen_ai.response.finish_reasons': replied === null ? null : [finishOf(replied)],
      'gen_ai.output.type': replied === null ? null : replied.form === 'text' ? 'text' : 'json',
      'gen_ai.usage.input_tokens': usage?.input_tokens,
      'gen_ai.usage.output_tokens': usage?.output_tokens,
      'gen_ai.usage.cache_read.input_tokens': usage?.cache_read_tokens,
      'gen_ai.usage.cache_creation.input_tokens': usage?.cache_write_tokens,
      'gen_ai.usage.reasoning.output_tokens': usage?.reasoning_tokens,
      'loop_agent.prompt': effect.prompt,
      ...ofEffect(row, effect.phase, before),
    }),
    error: errorOf(event),
    called: asked,
  }
}

const finishOf = ({ finish, calls }: { finish?: 'length' | undefined; calls: number }) =>
  finish ?? (calls > 0 ? 'tool_calls' : 'stop')

function toolSpan(
  row: ExportRow,
  effect: Effect<'run_tool'> | Effect<'list_tools'>,
  before: UsedBudget,
  parent: SpanDraft['parent'],
  task: ExportedTask,
): SpanDraft {
  const listed = effect.kind === 'list_tools'
  const { event } = row
  const own: Record<string, AttributeValue | null> = listed
    ? {
        'gen_ai.operation.name': 'list_tools',
        'loop_agent.source': effect.source,
        'loop_agent.tools': event?.kind === 'tools_listed' ? event.tools : null,
      }
    : {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': effect.tool,
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.call.id': `${task.id}:${row.seq}`,
        'loop_agent.item.id': effect.item_id,
        'loop_agent.chosen_at_row': effect.by,
        'loop_agent.tool.code': event?.kind === 'tool_returned' ? event.code : null,
      }
  return {
    ...effectSpan(row, parent),
    name: listed ? 'list_tools' : `execute_tool ${effect.tool}`,
    kind: 'internal',
    attributes: present({ ...own, ...ofTask(task), ...ofEffect(row, effect.phase, before) }),
    error: errorOf(event),
  }
}

/** A command to a worker, from when it was handed out until its report, the end of its time, or its withdrawal. */
export function delegationSpan({ seq, closed_at, event, withdrawn }: ExportRow, task: ExportedTask): SpanDraft[] {
  const settled = settledBy(event) ?? withdrawnOf(withdrawn)
  if (settled === null) return []
  const { delegation, dispatched_at, status, error } = settled
  const root = firstRow(task)
  return [
    {
      span: { about: 'delegation', row: delegation },
      // A fork hands out what its parent waited for, and has no span of the copied row.
      parent: delegation < root ? { about: 'run', row: root } : { about: 'row', row: delegation },
      name: 'invoke_agent worker',
      kind: 'client',
      start_ms: Math.min(dispatched_at, closed_at),
      end_ms: closed_at,
      attributes: present({
        'gen_ai.operation.name': 'invoke_agent',
        ...ofTask(task),
        'gen_ai.agent.name': 'worker',
        'gen_ai.agent.version': null,
        'loop_agent.delegation.row': delegation,
        'loop_agent.report.row': seq,
        'loop_agent.report.status': status,
      }),
      error,
      content_of: null,
    },
  ]
}

/** While a deployment is rolled out, a page of an object of the release before may not say what was withdrawn (OPS-09). */
const withdrawnOf = (withdrawn: ExportRow['withdrawn'] | undefined) =>
  withdrawn === null || withdrawn === undefined ? null : { ...withdrawn, status: null, error: 'canceled' }

function settledBy(event: ExportRow['event']) {
  switch (event?.kind) {
    case 'report_arrived':
      return { ...event, error: event.status === 'FAILED' ? 'worker_failed' : null }
    case 'report_expired':
      return { ...event, status: null, error: event.kind }
    default:
      return null
  }
}

const effectSpan = (row: ExportRow, parent: SpanDraft['parent']) => ({
  span: { about: 'row', row: row.seq } as const,
  parent,
  start_ms: row.at,
  end_ms: Math.max(row.at, row.closed_at),
  content_of: row.seq,
})

/** What every span of a task says. */
const ofTask = ({ id, tenant, mode, key_name, agent }: ExportedTask) => ({
  'gen_ai.conversation.id': id,
  'gen_ai.agent.name': agent?.name,
  'gen_ai.agent.version': agent === null ? null : String(agent.version),
  'loop_agent.task.id': id,
  'loop_agent.tenant': tenant,
  'loop_agent.mode': mode,
  'loop_agent.key': key_name,
})

const ofEffect = ({ seq, attempt, used }: ExportRow, phase: string, before: UsedBudget) => ({
  'loop_agent.row': seq,
  'loop_agent.phase': phase,
  'loop_agent.attempt': attempt,
  ...amounts('loop_agent.charged', usedBetween(before, used)),
})

const amounts = (prefix: string, { steps, tokens, cost, ms }: UsedBudget) => ({
  [`${prefix}.steps`]: steps,
  [`${prefix}.tokens`]: tokens,
  [`${prefix}.cost_micro_usd`]: cost,
  [`${prefix}.working_ms`]: ms,
})

/** A low-cardinality word for what went wrong. null: nothing did. */
function errorOf(event: ExportRow['event']): string | null {
  switch (event?.kind) {
    case 'model_failed':
      return event.status === null ? (event.timed_out ? 'timeout' : '_OTHER') : String(event.status)
    case 'tool_returned':
      return event.ok ? null : event.code
    case 'tools_unlisted':
    case 'effect_orphaned':
    case 'outcome_unknown':
    case 'abandoned':
      return event.kind
    default:
      return null
  }
}

function present(attributes: Record<string, AttributeValue | null | undefined>): Attributes {
  const known: Attributes = {}
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) known[name] = value
  return known
}

/** The examples of openapi.yaml. Only the document and the tests import them, so that the Worker does not contain them. */
import { offeredTools } from '../../core/engine/tools/offered-tools.ts'
import type { WebhookTest } from '../../core/shown/webhook-test.ts'
import type { Replay } from '../../core/shown/replay-view.ts'
import type { CommandResult } from '../../core/workspace/commands/result.ts'
import { DEFAULT_SETTINGS } from '../../core/terms/settings.ts'
import type {
  DeliveryEntry,
  DryRun,
  Envelope,
  FileView,
  JournalEntry,
  StoredRow,
  TaskEntry,
  TaskView,
} from '../../core/terms/view.ts'
import type { Page, TaskPage } from '../../shell/caller.ts'
import type { ROUTES } from '../contract.ts'
import { shownTask } from '../shapes/shown-task.ts'
import type { BodyRule } from '../route.ts'
import { ADMIN_EXAMPLES } from './admin-examples.ts'
import { TELEMETRY_EXAMPLES } from './telemetry-examples.ts'
import { AGENT_EXAMPLES, AGENT_INPUT_EXAMPLE, SECRET_EXAMPLES } from './named-examples.ts'
import { SCHEDULE_EXAMPLES } from './schedule-examples.ts'
import { SIGN_IN_EXAMPLES } from './sign-in-examples.ts'
import { TOOL_EXAMPLES } from './tool-examples.ts'
import { DELEGATION_EXAMPLES, onlyPage, TASK_ID } from './delegation-examples.ts'
import { LIMITS_EXAMPLE } from './limits-example.ts'
import { MODELS_EXAMPLE } from './models-example.ts'

const id = TASK_ID
const title = 'Add "buy milk" to the todo list'
const event = (seq: number, type: Envelope['type'], step_count: number, payload: Envelope['payload']): Envelope => ({
  seq,
  type,
  at: '2026-03-02T09:00:01.000Z',
  task_id: id,
  // Row 1 creates the task and row 2 plans it. In these examples each later row costs one step.
  payload: { ...payload, journal_seq: step_count + 2, step_count },
})

const entry: Omit<TaskEntry, 'as_of'> = {
  id,
  mode: 'plan_execute',
  goal: 'Buy milk tomorrow',
  locale: 'en',
  timezone: 'Europe/Berlin',
  status: 'running',
  stop_reason: null,
  plan: { revision: 1, cursor: 0, source: 'plan', finished_count: 0 },
  budget: {
    unit: 'steps',
    used: 2,
    max: 20,
    remaining: 18,
    tokens: {
      used: 412,
      max: null,
      kinds: { input: 310, cache_read: 0, cache_write: 0, image: 0, output: 102, reasoning: 0 },
    },
    cost_usd: { used: '0.000000', max: null },
    seconds: { used: 1, max: null },
  },
  step_count: 2,
  counters: { model_calls: 2, actions: 1, successful_actions: 1, failed_actions: 0, replans: 0, iterations: 0 },
  pending: null,
  result: null,
  error: null,
  retry_after_ms: null,
  settings: shownTask({ mode: 'plan_execute', settings: DEFAULT_SETTINGS }, {}).settings,
  tools: offeredTools({ mode: 'plan_execute', tools: [] }).map(({ name }) => name),
  drive: 'manual',
  callback_url: null,
  metadata: { source: 'curl' },
  title: null,
  agent: null,
  forked_from: null,
  version: 5,
  created_at: '2026-03-02T09:00:00.000Z',
  updated_at: '2026-03-02T09:00:02.000Z',
}

const events: Envelope[] = [
  event(1, 'plan_created', 0, { items: [{ id: 'step_1', title }], cursor: 0 }),
  event(2, 'item_started', 0, { item_id: 'step_1', title, index: 0, total: 1 }),
  event(3, 'thought_decided', 1, { phase: 'thought', item_id: 'step_1', decision: 'continue', text: title }),
  event(4, 'action_started', 1, { item_id: 'step_1', tool: 'todo', input: '/todo add buy milk' }),
  event(5, 'action_finished', 2, {
    item_id: 'step_1',
    tool: 'todo',
    ok: true,
    status: 'success',
    text: 'Added #1: buy milk',
  }),
]

export const TASK_EXAMPLE: TaskView = {
  ...entry,
  plan: {
    ...entry.plan,
    items: [
      { id: 'step_1', title, description: '', expected_output: null, status: 'running', result: null, progress: null },
    ],
    finished: [],
  },
  last_thought: { phase: 'thought', decision: 'continue', text: title, at: '2026-03-02T09:00:01.000Z' },
  handover: null,
  slice: { advanced: true, rounds: 1, events },
}
export const DRY_RUN_EXAMPLE: DryRun = {
  ...TASK_EXAMPLE,
  id: null,
  slice: { advanced: false, rounds: 0, events: [] },
  forecast: {
    worst_case: { steps: 20, tokens: 180_000, cost_usd: '0.000000', seconds: 1_260 },
    expected: {
      steps: { low: 3, high: 6 },
      tokens: { low: 900, high: 2_400 },
      cost_usd: { low: '0.000000', high: '0.000000' },
      seconds: { low: 1, high: 4 },
      tasks: 24,
      past_error: 0.18,
    },
  },
}
export const TASK_PAGE_EXAMPLE: TaskPage = {
  data: [{ ...entry, as_of: '2026-03-02T09:00:04.000Z' }],
  has_more: true,
  next_cursor: '17',
  as_of: '2026-03-02T09:00:05.000Z',
}
export const EVENT_PAGE_EXAMPLE: Page<Envelope> = {
  data: events.slice(0, 2),
  has_more: true,
  next_cursor: '2',
}
const row: JournalEntry = {
  seq: 2,
  kind: 'call_model',
  phase: 'plan',
  counted: false,
  outcome: 'ok',
  tokens: {
    input: 310,
    output: 102,
    kinds: { input: 310, cache_read: 0, cache_write: 0, image: 0, output: 102, reasoning: 0 },
  },
  charged_tokens: 560,
  price_version: null,
  endpoint: null,
  over_reserve: false,
  duration_ms: 812,
  cost_usd: '0.000000',
  model: 'offline-rules',
  attempt: 1,
  started_at: '2026-03-02T09:00:00.000Z',
  finished_at: '2026-03-02T09:00:01.000Z',
  request: { messages: [{ role: 'user', content: 'Plan: buy milk tomorrow' }] },
  request_exact: true,
  reply: { status: 'planned', plan: [title] },
}
export const JOURNAL_PAGE_EXAMPLE = onlyPage(row)
export const STORED_PAGE_EXAMPLE = onlyPage<StoredRow>({
  seq: 5,
  kind: 'user_remarked',
  at: 1_772_442_000_000,
  slice: null,
  lease: null,
  key: null,
  effect: null,
  reserved: null,
  event: '{"kind":"user_remarked","text":"before noon, please"}',
  head: '{"schema_version":2,…',
})
export const REPLAY_EXAMPLE: Replay = {
  equal: false,
  events: 12,
  first_difference: { seq: 12, path: '/head/budget/steps/used', expected: 6, found: 5 },
}
export const COMMAND_EXAMPLE: CommandResult = {
  kind: 'todo_added',
  ok: true,
  text: 'Added #1: buy milk',
  rows: [{ id: 1, status: 'open', tag: 'default', priority: 0, content: 'buy milk' }],
  data: { id: 1 },
}

export const DELIVERY_EXAMPLE: DeliveryEntry = {
  id: `${entry.id}_12`,
  task_id: entry.id,
  type: 'task.completed',
  status: 'failed',
  attempts: 10,
  detail: 'HTTP 503',
  created_at: '2026-03-02T09:00:02.000Z',
  updated_at: '2026-03-05T12:36:41.000Z',
}
export const WEBHOOK_TEST_EXAMPLE: WebhookTest = {
  id: 'test_Zk3vQ8mT1xY7bN5cR2wH',
  ok: false,
  status: 401,
  detail: 'HTTP 401',
  duration_ms: 84,
  body: '{"error":"bad signature"}',
  body_cut: false,
}
export const DELIVERY_PAGE_EXAMPLE = onlyPage(DELIVERY_EXAMPLE)

const FILE_EXAMPLE: FileView = {
  name: 'sales.csv',
  content_type: 'text/csv',
  size: 52_431,
  url: `https://agent.example/tasks/${id}/files/sales.csv?token=WzEsInJlYWQ6ZmlsZXMi`,
  created_at: '2026-03-02T09:00:00.000Z',
}

/** A request and its answer. `also` has the answers with another status. */
interface Example {
  request?: unknown
  answer?: unknown
  also?: Record<number, unknown>
}

type RouteName = keyof typeof ROUTES
type RoutesWith<Part> = { [Name in RouteName]: (typeof ROUTES)[Name] extends Part ? Name : never }[RouteName]
/** The compiler asks for the request of each route with a body, and for the answer of each route that answers JSON. */
type Examples = Partial<Record<RouteName, Example>> &
  Record<RoutesWith<{ body: BodyRule }>, { request: unknown }> &
  Record<RoutesWith<{ success: { content: { kind: 'json' } } }>, { answer: unknown }>

export const EXAMPLES: Readonly<Record<string, Example>> = {
  createTask: {
    request: { goal: 'Buy milk tomorrow', rounds: 1, settings: { max_steps: 20, max_cost_usd: '0.50' } },
    answer: TASK_EXAMPLE,
    also: { 200: DRY_RUN_EXAMPLE },
  },
  dryRunTask: { request: { goal: 'Buy milk tomorrow', settings: { max_steps: 20 } }, answer: DRY_RUN_EXAMPLE },
  listTasks: { answer: TASK_PAGE_EXAMPLE },
  getTask: { answer: { ...TASK_EXAMPLE, slice: null } },
  stepTask: { request: { rounds: 3 }, answer: TASK_EXAMPLE },
  inputTask: { request: { input: 'tomorrow at 3pm' }, answer: TASK_EXAMPLE },
  topUpTask: { request: { add: { steps: 10, cost_usd: '0.25' } }, answer: TASK_EXAMPLE },
  editPlan: {
    request: {
      items: [{ id: 'step_1', title, expected_output: 'the number of the todo' }, { title: 'List the todos' }],
    },
    answer: TASK_EXAMPLE,
  },
  changeTask: {
    request: { title: 'Milk for tomorrow', metadata: { source: 'phone' } },
    answer: { ...TASK_EXAMPLE, title: 'Milk for tomorrow', metadata: { source: 'phone' } },
  },
  pauseTask: { request: {}, answer: { ...TASK_EXAMPLE, status: 'paused', stop_reason: 'paused_by_user' } },
  resumeTask: { request: {}, answer: TASK_EXAMPLE },
  cancelTask: { request: {}, answer: { ...TASK_EXAMPLE, status: 'canceled', stop_reason: 'canceled' } },
  listEvents: { answer: EVENT_PAGE_EXAMPLE },
  listJournal: { answer: JOURNAL_PAGE_EXAMPLE },
  exportTask: { answer: STORED_PAGE_EXAMPLE },
  forkTask: {
    request: {
      at: 4,
      settings: { max_steps: 40 },
      edit: { seq: 4, outcome: { ok: false, code: 'error', text: 'no such list' } },
    },
    answer: { ...TASK_EXAMPLE, slice: { advanced: false, rounds: 0, events: [] } },
  },
  retryTask: {
    request: { settings: { max_steps: 40 } },
    answer: { ...TASK_EXAMPLE, slice: { advanced: false, rounds: 0, events: [] } },
  },
  replayTask: { request: {}, answer: REPLAY_EXAMPLE },
  putFile: { answer: FILE_EXAMPLE, also: { 200: FILE_EXAMPLE } },
  listFiles: { answer: onlyPage(FILE_EXAMPLE) },
  ...SECRET_EXAMPLES,
  ...ADMIN_EXAMPLES,
  ...TELEMETRY_EXAMPLES,
  ...AGENT_EXAMPLES,
  createAgentTask: {
    request: { input: AGENT_INPUT_EXAMPLE },
    answer: { ...TASK_EXAMPLE, agent: { name: 'support', version: 3 }, input: AGENT_INPUT_EXAMPLE },
  },
  ...SCHEDULE_EXAMPLES,
  listDeliveries: { answer: DELIVERY_PAGE_EXAMPLE },
  redeliver: { request: {}, answer: { ...DELIVERY_EXAMPLE, status: 'pending', attempts: 0 } },
  testWebhook: {
    request: { url: 'https://app.example.com/hooks/agent' },
    answer: WEBHOOK_TEST_EXAMPLE,
  },
  runCommand: { request: { command: '/todo add buy milk' }, answer: COMMAND_EXAMPLE },
  postAnswer: { request: { input: 'tomorrow at 3pm' }, answer: { recorded: 'tomorrow at 3pm' } },
  ...DELEGATION_EXAMPLES,
  listModels: { answer: MODELS_EXAMPLE },
  getLimits: { answer: LIMITS_EXAMPLE },
  ...TOOL_EXAMPLES,
  ...SIGN_IN_EXAMPLES,
  getHealth: {
    answer: { status: 'ok', version: '0.1.0', model: { endpoint: 'fast', wire: 'chat', model: 'gpt-5-mini' } },
  },
} satisfies Examples

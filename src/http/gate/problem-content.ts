/** The detail of each problem, and the headers and further members of some. Its status and title are in shapes/problems.ts. */
import { FILES_MAX } from '../../core/terms/files/files.ts'
import type { FieldError, HttpRefusal, ProblemCode } from '../shapes/http-refusal.ts'
import { TENANT_FAULTS, unauthorizedDetail } from './hints/credential-faults.ts'
import { countText, quotaContent, rateContent, retryAfter, spentContent } from './hints/limit-contents.ts'
import { REGISTRY_CONTENTS } from './hints/registry-contents.ts'

interface ProblemContent {
  detail: string
  headers?: Record<string, string>
  members?: Record<string, unknown>
}
type RefusalOf<C extends ProblemCode> = Extract<HttpRefusal, { code: C }>

/** Space becomes free only when somebody deletes something. */
const FULL_RETRY_S = 60
/** A process that is being replaced has ended by then, except for long calls. */
const RESTART_RETRY_S = 2
/** The next heartbeat detects a watcher that has left. */
const WATCHERS_RETRY_S = 15
/** Most slices end long before their lease, so it is worth trying earlier. */
const BUSY_RETRY_S_MAX = 5

/** A new refusal does not compile until it has an entry here. */
const CONTENTS: { [C in ProblemCode]: (refusal: RefusalOf<C>) => ProblemContent } = {
  invalid_url: () => ({
    detail: 'The address of the request cannot be read: look at its path and its Host header.',
  }),
  invalid_json: ({ detail }) => ({ detail }),
  unreadable_body: ({ detail }) => ({ detail }),
  unauthorized: ({ given, mistake, token }) => ({
    detail: unauthorizedDetail(given, mistake, token),
    headers: { 'www-authenticate': `Bearer realm="loop-agent"${given ? ', error="invalid_token"' : ''}` },
  }),
  no_tenant: ({ claim, fault }) => ({
    detail: `The claim "${claim}" of this token ${TENANT_FAULTS[fault]}.`,
    headers: { 'www-authenticate': 'Bearer realm="loop-agent", error="insufficient_scope"' },
  }),
  worker_key: () => ({
    detail: 'This key is for workers: it lists, reads, claims and reports delegations, and opens nothing else.',
    headers: { 'www-authenticate': 'Bearer realm="loop-agent", error="insufficient_scope"' },
  }),
  insufficient_scope: ({ needed, given }) => ({
    detail: `This route needs a key with the scope ${needed}; this key has ${given.length === 0 ? 'none' : given.join(', ')}.`,
    headers: { 'www-authenticate': `Bearer realm="loop-agent", error="insufficient_scope", scope="${needed}"` },
    members: { needed, scopes: given.join(' ') },
  }),
  not_found: ({ hint }) => ({
    detail:
      hint === undefined
        ? 'There is no such route; GET /openapi.yaml lists all of them.'
        : `There is no such route: ${hint}${hint.endsWith('?') ? '' : '.'} GET /openapi.yaml lists all of them.`,
  }),
  task_not_found: () => ({ detail: 'There is no such task.' }),
  delivery_not_found: () => ({
    detail: 'There is no such delivery; GET /webhooks/deliveries lists those that were given up.',
  }),
  link_not_found: () => ({ detail: 'There is no such link: it may have been cut or changed on its way.' }),
  expired: () => ({ detail: 'This link has expired.' }),
  method_not_allowed: ({ allow }) => ({
    detail: `This route takes ${allow.map((method) => method + (METHOD_DEEDS[method] ?? '')).join(', ')}.`,
    headers: { allow: allow.join(', ') },
  }),
  validation_failed: (refusal) => ({ detail: summary(refusal), members: { errors: refusal.errors } }),
  payload_too_large: ({ max_bytes, stored }) => ({
    detail:
      stored === true
        ? `Written as JSON the report may have at most ${max_bytes} bytes: line feeds and control characters are longer there.`
        : `The body may have at most ${max_bytes} bytes.`,
  }),
  unsupported_media_type: ({ detail, accepted, method = 'post' }) => ({
    detail,
    // No header names the types that a PUT takes.
    headers: method === 'put' ? {} : { [`accept-${method}`]: accepted.join(', ') },
  }),
  idempotency_key_reused: () => ({ detail: 'This Idempotency-Key came before with another body; take a new one.' }),
  request_in_progress: (refusal) => ({
    ...leaseContent(refusal),
    detail: 'The first request with this Idempotency-Key is still running. Try again after Retry-After.',
  }),

  task_busy: (refusal) => ({
    ...leaseContent(refusal),
    detail: 'The task is busy. Try again after Retry-After, or send Prefer: wait=N to wait for it.',
  }),
  lease_lost: () => ({
    detail: 'Another request has taken this task over; read it again.',
    headers: { 'retry-after': '1' },
  }),
  task_ended: ({ status, takes_attempts }) => ({
    detail:
      takes_attempts === true
        ? `The task is ${status}: its model broke the contract of its replies too often. Send "continue", or top up "add.attempts", and it goes on.`
        : `The task is ${status}: it cannot be changed in this way any more.`,
  }),
  task_not_ended: ({ status }) => ({
    detail: `The task is ${status}: only a task that has ended is made again. Cancel it first, or fork it at a row.`,
  }),
  state_unreadable: () => ({
    detail:
      'The stored state of this task cannot be read. It is left as it is: GET /tasks/{id}/export gives its rows. Other tasks are not affected.',
  }),
  question_settled: ({ recorded }) =>
    // The holder of a link also sees the recorded answer.
    recorded === undefined
      ? { detail: 'The question of this request_id is not open.' }
      : { detail: 'This question is settled; its answer was not changed.', members: { recorded } },
  precondition_required: () => ({
    detail: 'Send If-Match with the ETag of the task you have seen, such as If-Match: "7".',
  }),
  precondition_failed: ({ version, waiting }) => ({
    detail: waiting
      ? 'Another edit of the plan is waiting for the step under way. Read the task again when that is over.'
      : `The task is at version ${version}: read it again, and send If-Match: "${version}" if the change still fits.`,
  }),
  plan_not_editable: ({ mode }) => ({ detail: `The plan of this task (mode ${mode}) cannot be edited now.` }),
  too_many_watchers: ({ max }) => ({
    detail: `At most ${countText(max, 'watcher')} may follow one task. Close one, or read the events in pages.`,
    headers: retryAfter(WATCHERS_RETRY_S),
  }),

  file_not_found: () => ({ detail: 'The task has no such file; GET /tasks/{id}/files lists those it has.' }),
  file_reserved: ({ name }) => ({
    detail: `The task keeps "${name}" up to date by itself: it can be read, not put or deleted. Take another name.`,
  }),
  file_too_large: ({ max_bytes, part = 'The file' }) => ({ detail: `${part} may have at most ${max_bytes} bytes.` }),
  too_many_files: ({ part }) => ({
    detail:
      part === undefined
        ? `A task has at most ${FILES_MAX} files; delete one first, or put it in place of another.`
        : `${part} is one file too many: a task has at most ${FILES_MAX}.`,
  }),

  secret_not_found: ({ hint }) => ({
    detail:
      hint === '' ? 'There is no such secret; GET /secrets lists those there are.' : `There is no such secret${hint}`,
  }),
  receiver_not_found: () => ({ detail: 'The tenant has named no receiver of spans; PUT /telemetry names one.' }),
  usage_off: () => ({ detail: 'Usage is not counted here: the operator has set USAGE to off.' }),
  traces_off: () => ({ detail: 'Spans are not sent from here: ask whoever runs the service to allow it.' }),
  too_many_secrets: ({ max }) => ({
    detail: `A tenant has at most ${countText(max, 'secret')}; delete one first, or put it in place of another.`,
  }),

  agent_not_found: ({ name, version, hint }) => ({
    detail:
      version !== null
        ? `There is no ${name}@${version}${hint}; GET /agents/${name}/versions lists those that are kept.`
        : hint === ''
          ? 'There is no such agent; GET /agents lists those there are.'
          : `There is no such agent${hint}`,
  }),
  agent_changed: ({ name, version, is_new }) => ({
    detail:
      version === null
        ? `There is no agent "${name}" yet: leave out If-Match.`
        : is_new
          ? `There is an agent "${name}" already, at version ${version}: leave out If-None-Match to put its next version.`
          : `The agent is at version ${version}: GET /agents/${name} has its ETag for If-Match.`,
  }),
  agent_in_use: ({ name, tasks, ids }) => ({
    detail: `${countText(tasks, 'open task')} ${tasks === 1 ? 'was' : 'were'} made by "${name}", such as ${ids.join(', ')}. Let them end, or send ?force=true: they keep what the agent said.`,
  }),
  too_many_agents: ({ max }) => ({
    detail: `A tenant has at most ${countText(max, 'agent')}; delete one first, or put it in place of another.`,
  }),
  schedule_not_found: ({ hint }) => ({
    detail:
      hint === ''
        ? 'There is no such schedule; GET /schedules lists those there are.'
        : `There is no such schedule${hint}`,
  }),
  too_many_schedules: ({ max }) => ({
    detail: `A tenant has at most ${countText(max, 'schedule')}; delete one first, or put it in place of another.`,
  }),
  schedule_budget_exceeded: ({ name }) => ({
    detail: `The runs of this day have used up the daily budget of "${name}": raise daily, or wait for the next day of its zone.`,
  }),

  delegation_not_found: () => ({
    detail: 'There is no such delegation; GET /delegations?status=pending lists those that wait for a worker.',
  }),
  delegation_claimed: ({ worker, until, now_ms }) => ({
    detail: `${worker} works on it until ${new Date(until).toISOString()}. Try again after Retry-After, or take another one.`,
    headers: retryAfter((until - now_ms) / 1000),
  }),
  delegation_canceled: () => ({
    detail: 'This command was withdrawn: its task has ended, or its plan was changed. Nothing was recorded.',
  }),
  delegation_expired: () => ({
    detail: 'Its deadline has passed, and its task has gone on without the report. Nothing was recorded.',
  }),
  already_reported: ({ recorded }) => ({
    detail: `A report ${recorded === undefined ? '' : `of ${recorded} `}was recorded for this command before, and stands. Yours is another one and was not taken.`,
    members: { recorded },
  }),
  wrong_command: ({ wanted, given }) => ({
    detail: `The report is about ${given}, this delegation about ${wanted}. Nothing was recorded.`,
  }),

  ...REGISTRY_CONTENTS,

  tenant_budget_exceeded: spentContent,
  model_not_budgetable: ({ models }) => ({
    detail: `No price is known for ${models.join(', ')}: where money is bounded, by max_cost_usd or for the tenant's day, MODEL_PRICES needs one.`,
  }),
  quota_exceeded: quotaContent,
  rate_limited: rateContent,

  llm_not_configured: () => ({
    detail: 'No model is configured: set OPENAI_API_KEY or OPENAI_BASE_URL, or MODEL_PROVIDER=offline.',
  }),
  not_configured: ({ reasons }) => ({ detail: reasons.join('; ') }),
  internal_error: () => ({
    detail: 'Something went wrong here. The X-Request-Id of this answer finds it in the log.',
  }),
  unavailable: ({ retry_after_s, what = 'task' }) => ({
    detail:
      what === 'task'
        ? 'The service could not reach the task; try again.'
        : 'The service could not look up the key or the tenant; try again.',
    headers: retryAfter(retry_after_s),
  }),
  issuer_unreachable: ({ retry_after_s }) => ({
    detail: 'The issuer of logins cannot be reached, so no token can be verified now. Keys work as before. Try again.',
    headers: retryAfter(retry_after_s),
  }),
  shutting_down: () => ({
    detail: 'This process of the service is ending. Try again after Retry-After.',
    headers: retryAfter(RESTART_RETRY_S),
  }),
  storage_full: () => ({
    detail:
      'There is no room to store this change, and it was not made. What is stored can still be read; ask whoever runs the service.',
    headers: retryAfter(FULL_RETRY_S),
  }),
}

export function problemContent(refusal: HttpRefusal): ProblemContent {
  // The entry of a code takes exactly the refusals with this code.
  const content = CONTENTS[refusal.code] as (refusal: HttpRefusal) => ProblemContent
  return content(refusal)
}

const METHOD_DEEDS: Readonly<Record<string, string>> = {
  DELETE: ' (deletes)',
  GET: ' (reads)',
  PATCH: ' (changes)',
  PUT: ' (makes or replaces)',
}

const leaseContent = ({ expires_ms, now_ms }: { expires_ms: number; now_ms: number }) => ({
  headers: retryAfter(Math.min((expires_ms - now_ms) / 1000, BUSY_RETRY_S_MAX)),
  members: { lease_expires_at: new Date(expires_ms).toISOString() },
})

/** The detail repeats the first error and the hint, because a terminal shows the detail first. */
function summary({ errors, hint }: { errors: FieldError[]; hint?: string }): string {
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  const first = `${errors[0]?.message ?? 'The request is not valid'}${more}`
  const detail = first.endsWith('?') ? first : `${first}.`
  return hint === undefined ? detail : `${detail} ${hint}`
}

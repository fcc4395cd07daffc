/**
 * Turns each refusal into a problem document (RFC 9457). A new refusal does not compile until it has a line in the table of problems and
 * a case in the switch here.
 */
import type { FieldError, HttpRefusal } from '../shapes/http-refusal.ts'
import { PROBLEMS } from '../shapes/problems.ts'
import {
  countText,
  delegationDetail,
  fileDetail,
  quotaDetail,
  quotaMembers,
  type DelegationRefusal,
} from '../text/refusal-details.ts'

/** The parts of a problem besides its status, title and code. */
interface ProblemContent {
  detail: string
  headers?: Record<string, string>
  members?: Record<string, unknown>
}

/** The line feed keeps the prompt of a terminal on its own line. */
export const jsonText = (value: unknown) => `${JSON.stringify(value)}\n`

/** `instance` is the path of the request as sent. */
export function problemResponse(refusal: HttpRefusal, instance: string): Response {
  const [status, title] = PROBLEMS[refusal.code]
  const { detail, headers, members } = contentOf(refusal)
  const type = `urn:loop-agent:problem:${refusal.code}`
  const problem = {
    type,
    title,
    status,
    detail,
    instance: instance.slice(0, 200),
    code: refusal.code,
    ...members,
  }
  return new Response(jsonText(problem), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  })
}

function contentOf(refusal: HttpRefusal): ProblemContent {
  switch (refusal.code) {
    case 'invalid_url':
      return { detail: 'The address of the request cannot be read: look at its path and its Host header.' }
    case 'invalid_json':
    case 'unreadable_body':
      return { detail: refusal.detail }
    case 'unauthorized':
      return unauthorized(refusal.given)
    case 'worker_key':
      return {
        detail: 'This key is for workers: it lists, reads, claims and reports delegations, and opens nothing else.',
        headers: { 'www-authenticate': 'Bearer realm="loop-agent", error="insufficient_scope"' },
      }
    case 'not_found':
      return { detail: 'There is no such route; GET /openapi.yaml lists all of them.' }
    case 'task_not_found':
      return { detail: 'There is no such task.' }
    case 'delivery_not_found':
      return { detail: 'There is no such delivery; GET /webhooks/deliveries lists those that were given up.' }
    case 'method_not_allowed':
      return { detail: `This route takes ${refusal.allow.join(', ')}.`, headers: { allow: refusal.allow.join(', ') } }
    case 'task_busy':
      return busyContent(refusal)
    case 'request_in_progress':
      return {
        ...busyContent(refusal),
        detail: 'The first request with this Idempotency-Key is still running. Try again after Retry-After.',
      }
    case 'idempotency_key_reused':
      return { detail: 'This Idempotency-Key came before with another body; take a new one.' }
    case 'tenant_budget_exceeded':
      return { detail: "The tenant's total of this UTC day is used up.", headers: retryAfter(refusal.reset_s) }
    case 'model_not_budgetable':
      return {
        detail: `No price is known for ${refusal.models.join(', ')}: where money is bounded, by max_cost_usd or for the tenant's day, MODEL_PRICES needs one.`,
      }
    case 'lease_lost':
      return { detail: 'Another request has taken this task over; read it again.', headers: { 'retry-after': '1' } }
    case 'task_ended':
      return { detail: `The task is ${refusal.status} and takes no more input and no more files.` }
    case 'question_settled':
      return questionContent(refusal)
    case 'precondition_required':
      return { detail: 'Send If-Match with the ETag of the task you have seen, such as If-Match: "7".' }
    case 'precondition_failed':
      return precondition(refusal)
    case 'plan_not_editable':
      return { detail: `The plan of this task (mode ${refusal.mode}) cannot be edited now.` }
    case 'link_not_found':
      return { detail: 'There is no such link: it may have been cut or changed on its way.' }
    case 'expired':
      return { detail: 'This link has expired.' }
    case 'payload_too_large':
      return { detail: tooLarge(refusal) }
    case 'unsupported_media_type':
      return { detail: refusal.detail, headers: acceptHeaders(refusal) }
    case 'file_not_found':
    case 'file_reserved':
    case 'file_too_large':
    case 'too_many_files':
      return { detail: fileDetail(refusal) }
    case 'validation_failed':
      return { detail: summary(refusal), members: { errors: refusal.errors } }
    default:
      return stateContent(refusal)
  }
}

type StateRefusal =
  | DelegationRefusal
  | Extract<
      HttpRefusal,
      {
        code:
          | 'llm_not_configured'
          | 'rate_limited'
          | 'quota_exceeded'
          | 'too_many_watchers'
          | 'internal_error'
          | 'state_unreadable'
          | 'not_configured'
          | 'unavailable'
          | 'shutting_down'
          | 'storage_full'
      }
    >
/** Refusals that come from the state of the service or of a delegation, and not from the content of the request. */
function stateContent(refusal: StateRefusal): ProblemContent {
  switch (refusal.code) {
    case 'llm_not_configured':
      return { detail: 'No model is configured: set OPENAI_API_KEY or OPENAI_BASE_URL, or MODEL_PROVIDER=offline.' }
    case 'rate_limited':
      return rateContent(refusal)
    case 'quota_exceeded':
      return { detail: quotaDetail(refusal), members: quotaMembers(refusal) }
    case 'too_many_watchers':
      return {
        detail: `At most ${countText(refusal.max, 'watcher')} may follow one task. Close one, or read the events in pages.`,
        headers: retryAfter(WATCHERS_RETRY_S),
      }
    case 'internal_error':
      return { detail: 'Something went wrong here. The X-Request-Id of this answer finds it in the log.' }
    case 'state_unreadable':
      return {
        detail:
          'The stored state of this task cannot be read. It is left as it is: GET /tasks/{id}/export gives its rows. Other tasks are not affected.',
      }
    case 'not_configured':
      return { detail: refusal.reasons.join('; ') }
    case 'storage_full':
      return {
        detail:
          'There is no room to store this change, and it was not made. What is stored can still be read; ask whoever runs the service.',
        headers: retryAfter(FULL_RETRY_S),
      }
    case 'delegation_claimed':
      return { detail: delegationDetail(refusal), headers: retryAfter((refusal.until - refusal.now_ms) / 1000) }
    case 'already_reported':
      return { detail: delegationDetail(refusal), members: { recorded: refusal.recorded } }
    case 'delegation_not_found':
    case 'delegation_canceled':
    case 'delegation_expired':
    case 'wrong_command':
      return { detail: delegationDetail(refusal) }
    case 'shutting_down':
      return {
        detail: 'This process of the service is ending. Try again after Retry-After.',
        headers: retryAfter(RESTART_RETRY_S),
      }
    case 'unavailable':
      return { detail: 'The service could not reach the task; try again.', headers: retryAfter(refusal.retry_after_s) }
  }
}

const precondition = ({ version, waiting }: Extract<HttpRefusal, { code: 'precondition_failed' }>): ProblemContent => ({
  detail: waiting
    ? 'Another edit of the plan is waiting for the step under way. Read the task again when that is over.'
    : `The task is at version ${version}: read it again, and send If-Match: "${version}" if the change still fits.`,
})

const tooLarge = ({ max_bytes, stored }: Extract<HttpRefusal, { code: 'payload_too_large' }>) =>
  stored === true
    ? `Written as JSON the report may have at most ${max_bytes} bytes: line feeds and control characters are longer there.`
    : `The body may have at most ${max_bytes} bytes.`

/** The holder of a link also sees the recorded answer. */
function questionContent({ recorded }: Extract<HttpRefusal, { code: 'question_settled' }>): ProblemContent {
  if (recorded === undefined) return { detail: 'The question of this request_id is not open.' }
  return { detail: 'This question is settled; its answer was not changed.', members: { recorded } }
}

/** There is no such header for PUT. */
const acceptHeaders = ({ method = 'post', accepted }: Extract<HttpRefusal, { code: 'unsupported_media_type' }>) =>
  method === 'put' ? {} : { [`accept-${method}`]: accepted.join(', ') }

const retryAfter = (seconds: number) => ({ 'retry-after': String(Math.max(1, Math.ceil(seconds))) })

const unauthorized = (given: boolean): ProblemContent => ({
  detail: given ? 'This key or link is not known, or not any more.' : 'Send a key: Authorization: Bearer <key>.',
  headers: { 'www-authenticate': `Bearer realm="loop-agent"${given ? ', error="invalid_token"' : ''}` },
})

/** Space becomes free only when somebody deletes something. */
const FULL_RETRY_S = 60

/** A process that is being replaced has ended by then, except for long calls. */
const RESTART_RETRY_S = 2

/** The next heartbeat detects a watcher that has left. */
const WATCHERS_RETRY_S = 15

/** Most slices end long before their lease, so it is worth trying earlier. */
const BUSY_RETRY_S_MAX = 5

const busyContent = ({ expires_ms, now_ms }: { expires_ms: number; now_ms: number }): ProblemContent => ({
  detail: 'The task is busy. Try again after Retry-After, or send Prefer: wait=N to wait for it.',
  headers: retryAfter(Math.min((expires_ms - now_ms) / 1000, BUSY_RETRY_S_MAX)),
  members: { lease_expires_at: new Date(expires_ms).toISOString() },
})

const rateContent = ({
  per_minute,
  retry_after_s,
  policy = 'tenant',
}: Omit<Extract<HttpRefusal, { code: 'rate_limited' }>, 'policy'> & { policy?: string }): ProblemContent => ({
  detail: `At most ${countText(per_minute, 'request')} per minute.`,
  headers: {
    ...retryAfter(retry_after_s),
    'ratelimit-policy': `"${policy}";q=${per_minute};w=60`,
    ratelimit: `"${policy}";r=0;t=${Math.max(1, Math.ceil(retry_after_s))}`,
  },
})

/** The detail repeats the first error and the hint, because a terminal shows the detail first. */
function summary({ errors, hint }: { errors: FieldError[]; hint?: string }): string {
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  const detail = `${errors[0]?.message ?? 'The request is not valid'}${more}.`
  return hint === undefined ? detail : `${detail} ${hint}`
}

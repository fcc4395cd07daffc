/** Delegations: external workers list and read commands, claim them and report on them. */
import * as z from 'zod'
import { isResourceName, RESOURCE_NAME_PATTERN, RESOURCE_NAME_RULE } from '../../../core/terms/values/resource-name.ts'
import type { DelegationViewByLink } from '../../../core/shown/delegation-view.ts'
import { DelegationStatus } from '../../../core/terms/delegation.ts'
import type { CommandFile } from '../../../delegations/command-file.ts'
import type { DelegationAnswer } from '../../../shell/delegations/delegation-service.ts'
import { answerReply, endpoint, refusalReply, replayHeaders, replyTo, type Reply } from '../../endpoint.ts'
import { preferredWait } from '../../gate/prefer.ts'
import { answerInForms, bodyOf, IDEMPOTENCY_PROBLEMS, jsonAnswer } from '../../route-builders.ts'
import type { BodyRule } from '../../route.ts'
import { ClaimDelegation, SendReport } from '../../shapes/delegation-requests.ts'
import { LinkParams, NoParams, NoQuery, pageLimit, pageRange } from '../../shapes/fields.ts'
import type { HttpResult } from '../../shapes/http-refusal.ts'
import { parseReport } from './report-body.ts'

const DelegationParams = z.object({
  id: z.string().meta({ description: 'the id of the delegation', maxLength: 200 }),
})
const DelegationQuery = z.strictObject({
  status: DelegationStatus.optional(),
  pool: z
    .string()
    .refine(isResourceName, `must be ${RESOURCE_NAME_RULE}`)
    .meta({ pattern: RESOURCE_NAME_PATTERN })
    .optional()
    .describe('the pool that a task names as `worker_pool`; left out: the default pool. An unknown one is empty'),
  ...pageRange,
})
const PoolsQuery = z.strictObject({
  limit: pageLimit,
  after: z.string().max(64).default('').describe('next_cursor of the page before'),
})
const ReportParams = LinkParams.extend({
  token: LinkParams.shape.token.meta({ description: 'as `report_url` has it; it is a key, so keep it out of logs' }),
})

const DELEGATION_ROUTE = {
  tag: 'Delegations',
  open: false,
  worker: true,
  query: NoQuery,
  params: DelegationParams,
  headers: [],
  also: [],
} as const
const DELEGATION_PROBLEMS = ['delegation_not_found', 'state_unreadable'] as const
const CLOSED_PROBLEMS = ['already_reported', 'delegation_expired', 'delegation_canceled'] as const
const REPORT_PROBLEMS = [
  'wrong_command',
  ...CLOSED_PROBLEMS,
  ...IDEMPOTENCY_PROBLEMS,
  'task_busy',
  'quota_exceeded',
] as const
const REPORT_BODY = {
  schema: SendReport,
  text_field: 'text',
  kinds: ['json', 'markdown', 'text'],
  required: true,
} as const satisfies BodyRule
const REPORT_FILE =
  'As Markdown, or plain text, the body is the report file: what cannot be read of it is left out, and its whole text is kept. '

export const DELEGATION_ROUTES = {
  listDelegations: endpoint(
    {
      ...DELEGATION_ROUTE,
      method: 'get',
      path: '/delegations',
      long_poll: true,
      summary: 'List delegations',
      description:
        'Commands of one pool for workers outside, newest first; `status=pending` are those that nobody works on. With `Prefer: wait=N` the first page ' +
        'of these is waited for when there is none. The text and the sections of a report are cut to 2000 characters each.',
      params: NoParams,
      query: DelegationQuery,
      body: null,
      headers: ['Prefer'],
      success: jsonAnswer('One page of delegations', 'DelegationPage'),
      problems: [],
    },
    async ({ service }, { caller, query, request }) => {
      const { status = null, pool = null, ...range } = query
      // New delegations come on the first page, so only that page is worth waiting for.
      const wait_s = status === 'pending' && range.after === 0 ? preferredWait(request.headers.get('prefer')) : null
      const page = await service.listDelegations(caller, { status, pool }, range, (wait_s ?? 0) * 1000)
      const headers: Record<string, string> = wait_s === null ? {} : { 'preference-applied': `wait=${wait_s}` }
      return replyTo(page, (value) =>
        answerReply(value, async () => (await import('../../text/delegation-text.ts')).delegationsText(value), headers),
      )
    },
  ),
  listPools: endpoint(
    {
      ...DELEGATION_ROUTE,
      method: 'get',
      path: '/pools',
      summary: 'List the pools of workers',
      description:
        'By name: the default pool, which has none, and the pools to which tasks of the tenant have dispatched commands, with what is open in ' +
        'each. A pool goes when its last task is deleted.',
      params: NoParams,
      query: PoolsQuery,
      body: null,
      success: jsonAnswer('One page of pools', 'PoolPage'),
      problems: [],
    },
    async ({ service }, { caller, query }) =>
      replyTo(await service.listPools(caller, query), (page) =>
        answerReply(page, async () => (await import('../../text/delegation-text.ts')).poolsText(page)),
      ),
  ),
  getDelegation: endpoint(
    {
      ...DELEGATION_ROUTE,
      method: 'get',
      path: '/delegations/{id}',
      summary: 'Read a delegation',
      description: 'With `Accept: text/markdown` the command file, under its name: what is to be done.',
      body: null,
      success: answerInForms('The delegation', 'Delegation', 'text/markdown'),
      problems: DELEGATION_PROBLEMS,
    },
    async ({ service }, { caller, params, form }) =>
      replyTo(await service.getDelegation(caller, params.id), ({ delegation, command }) =>
        form === 'text/markdown'
          ? fileReply(command)
          : answerReply(delegation, async () =>
              (await import('../../text/delegation-text.ts')).delegationText(delegation),
            ),
      ),
  ),
  claimDelegation: endpoint(
    {
      ...DELEGATION_ROUTE,
      method: 'post',
      path: '/delegations/{id}/claim',
      summary: 'Claim a delegation',
      description:
        'Leases it to one worker, so that no other takes it meanwhile; the same worker again renews its lease. It keeps nobody from ' +
        'reporting: a report needs no claim.',
      body: bodyOf(ClaimDelegation, null, true),
      headers: ['Idempotency-Key'],
      success: jsonAnswer('The delegation, claimed', 'Delegation'),
      problems: [...DELEGATION_PROBLEMS, 'delegation_claimed', ...CLOSED_PROBLEMS, ...IDEMPOTENCY_PROBLEMS],
    },
    async ({ service }, { caller, params, body }) => {
      const claim = { worker: body.worker, lease_ms: body.lease_s * 1000 }
      return delegationReply(await service.claimDelegation(caller, params.id, claim))
    },
  ),
  reportDelegation: endpoint(
    {
      ...DELEGATION_ROUTE,
      method: 'post',
      path: '/delegations/{id}/report',
      summary: 'Report on a delegation',
      description:
        REPORT_FILE +
        'It is recorded, and the task can go on; nothing of it runs in this request. The same report again is 200 and changes nothing, another ' +
        'one 409 `already_reported`: it is safe to send again without an Idempotency-Key too.',
      body: REPORT_BODY,
      headers: ['Idempotency-Key'],
      success: jsonAnswer('The delegation with its report', 'Delegation'),
      problems: [...DELEGATION_PROBLEMS, ...REPORT_PROBLEMS],
    },
    async ({ service }, { caller, params, body, request }) => {
      const report = await parseReport(body, request)
      if (!report.ok) return refusalReply(report.refusal)
      return delegationReply(await service.reportDelegation(caller, params.id, report.value))
    },
  ),
  postReport: endpoint(
    {
      ...DELEGATION_ROUTE,
      method: 'post',
      path: '/reports/{token}',
      open: true,
      by_token: 'report',
      summary: 'Report by a link',
      description:
        'The same by the `report_url` of the command file, without a key. ' +
        REPORT_FILE +
        'The answer shows nothing that the command file did not have but the report itself. A link is 404 when it was changed, or its task ' +
        'was deleted.',
      params: ReportParams,
      query: null,
      body: REPORT_BODY,
      headers: ['Idempotency-Key'],
      success: jsonAnswer('The delegation with its report', 'ReportedDelegation'),
      problems: ['link_not_found', 'state_unreadable', 'validation_failed', ...REPORT_PROBLEMS],
    },
    async ({ service }, { caller, params, body, request }) => {
      const report = await parseReport(body, request)
      if (!report.ok) return refusalReply(report.refusal)
      return delegationReply(await service.reportByLink(caller, params.token, report.value))
    },
  ),
}

/** The first command file that is asked for loads its writer. */
async function fileReply(command: CommandFile): Promise<Reply> {
  const { commandFileName, writeCommandFile } = await import('../../../delegations/command-file.ts')
  const headers = {
    'content-type': 'text/markdown; charset=utf-8',
    'content-disposition': `attachment; filename="${commandFileName(command.id)}"`,
  }
  return { kind: 'document', response: new Response(writeCommandFile(command), { headers }) }
}

const delegationReply = (result: HttpResult<DelegationAnswer<DelegationViewByLink>>): Promise<Reply> =>
  replyTo(result, ({ delegation, replayed }) =>
    answerReply(
      delegation,
      async () => (await import('../../text/delegation-text.ts')).delegationText(delegation),
      replayHeaders(replayed),
    ),
  )

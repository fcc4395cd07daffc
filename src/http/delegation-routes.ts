/** The routes of delegations, by which workers outside take commands and report: a part of the table in contract.ts. */
import * as z from 'zod'
import { ClaimDelegation, DelegationParams, DelegationQuery, ReportParams, SendReport } from './delegation-schemas.ts'
import { forms, json, KEYED, takes } from './entries.ts'
import type { BodyRule, Route } from './route.ts'
import { NoQuery } from './schemas.ts'

const delegations = {
  tag: 'Delegations',
  open: false,
  worker: true,
  query: NoQuery,
  params: DelegationParams,
  headers: [],
  also: [],
} as const
const ONE = ['delegation_not_found', 'state_unreadable'] as const
const SETTLED = ['already_reported', 'delegation_expired', 'delegation_canceled'] as const
const REPORTED = ['wrong_command', ...SETTLED, ...KEYED, 'task_busy', 'quota_exceeded'] as const
const REPORT = {
  schema: SendReport,
  text_field: 'text',
  kinds: ['json', 'markdown', 'text'],
  required: true,
} as const satisfies BodyRule
const FILE_READ =
  'As Markdown, or plain text, the body is the report file: what cannot be read of it is left out, and its whole text is kept. '

export const DELEGATION_ROUTES = {
  listDelegations: {
    ...delegations,
    method: 'get',
    path: '/delegations',
    long_poll: true,
    summary: 'List delegations',
    description:
      'Commands for workers outside, newest first; `status=pending` are those that nobody works on. With `Prefer: wait=N` the first page ' +
      'of these is waited for when there is none. The text and the sections of a report are cut to 2000 characters each.',
    params: z.object({}),
    query: DelegationQuery,
    body: null,
    headers: ['Prefer'],
    success: json('One page of delegations', 'DelegationPage'),
    problems: [],
  },
  getDelegation: {
    ...delegations,
    method: 'get',
    path: '/delegations/{id}',
    summary: 'Read a delegation',
    description: 'With `Accept: text/markdown` the command file, under its name: what is to be done.',
    body: null,
    success: forms('The delegation', 'Delegation', 'text/markdown'),
    problems: ONE,
  },
  claimDelegation: {
    ...delegations,
    method: 'post',
    path: '/delegations/{id}/claim',
    summary: 'Claim a delegation',
    description:
      'Leases it to one worker, so that no other takes it meanwhile; the same worker again renews its lease. It keeps nobody from ' +
      'reporting: a report needs no claim.',
    body: takes(ClaimDelegation, null, true),
    headers: ['Idempotency-Key'],
    success: json('The delegation, claimed', 'Delegation'),
    problems: [...ONE, 'delegation_claimed', ...SETTLED, ...KEYED],
  },
  reportDelegation: {
    ...delegations,
    method: 'post',
    path: '/delegations/{id}/report',
    summary: 'Report on a delegation',
    description:
      FILE_READ +
      'It is recorded, and the task can go on; nothing of it runs in this request. The same report again is 200 and changes nothing, another ' +
      'one 409 `already_reported`: it is safe to send again without an Idempotency-Key too.',
    body: REPORT,
    headers: ['Idempotency-Key'],
    success: json('The delegation with its report', 'Delegation'),
    problems: [...ONE, ...REPORTED],
  },
  postReport: {
    ...delegations,
    method: 'post',
    path: '/reports/{token}',
    open: true,
    by_token: 'report',
    summary: 'Report by a link',
    description:
      'The same by the `report_url` of the command file, without a key. ' +
      FILE_READ +
      'The answer shows nothing that the command file did not have but the report itself. A link is 404 when it was changed, or its task ' +
      'was deleted.',
    params: ReportParams,
    query: null,
    body: REPORT,
    headers: ['Idempotency-Key'],
    success: json('The delegation with its report', 'ReportedDelegation'),
    problems: ['link_not_found', 'state_unreadable', 'validation_failed', ...REPORTED],
  },
} as const satisfies Record<string, Route>

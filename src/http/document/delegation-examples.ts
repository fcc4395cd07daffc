/** The examples of delegations in openapi.yaml. Only the document and the tests import them. */
import { delegationId } from '../../core/terms/delegation-id.ts'
import type { Page } from '../../shell/caller.ts'
import type { DelegationView, DelegationViewByLink, PoolView } from '../../core/shown/delegation-view.ts'

/** A page that has one entry and is the last. */
export const onlyPage = <T>(entry: T): Page<T> => ({ data: [entry], has_more: false, next_cursor: null })

export const TASK_ID = 'task_Zk3vQ8mT1xY7bN5cR2wH'

const command = {
  command_id: 'task-9d3f2c1a-5b7e-8c4d-9a6f-0e1b2c3d4e5f',
  command_type: 'new',
  session_id: 'auto',
  deadline: '2026-03-02T09:10:00.000Z',
  created_at: '2026-03-02T09:00:00.000Z',
  budget: { tokens: 40_000, cost_usd: '0.250000', seconds: 600 },
} as const
const delegation_id = delegationId(TASK_ID, 4)
export const DELEGATION_EXAMPLE: DelegationView = {
  id: delegation_id,
  task_id: TASK_ID,
  item_id: 'step_1',
  pool: 'gpu',
  ...command,
  status: 'claimed',
  report: null,
  claim: { worker: 'builder-3', expires_at: '2026-03-02T09:05:00.000Z' },
  report_url: 'https://agent.example/reports/WzEsInJlcG9ydCIsImFjbWUi',
}
export const DELEGATION_PAGE_EXAMPLE = onlyPage<DelegationView>({
  ...DELEGATION_EXAMPLE,
  status: 'pending',
  claim: null,
  report_url: null,
})
export const REPORTED_BY_LINK_EXAMPLE: DelegationViewByLink = {
  id: delegation_id,
  ...command,
  status: 'reported',
  report: {
    status: 'SUCCESS',
    session_id: 'session-7f3a',
    results: 'The page is built, and its tests pass.',
    pitfalls: 'The old bundler does not know the new syntax.',
    next_steps: null,
    text: 'Done. See the branch.',
  },
  report_url: null,
}
export const REPORTED_EXAMPLE: DelegationView = {
  ...REPORTED_BY_LINK_EXAMPLE,
  task_id: TASK_ID,
  item_id: 'step_1',
  pool: 'gpu',
  claim: null,
}
const SENT_REPORT = {
  status: 'SUCCESS',
  session_id: 'session-7f3a',
  command_id: command.command_id,
  results: 'The page is built, and its tests pass.',
  pitfalls: 'The old bundler does not know the new syntax.',
  text: 'Done. See the branch.',
  spent: { tokens: 31_200, cost_usd: '0.18', seconds: 410 },
}

const DEFAULT_POOL_EXAMPLE: PoolView = { name: null, pending: 0, claimed: 1, waiting: 3 }
const POOL_EXAMPLE: PoolView = { name: 'gpu', pending: 2, claimed: 4, waiting: 0 }

export const DELEGATION_EXAMPLES = {
  listDelegations: { answer: DELEGATION_PAGE_EXAMPLE },
  listPools: { answer: { ...onlyPage<PoolView>(POOL_EXAMPLE), data: [DEFAULT_POOL_EXAMPLE, POOL_EXAMPLE] } },
  getDelegation: { answer: DELEGATION_EXAMPLE },
  claimDelegation: { request: { worker: 'builder-3', lease_s: 300 }, answer: DELEGATION_EXAMPLE },
  reportDelegation: { request: SENT_REPORT, answer: REPORTED_EXAMPLE },
  postReport: { request: SENT_REPORT, answer: REPORTED_BY_LINK_EXAMPLE },
}

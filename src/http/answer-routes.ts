/** The routes of answer links, as the table of contract.ts has them: open to whoever holds a link, whose token is the right to it. */
import { AnswerQuestion, LinkParams } from './schemas.ts'
import type { Route } from './route.ts'

const answers = { tag: 'Answers', open: true, by_token: 'answer', params: LinkParams, headers: [], also: [] } as const
const PAGE = {
  status: 200,
  description: 'The page',
  content: { kind: 'document', type: 'text/html; charset=utf-8' },
  headers: {},
} as const
const RECORDED = {
  status: 200,
  description: 'It is recorded',
  content: { kind: 'json', schema: 'RecordedAnswer', more: ['text/html'] },
  headers: {},
} as const

export const ANSWER_ROUTES = {
  getAnswer: {
    ...answers,
    method: 'get',
    path: '/answers/{token}',
    summary: 'Look at an answer link',
    description:
      'A small page for the person the link was given to: the question and a form, or what became of it. Changes nothing: programs ' +
      'that look at links before people do must not answer them.',
    query: null,
    body: null,
    success: PAGE,
    problems: ['link_not_found', 'expired', 'state_unreadable'],
  },
  postAnswer: {
    ...answers,
    method: 'post',
    path: '/answers/{token}',
    summary: 'Answer a question by its link',
    description:
      'The text is the answer to that one question, literally: no command, no cancel phrase. The same answer again is 200, another one ' +
      '409 `question_settled`: it is safe to send again without an Idempotency-Key too. As a form the field is `input` (or `answer`, ' +
      '`Body`, `text`); as plain text the whole body is the answer. A browser is answered by a page.',
    query: null,
    body: { schema: AnswerQuestion, text_field: 'input', required: true, senders: ['Body', 'text', 'answer'] },
    headers: ['Idempotency-Key'],
    success: RECORDED,
    problems: [
      'link_not_found',
      'expired',
      'validation_failed',
      'question_settled',
      'quota_exceeded',
      'idempotency_key_reused',
      'request_in_progress',
      'task_busy',
      'state_unreadable',
    ],
  },
} as const satisfies Record<string, Route>

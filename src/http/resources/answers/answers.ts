/** Answer links: a page with the question, and the answer to it. The holder of a link sees the question but not the task. */
import { answerReply, endpoint, refusalReply, replayHeaders, type Ports, type Reply } from '../../endpoint.ts'
import { answerInForms, documentAnswer, IDEMPOTENCY_PROBLEMS } from '../../route-builders.ts'
import { LinkParams } from '../../shapes/fields.ts'
import type { HttpRefusal } from '../../shapes/http-refusal.ts'
import { AnswerQuestion } from '../../shapes/requests.ts'
import type { PageNotice } from './answer-page.ts'
import { prefersPage } from './prefers-page.ts'

/** The token of the link is the right to the route. */
const ANSWER_ROUTE = {
  path: '/answers/{token}',
  tag: 'Answers',
  open: true,
  by_token: 'answer',
  params: LinkParams,
  query: null,
  headers: [],
  also: [],
} as const

export const ANSWER_ROUTES = {
  getAnswer: endpoint(
    {
      ...ANSWER_ROUTE,
      method: 'get',
      summary: 'Look at an answer link',
      description:
        'A small page for the person the link was given to: the question and a form, or what became of it. Changes nothing: programs ' +
        'that look at links before people do must not answer them.',
      body: null,
      success: documentAnswer('The page', 'text/html; charset=utf-8'),
      problems: ['link_not_found', 'expired', 'state_unreadable'],
    },
    async ({ service }, { params, request }) => {
      const question = await service.readQuestion(params.token)
      if (!question.ok) return refusalReply(question.refusal)
      if (question.value.state === 'expired' && !prefersPage(request)) return refusalReply({ code: 'expired' })
      const { questionPage } = await import('./answer-page.ts')
      return { kind: 'document', response: questionPage(question.value, 200, null) }
    },
  ),
  postAnswer: endpoint(
    {
      ...ANSWER_ROUTE,
      method: 'post',
      summary: 'Answer a question by its link',
      description:
        'The text is the answer to that one question, literally: no command, no cancel phrase. The same answer again is 200, another one ' +
        '409 `question_settled`: it is safe to send again without an Idempotency-Key too. As a form the field is `input` (or `answer`, ' +
        '`Body`, `text`); as plain text the whole body is the answer. A browser is answered by a page.',
      body: { schema: AnswerQuestion, text_field: 'input', required: true, senders: ['Body', 'text', 'answer'] },
      headers: ['Idempotency-Key'],
      success: answerInForms('It is recorded', 'RecordedAnswer', 'text/html'),
      problems: [
        'link_not_found',
        'expired',
        'validation_failed',
        'question_settled',
        'quota_exceeded',
        ...IDEMPOTENCY_PROBLEMS,
        'task_busy',
        'state_unreadable',
      ],
    },
    async (ports, { caller, params, body, request }) => {
      const { token } = params
      const answer = await ports.service.answerQuestion(caller, token, body.input)
      const page = prefersPage(request)
      if (!answer.ok) {
        const refusal = page ? await refusalPageReply(ports, token, answer.refusal, body.input) : null
        return refusal ?? refusalReply(answer.refusal)
      }
      if (page) return (await pageReply(ports, token, 200, 'recorded')) ?? refusalReply({ code: 'link_not_found' })
      const { recorded, replayed } = answer.value
      return answerReply({ recorded }, () => [recorded], replayHeaders(replayed))
    },
  ),
}

/** null: there is no question with which the refusal can be shown. */
async function refusalPageReply(
  ports: Ports,
  token: string,
  { code }: HttpRefusal,
  given: string,
): Promise<Reply | null> {
  switch (code) {
    case 'validation_failed':
      return pageReply(ports, token, 422, given.trim() === '' ? 'blank' : 'misfit', given)
    case 'question_settled':
      return pageReply(ports, token, 409, 'late')
    case 'expired':
      return pageReply(ports, token, 410, null)
    default:
      return null
  }
}

async function pageReply(
  { service }: Ports,
  token: string,
  status: 200 | 409 | 410 | 422,
  notice: PageNotice,
  given?: string,
): Promise<Reply | null> {
  const question = await service.readQuestion(token)
  if (!question.ok) return null
  const { questionPage } = await import('./answer-page.ts')
  return { kind: 'document', response: questionPage(question.value, status, notice, given) }
}

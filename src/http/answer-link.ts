/** The routes of answer links: a page to look at, and the answer. No task is shown to who only has a link. */
import { questionPage, prefersPage, type Notice } from './answer-page.ts'
import type { Routes } from './contract.ts'
import type { HttpRefusal } from './errors.ts'
import { refused, REPLAYED, type Handler, type Ports, type Reply } from './route.ts'

export const getAnswer: Handler<Routes['getAnswer']> = async ({ service }, { params, request }) => {
  const asked = await service.readQuestion(params.token)
  if (!asked.ok) return refused(asked.refusal)
  if (asked.value.state === 'expired' && !prefersPage(request)) return refused({ code: 'expired' })
  return { kind: 'document', response: questionPage(asked.value, 200, null) }
}

export const postAnswer: Handler<Routes['postAnswer']> = async (ports, { caller, params, body, request }) => {
  const answered = await ports.service.answerQuestion(caller, params.token, body.input)
  const page = prefersPage(request)
  if (!answered.ok)
    return (page ? await pageFor(ports, params.token, answered.refusal, body.input) : null) ?? refused(answered.refusal)
  if (page) return (await pageOf(ports, params.token, 200, 'recorded')) ?? refused({ code: 'link_not_found' })
  const { recorded, replayed } = answered.value
  const headers: Record<string, string> = replayed ? REPLAYED : {}
  return { kind: 'answer', status: 200, json: { recorded }, lines: () => [recorded], headers }
}

/** Null: there is no question to show it with. */
async function pageFor(ports: Ports, token: string, { code }: HttpRefusal, given: string): Promise<Reply | null> {
  switch (code) {
    case 'validation_failed':
      return pageOf(ports, token, 422, given.trim() === '' ? 'blank' : 'misfit', given)
    case 'question_settled':
      return pageOf(ports, token, 409, 'late')
    case 'expired':
      return pageOf(ports, token, 410, null)
    default:
      return null
  }
}

async function pageOf(
  { service }: Ports,
  token: string,
  status: 200 | 409 | 410 | 422,
  notice: Notice,
  given?: string,
): Promise<Reply | null> {
  const asked = await service.readQuestion(token)
  return asked.ok ? { kind: 'document', response: questionPage(asked.value, status, notice, given) } : null
}

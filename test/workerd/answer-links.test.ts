/** Answer links over real Durable Objects in workerd, and their pages as a parser of HTML reads them. */
import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { AskedQuestion } from '../../src/core/protocol/question.ts'
import { TaskView } from '../../src/core/terms/view.ts'
import { questionPage } from '../../src/http/resources/answers/answer-page.ts'
import { expectContract } from '../support/contract.ts'

const KEY = { authorization: 'Bearer dev-key' }
const HTML = { accept: 'text/html' }

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const json = body === undefined ? {} : { body: JSON.stringify(body) }
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await exports.default.fetch(`http://service${path}`, {
    method,
    ...json,
    headers: { ...type, ...headers },
  })
  await expectContract(method, path, response)
  return response
}
async function asking(goal: string, more: object = {}) {
  const task = TaskView.parse(await (await call('POST', '/tasks', { goal, rounds: 9, ...more }, KEY)).json())
  const url = task.pending?.kind === 'question' ? (task.pending.answer_url ?? '') : ''
  expect(url).toMatch(/^http:\/\/service\/answers\/[A-Za-z0-9_-]+$/)
  return { id: task.id, path: new URL(url).pathname, etag: `"${task.version}"` }
}
const read = (id: string, headers: Record<string, string> = {}) =>
  call('GET', `/tasks/${id}`, undefined, { ...KEY, ...headers })

interface Parsed {
  /** Elements with their attributes, in order. */
  elements: { tag: string; attributes: Record<string, string> }[]
  /** What is to be read inside `main`. */
  text: string
}
/** As HTMLRewriter reads it; texts are what stands between tags, entities decoded. */
async function parsed(response: Response): Promise<Parsed> {
  const found: Parsed = { elements: [], text: '' }
  const rewriter = new HTMLRewriter()
    .on('*', {
      element: ({ tagName, attributes }) =>
        void found.elements.push({
          tag: tagName,
          attributes: Object.fromEntries(attributes) as Record<string, string>,
        }),
    })
    .on('main *', { text: ({ text }) => void (found.text += text) })
  await rewriter.transform(response).text()
  const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
  found.text = found.text.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? '')
  return found
}
const tags = ({ elements }: Parsed) => elements.map(({ tag }) => tag)
const all = ({ elements }: Parsed, wanted: string) =>
  elements.flatMap(({ tag, attributes }) => (tag === wanted ? [attributes] : []))

describe('answer links in workerd', () => {
  it('F43 of fifty different answers at once exactly one wins, and the others are told which', async () => {
    const { id, path } = await asking('book the dentist')
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const response = await call('POST', path, { input: `tomorrow at ${n}` })
        return { status: response.status, body: (await response.json()) as { recorded: string } }
      }),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    const lost = answers.filter(({ status, body }) => status === 409 && body.recorded === won[0]?.body.recorded)
    expect(lost).toHaveLength(49)
    const journal = (await (await call('GET', `/tasks/${id}/journal?limit=100`, undefined, KEY)).json()) as {
      data: { kind: string }[]
    }
    expect(journal.data.filter(({ kind }) => kind === 'user_answered')).toHaveLength(1)
  })

  it('fifty equal answers at once count as one', async () => {
    const { id, path } = await asking('book the dentist')
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call('POST', path, { input: 'tomorrow at 3pm' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
    expect(TaskView.parse(await (await read(id)).json()).status).toBe('running')
  })

  it('F44 GET does not change the ETag of the task, and the link ends when the task is deleted', async () => {
    const { id, path, etag } = await asking('book the dentist')
    expect((await call('GET', path, undefined, HTML)).status).toBe(200)
    expect((await read(id, { 'if-none-match': etag })).status).toBe(304)
    expect((await call('DELETE', `/tasks/${id}`, undefined, KEY)).status).toBe(204)
    const gone = await call('GET', path)
    expect([gone.status, await gone.text()]).toEqual([404, await (await call('GET', '/answers/AAAA')).text()])
  })

  it.each([
    ['book the dentist', 'en', 'A question for you', 'Please confirm: ', 'Your answer', 'Send the answer'],
    ['约牙医', 'zh', '有一个问题请您回答', '请确认：', '您的回答', '提交回答'],
  ])(
    'the page of "%s" is in %s: one label, one field, one button, nothing from elsewhere',
    async (goal, lang, title, prompt, label, send) => {
      const { path } = await asking(goal)
      const response = await call('GET', path, undefined, { ...HTML, 'accept-language': 'fr' })
      const { headers } = response
      const page = await parsed(response)
      expect(tags(page)).toEqual([
        'html',
        'head',
        'meta',
        'title',
        'meta',
        'style',
        'body',
        'main',
        'h1',
        'p',
        'form',
        'p',
        'label',
        'textarea',
        'button',
      ])
      expect(all(page, 'html')).toEqual([{ lang }])
      expect(all(page, 'form')).toEqual([{ method: 'post' }])
      expect(all(page, 'label')[0]?.['for']).toBe(all(page, 'textarea')[0]?.['id'])
      expect(all(page, 'textarea')[0]).toMatchObject({ name: 'input', maxlength: '16000', required: '' })
      for (const text of [title, prompt, label, send]) expect(page.text).toContain(text)
      expect(
        page.elements
          .flatMap(({ attributes }) => Object.keys(attributes))
          .filter((name) => /^(?:src|href|on.*|style|action)$/.test(name)),
      ).toEqual([])
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      )
      expect([headers.get('referrer-policy'), headers.get('cache-control'), headers.get('x-robots-tag')]).toEqual([
        'no-referrer',
        'no-store',
        'noindex',
      ])
    },
  )
})

const OPEN: AskedQuestion = {
  locale: 'en',
  prompt: 'Please confirm: When?',
  choices: null,
  other_answers: false,
  response_schema: null,
  state: 'open',
  answer: null,
}
const HOSTILE = `</textarea></p><script>alert(1)</script><img src=x onerror='a()'> & "q"`

describe('pages', () => {
  it('the style is the one that the policy allows', async () => {
    const response = questionPage(OPEN, 200, null)
    const style = /<style>(.*)<\/style>/s.exec(await response.clone().text())?.[1] ?? ''
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style)))
    expect(response.headers.get('content-security-policy')).toContain(
      `'sha256-${btoa(String.fromCharCode(...digest))}'`,
    )
  })

  it('choices are radio buttons in a named group, and each is sent exactly as written', async () => {
    const choices = ['Yes', 'No, "later"', HOSTILE]
    const page = await parsed(questionPage({ ...OPEN, choices }, 200, null))
    expect(tags(page)).toEqual(expect.arrayContaining(['fieldset', 'legend']))
    expect(tags(page)).not.toContain('textarea')
    const decoded = all(page, 'input').map(({ value = '' }) => value)
    expect(
      decoded.map((value) =>
        value
          .replaceAll('&quot;', '"')
          .replaceAll('&#39;', "'")
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&amp;', '&'),
      ),
    ).toEqual(choices)
    expect(
      all(page, 'input').every(({ type, name, required }) => type === 'radio' && name === 'input' && required === ''),
    ).toBe(true)
  })

  it('ruling 37 beside choices that do not bind there is a form for another answer', async () => {
    const page = await parsed(questionPage({ ...OPEN, choices: ['Yes', 'No'], other_answers: true }, 200, null))
    expect(tags(page).filter((tag) => tag === 'form')).toHaveLength(2)
    expect(all(page, 'textarea')).toMatchObject([{ name: 'input' }])
  })

  const WITH: [string, (text: string) => Partial<AskedQuestion>][] = [
    ['a question', (prompt) => ({ prompt })],
    ['a choice', (choice) => ({ choices: [choice, 'b'] })],
    ['a schema', (description) => ({ response_schema: { description } })],
    ['an answer', (answer) => ({ state: 'settled', answer })],
  ]
  it.each(WITH)('%s with markup stays text: it makes no element and no attribute', async (_, more) => {
    const [harmless, hostile] = await Promise.all(
      ['harmless', HOSTILE].map((text) => parsed(questionPage({ ...OPEN, ...more(text) }, 200, null))),
    )
    const names = (page: Parsed | undefined) =>
      page?.elements.map(({ tag, attributes }) => [tag, ...Object.keys(attributes)])
    expect(names(hostile)).toEqual(names(harmless))
    expect(hostile?.text).toContain('<script>alert(1)</script>')
  })

  it('a refused answer is shown again, and its reason is linked to the field for screen readers', async () => {
    const page = await parsed(questionPage({ ...OPEN, locale: 'zh' }, 422, 'misfit', HOSTILE))
    expect(all(page, 'textarea')[0]).toMatchObject({ 'aria-describedby': 'answer-error', 'aria-invalid': 'true' })
    expect(all(page, 'p').find(({ id }) => id === 'answer-error')).toMatchObject({ role: 'alert' })
    expect(page.text).toContain(HOSTILE)
    expect(page.text).toContain('该回答不符合要求')
    expect(tags(page)).not.toEqual(expect.arrayContaining(['script']))
  })
})

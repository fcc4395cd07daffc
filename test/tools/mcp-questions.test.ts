/** What an MCP server asks in the middle of a call becomes a question to a person, and its answer goes back to the server. */
import { describe, expect, it } from 'vitest'
import type { HeldState, ToolResult } from '../../src/shell/tool-ports.ts'
import { benchWith, toolNamed, type Bench } from '../support/mcp-call.ts'
import { rpcError, sentTo, standIn, type Exchange } from '../support/mcp-stand-in.ts'

const FORM = { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] }
const form = (message: string, requestedSchema: object = FORM) => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema },
})
const link = (message: string, url: string) => ({
  method: 'elicitation/create',
  params: { mode: 'url', message, url, elicitationId: 'e1' },
})
const wants = (inputRequests: object, requestState?: string) => ({
  resultType: 'input_required',
  inputRequests,
  requestState,
})
const says = (text: string) => ({ content: [{ type: 'text', text }] })
const answer = (content: Record<string, unknown> | null, action: 'accept' | 'decline' = 'accept') => ({
  action,
  content,
})

type Asked = Extract<Awaited<ReturnType<Bench['call']>>, { kind: 'tool_asked' }>
function asked(result: Awaited<ReturnType<Bench['call']>>): Asked {
  if (!('kind' in result) || result.kind !== 'tool_asked') throw new Error(JSON.stringify(result))
  return result
}
/** The first question of a call, and the call as it goes on with an answer. */
async function start(bench: Bench, input: object = {}) {
  const first = asked(await bench.call(toolNamed('act'), input))
  const goOn = (from: Asked, given: HeldState['answer']) =>
    bench.call(toolNamed('act'), input, { held: { state: from.state, answer: given } })
  return { first, goOn }
}

describe('MCP-08 a server of 2026 ends the call with its question', () => {
  it('gets the answer with the same call, under another id, and its state back as it gave it', async () => {
    const server = standIn(2026, {
      act: ({ inputResponses }) =>
        inputResponses === undefined ? wants({ q1: form('Which colour?') }, 'opaque "state"') : says('painted'),
    })
    const { first, goOn } = await start(benchWith(server.fetch), { wall: 'north' })
    expect(first.question).toEqual({ text: 'Which colour?', schema: FORM })
    expect(await goOn(first, answer({ colour: 'red' }))).toEqual({ ok: true, code: 'success', text: 'painted' })
    const [once, again] = sentTo(server, 'tools/call')
    expect(once).not.toHaveProperty('requestState')
    expect(again).toMatchObject({
      name: 'act',
      arguments: { wall: 'north' },
      inputResponses: { q1: { action: 'accept', content: { colour: 'red' } } },
      requestState: 'opaque "state"',
    })
    const ids = server.received.filter(({ method }) => method === 'tools/call').map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
    expect(server.breaches).toEqual([])
  })

  it('learns that the person has declined', async () => {
    const server = standIn(2026, {
      act: ({ inputResponses }) =>
        inputResponses === undefined ? wants({ q1: form('Sure?') }) : says('left as it is'),
    })
    const { first, goOn } = await start(benchWith(server.fetch))
    expect(await goOn(first, answer(null, 'decline'))).toMatchObject({ text: 'left as it is' })
    expect(sentTo(server, 'tools/call')[1]).toMatchObject({ inputResponses: { q1: { action: 'decline' } } })
    expect(sentTo(server, 'tools/call')[1]).not.toHaveProperty('requestState')
  })

  it('may ask several things at once, which become one question with a member for each', async () => {
    const server = standIn(2026, {
      act: ({ inputResponses }) =>
        inputResponses === undefined
          ? wants({ paint: form('Which colour?'), terms: link('Read the terms', 'https://example.com/t') })
          : says('ok'),
    })
    const { first, goOn } = await start(benchWith(server.fetch))
    expect(first.question).toEqual({
      text: 'The tool asks several questions:\npaint: Which colour?\nterms: Read the terms\nOpen this address and confirm when it is done: https://example.com/t',
      schema: {
        type: 'object',
        properties: { paint: FORM, terms: { type: 'boolean', description: 'Read the terms' } },
        required: ['paint', 'terms'],
      },
    })
    await goOn(first, answer({ paint: { colour: 'red' }, terms: false }))
    expect(sentTo(server, 'tools/call')[1]).toMatchObject({
      inputResponses: { paint: { action: 'accept', content: { colour: 'red' } }, terms: { action: 'decline' } },
    })
  })

  it('may ask for an address to be opened, and the answer is that it was', async () => {
    const server = standIn(2026, {
      act: ({ inputResponses }) =>
        inputResponses === undefined ? wants({ pay: link('Pay first', 'https://pay.example.com/1') }) : says('paid'),
    })
    const { first, goOn } = await start(benchWith(server.fetch))
    expect(first.question).toEqual({
      text: 'Pay first\nOpen this address and confirm when it is done: https://pay.example.com/1',
      schema: null,
    })
    expect(await goOn(first, answer(null))).toMatchObject({ text: 'paid' })
    expect(sentTo(server, 'tools/call')[1]).toMatchObject({ inputResponses: { pay: { action: 'accept' } } })
  })

  it.each(['sampling/createMessage', 'roots/list'])(
    'that wants %s ends the call with words that say so',
    async (method) => {
      const server = standIn(2026, { act: () => wants({ a: { method, params: {} } }) })
      expect(await benchWith(server.fetch).call(toolNamed('act'))).toEqual({
        ok: false,
        code: 'tool_error',
        text: `the server asked for ${method}, which this service does not do`,
      })
    },
  )

  it('that asks a sixth time ends the call', async () => {
    const server = standIn(2026, { act: () => wants({ q: form('Again?') }, 'more') })
    const { first, goOn } = await start(benchWith(server.fetch))
    let last = first
    for (let questions = 1; questions < 5; questions++) last = asked(await goOn(last, answer({ colour: 'red' })))
    expect(await goOn(last, answer({ colour: 'red' }))).toMatchObject({
      code: 'tool_error',
      text: 'the server asked more than 5 questions in one call',
    })
  })

  it('that wants the same call again without a question gets it, three times at most', async () => {
    let calls = 0
    const server = standIn(2026, {
      act: ({ requestState }) => (requestState === 'once' ? says('done') : wants({}, 'once')),
    })
    expect(await benchWith(server.fetch).call(toolNamed('act'))).toMatchObject({ text: 'done' })
    const endless = standIn(2026, {
      act: () => {
        calls += 1
        return wants({}, 'again')
      },
    })
    expect(await benchWith(endless.fetch).call(toolNamed('act'))).toMatchObject({ ok: false, code: 'bad_answer' })
    expect(calls).toBe(3)
  })

  it.each([
    ['no form', { mode: 'form', message: 'What?' }],
    [
      'a form that cannot be applied',
      {
        mode: 'form',
        message: 'What?',
        requestedSchema: { type: 'object', properties: { a: { $ref: 'https://example.com' } } },
      },
    ],
    ['an address of another kind', { mode: 'url', message: 'What?', url: 'javascript:alert(1)', elicitationId: 'e' }],
    ['no message', { mode: 'form', requestedSchema: FORM }],
  ])('a question with %s is a failed action', async (_, params) => {
    const server = standIn(2026, { act: () => wants({ a: { method: 'elicitation/create', params } }) })
    expect(await benchWith(server.fetch).call(toolNamed('act'))).toMatchObject({ ok: false, code: 'bad_answer' })
  })
})

describe('MCP-09 a server of 2025 asks in the middle of a call', () => {
  const paints = async (_: unknown, { ask }: Exchange) => {
    const { result = {} } = await ask('elicitation/create', form('Which colour?').params)
    if (result['action'] !== 'accept') return says(`not painted: ${String(result['action'])}`)
    const { result: sure = {} } = await ask('elicitation/create', form('Is it dry?').params)
    return says(`painted ${JSON.stringify(result['content'])}, ${String(sure['action'])}`)
  }

  it('the question is put off, and the call is made again with the answer, for each question', async () => {
    const server = standIn(2025, { act: paints })
    const { first, goOn } = await start(benchWith(server.fetch), { wall: 'north' })
    expect(first.question).toEqual({ text: 'Which colour?', schema: FORM })
    const second = asked(await goOn(first, answer({ colour: 'red' })))
    expect(second.question.text).toBe('Is it dry?')
    expect(await goOn(second, answer({ colour: 'yes' }))).toMatchObject({
      ok: true,
      text: 'painted {"colour":"red"}, accept',
    })
    expect(sentTo(server, 'tools/call').map((params) => params['arguments'])).toEqual([
      { wall: 'north' },
      { wall: 'north' },
      { wall: 'north' },
    ])
    expect(server.breaches).toEqual([])
    expect(server.sessions.size).toBe(0)
  })

  it('learns that the person has declined', async () => {
    const { first, goOn } = await start(benchWith(standIn(2025, { act: paints }).fetch))
    expect(await goOn(first, answer(null, 'decline'))).toMatchObject({ ok: true, text: 'not painted: decline' })
  })

  it('another question than the one that was answered is asked', async () => {
    let calls = 0
    const server = standIn(2025, {
      act: async (_, { ask }) => {
        const { result = {} } = await ask('elicitation/create', form(`Question ${(calls += 1)}`).params)
        return says(String(result['action']))
      },
    })
    const { first, goOn } = await start(benchWith(server.fetch))
    let last = first
    for (let questions = 2; questions <= 6; questions++) {
      last = asked(await goOn(last, answer({ colour: 'red' })).then((result) => (questions <= 5 ? result : last)))
      if (questions <= 5) expect(last.question.text).toBe(`Question ${questions}`)
    }
    expect(await goOn(last, answer({ colour: 'red' }))).toMatchObject({
      code: 'tool_error',
      text: 'the server asked more than 5 questions in one call',
    })
  })

  it('a call that is refused until an address was opened asks for that, and is made again', async () => {
    let opened = false
    const server = standIn(2025, {
      act: () => {
        if (opened) return says('bought')
        opened = true
        throw rpcError(-32_042, 'pay', {
          elicitations: [{ mode: 'url', message: 'Pay first', url: 'https://pay.example.com/1', elicitationId: 'p' }],
        })
      },
    })
    const { first, goOn } = await start(benchWith(server.fetch))
    expect(first.question).toEqual({
      text: 'Pay first\nOpen this address and confirm when it is done: https://pay.example.com/1',
      schema: null,
    })
    expect(await goOn(first, answer(null))).toMatchObject({ text: 'bought' })
  })

  it.each(['sampling/createMessage', 'roots/list'])('%s is refused', async (method) => {
    const refusals: unknown[] = []
    const server = standIn(2025, {
      act: async (_, { ask }) => {
        refusals.push((await ask(method, {})).error)
        return says('without')
      },
    })
    expect(await benchWith(server.fetch).call(toolNamed('act'))).toMatchObject({ text: 'without' })
    expect(refusals).toEqual([expect.objectContaining({ code: -32_601 })])
  })
})

describe('a held call', () => {
  it('whose state cannot be read is a failed action, and nothing is sent', async () => {
    const server = standIn(2026, { act: () => says('acted') })
    const result: unknown = await benchWith(server.fetch).call(
      toolNamed('act'),
      {},
      { held: { state: '{"kind":"other"}', answer: null } },
    )
    expect(result).toMatchObject({ ok: false, code: 'tool_error' } satisfies Partial<ToolResult>)
    expect(server.requests).toEqual([])
  })

  it('of which more than 64 kB would have to be kept is a failed action', async () => {
    const server = standIn(2026, { act: () => wants({ q: form('Which?') }, 'x'.repeat(70_000)) })
    expect(await benchWith(server.fetch).call(toolNamed('act'))).toMatchObject({ ok: false, code: 'bad_answer' })
  })
})

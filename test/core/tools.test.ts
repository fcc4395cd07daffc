/** What a tool is given of a native call: tools of one text take it however the model names it; others the JSON of their arguments. */
import { describe, expect, it } from 'vitest'
import { BUILT_IN_TOOLS, toolInputOf, type ToolCard } from '../../src/core/mode/tools.ts'

const cardOf = (name: string) => BUILT_IN_TOOLS.find((card) => card.name === name)
const structured: ToolCard = {
  name: 'weather',
  idempotent: true,
  nature: 'unknown',
  description: { en: '', zh: '' },
  parameters: { type: 'object' },
  text: null,
}

describe('the input of a native call', () => {
  it.each([
    ['its own argument', 'todo', '{"command":"/todo list"}', '/todo list'],
    ['its own among others', 'internet_search', '{"lang":"en","query":"tea"}', 'tea'],
    ['the only argument under another name', 'todo', '{"input":"/todo list"}', '/todo list'],
    ['a bare text', 'internet_search', '"tea"', 'tea'],
    ['what is no JSON', 'internet_search', 'tea', 'tea'],
    ['arguments without a text', 'todo', '{"command":7}', '{"command":7}'],
    ['no arguments', 'todo', '{}', '{}'],
    ['two strange arguments', 'todo', '{"a":"x","b":"y"}', '{"a":"x","b":"y"}'],
  ])('is the text for a tool with one text: %s', (_, name, args, input) => {
    expect(toolInputOf(cardOf(name), args)).toBe(input)
  })
  it('is the arguments as they were written for any other tool and for an unknown one', () => {
    expect(toolInputOf(structured, '{"city": "Oslo"}')).toBe('{"city": "Oslo"}')
    expect(toolInputOf(undefined, '{"command":"/todo list"}')).toBe('{"command":"/todo list"}')
  })
  it('the parameters of every tool of one text name that text and nothing else', () => {
    const named = BUILT_IN_TOOLS.filter(({ text }) => text !== null)
    expect(named.map(({ parameters }) => parameters)).toMatchObject(
      named.map(({ text }) => ({ required: [text], additionalProperties: false })),
    )
  })
})

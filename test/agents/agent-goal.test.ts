/** The goals of tasks that agents make, and the names of agents (U58). */
import { describe, expect, it } from 'vitest'
import { filledGoal, FILLED_GOAL_MAX, unknownPlaceholder } from '../../src/core/workspace/agents/agent-goal.ts'
import { agentTag, isMet, readAgentRef } from '../../src/core/workspace/agents/agent.ts'

const template = (goal: string | null, input: Record<string, unknown> | null, locale: 'en' | 'zh' = 'en') =>
  filledGoal({ goal, is_template: true, input, locale })

describe('U58 the goal of an agent', () => {
  it.each([
    ['Add {{title}}', { title: 'milk' }, 'Add milk'],
    ['Add {{ title }}', { title: 'milk' }, 'Add milk'],
    ['Add {{a}} and {{a}}', { a: 1 }, 'Add 1 and 1'],
    ['Say {{a}}', { a: { b: [1, 'x'] } }, 'Say {"b":[1,"x"]}'],
    ['Say {{a}}', { a: null, b: 2 }, 'Say null\n\nInput:\n{"b":2}'],
    ['Say {{a}}', { a: '{{b}} $& $1', b: 'x' }, 'Say {{b}} $& $1\n\nInput:\n{"b":"x"}'],
    ['Sort it', { text: 'a "b"' }, 'Sort it\n\nInput:\n{"text":"a \\"b\\""}'],
    ['Sort it', {}, 'Sort it'],
    ['Keep {these} and {{ 1x }} and {{}}', {}, 'Keep {these} and {{ 1x }} and {{}}'],
    ['买 {{名}} {{a.b}}', { 名: '牛奶', 'a.b': 2 }, '买 牛奶 2'],
  ])(
    'U58 members of the input take the places of their names, and the others stand below: %s',
    (goal, input, filled) => {
      expect(template(goal, input)).toEqual({ ok: true, goal: filled })
    },
  )

  it('U58 a goal of the caller is no template', () => {
    expect(filledGoal({ goal: 'Say {{a}}', is_template: false, input: { a: 1 }, locale: 'zh' })).toEqual({
      ok: true,
      goal: 'Say {{a}}\n\n输入：\n{"a":1}',
    })
  })

  it('U58 an agent without a goal handles its input by the instructions', () => {
    expect(template(null, { a: 1 })).toEqual({
      ok: true,
      goal: 'Handle the input below as the instructions say.\n\nInput:\n{"a":1}',
    })
    expect(template(null, { a: 1 }, 'zh')).toEqual({ ok: true, goal: '请按照指令处理以下输入。\n\n输入：\n{"a":1}' })
  })

  it('U58 a placeholder that the input lacks is named, once', () => {
    const problem = { kind: 'missing', needed: ['a', 'toString'] }
    expect(template('{{a}} {{b}} {{a}} {{toString}}', { b: 1 })).toEqual({ ok: false, problem })
  })

  it.each(['', '   '])('U58 an input that leaves the goal empty is refused: %j', (a) => {
    expect(template('{{a}}', { a })).toEqual({ ok: false, problem: { kind: 'empty' } })
  })

  it('U58 a goal that grows too long is refused before it is made', () => {
    const goal = '{{a}}'.repeat(1_600)
    const a = 'x'.repeat(16_000)
    expect(template(goal, { a })).toEqual({ ok: false, problem: { kind: 'too_long', chars: 1_600 * 16_000 + 8_000 } })
    expect(template('{{a}}', { a: 'x'.repeat(FILLED_GOAL_MAX - 5) }).ok).toBe(true)
    expect(template('{{a}}', { a: 'x'.repeat(FILLED_GOAL_MAX) }).ok).toBe(false)
  })

  it('U58 a placeholder that no member has is found, with the one that was meant', () => {
    expect(unknownPlaceholder('{{titel}} {{x}}', ['title', 'x'])).toEqual({ given: 'titel', known: 'title' })
    expect(unknownPlaceholder('{{quite_other}}', ['title'])).toEqual({ given: 'quite_other', known: null })
    expect(unknownPlaceholder('{{title}}', ['title'])).toBeNull()
  })
})

describe('U58 the name of an agent', () => {
  it.each([
    ['support', { name: 'support', version: null }],
    ['support@3', { name: 'support', version: 3 }],
    ['support@999999999', { name: 'support', version: 999_999_999 }],
    ['support@0', null],
    ['support@03', null],
    ['support@', null],
    ['support@1@2', null],
    ['support@latest', null],
    ['@3', null],
    ['a b', null],
    ['a/b', null],
    ['', null],
    [`${'a'.repeat(65)}`, null],
  ])('U58 %s', (text, ref) => {
    expect(readAgentRef(text)).toEqual(ref)
  })

  it('U58 a tag names version and definition', () => {
    const agent = { name: 'a', version: 2, definition: { goal: 'x' }, at: 0 }
    const other = { ...agent, definition: { goal: 'y' } }
    expect(agentTag(agent)).toMatch(/^"2;[0-9a-f]{16}"$/)
    expect(agentTag(other)).not.toBe(agentTag(agent))
    const tags = [agentTag(agent)]
    const conditions = [
      { match: null, none_match: null },
      { match: null, none_match: '*' as const },
      { match: '*' as const, none_match: null },
      { match: tags, none_match: null },
      { match: null, none_match: tags },
      { match: tags, none_match: '*' as const },
      { match: [], none_match: null },
    ]
    const met = (known: typeof agent | null) => conditions.map((one) => Number(isMet(one, known))).join('')
    expect([met(null), met(agent), met(other)]).toEqual(['1100100', '1011000', '1010100'])
  })
})

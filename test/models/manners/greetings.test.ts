/** Hello, help and thanks alone: one friendly sentence and goals that work, in every mode whose tools are todos and events (U63). */
import { describe, expect, it } from 'vitest'
import { EXAMPLES, greetingOf } from '../../../src/models/offline/manners/greetings.ts'
import { say } from '../../support/scripted.ts'
import { ALL } from '../../support/scripted.ts'
import { localeOf } from '../offline-driver.ts'
import { startTalk } from './service.ts'

const GREETINGS: readonly (readonly [string, string])[] = [
  ['hi', 'Hello!'],
  ['Hello there', 'Hello!'],
  ['hey!!!', 'Hello!'],
  ['Good morning, everyone', 'Hello!'],
  ['help', 'Gladly'],
  ['Can you help me?', 'Gladly'],
  ['what can you do?', 'Gladly'],
  ['Hi! What can you do?', 'Gladly'],
  ['How does this work?', 'Gladly'],
  ['who are you', 'Gladly'],
  ['thanks!', 'You are welcome'],
  ['Thank you very much 🙏', 'You are welcome'],
  ['bye', 'Goodbye'],
  ['你好', '您好'],
  ['您好！', '您好'],
  ['在吗？', '您好'],
  ['帮助', '很乐意'],
  ['你好，你能做什么？', '很乐意'],
  ['怎么用', '很乐意'],
  ['谢谢', '不客气'],
  ['非常感谢！', '不客气'],
  ['再见', '再见'],
]
/** What the three example goals make, in their order. */
const MADE = {
  en: [
    '/todo add Buy milk --due 2026-11-25 18:00',
    '/schedule add 2026-11-27 12:00 Lunch with Ann --duration 45',
    '/todo add water the plants --due 2026-11-25 09:00 --remind 2026-11-25 09:00',
  ],
  zh: [
    '/todo add 买牛奶 --due 2026-11-25 18:00',
    '/schedule add 2026-11-27 12:00 和小王吃午饭 --duration 45',
    '/todo add 浇花 --due 2026-11-25 09:00 --remind 2026-11-25 09:00',
  ],
}
const MODES = ['plan_execute', 'dynamic', 'session']

describe.each(MODES)('in mode %s', (mode) => {
  it.each(GREETINGS)('U63 %j is answered', async (goal, words) => {
    const { task, commands } = await startTalk({ goal, mode })
    expect(task).toMatchObject({ status: 'completed', result: { outcome: 'done', unmet: [] } })
    expect(commands).toEqual([])
    const lines = task.result?.text?.split('\n') ?? []
    expect(lines[0]).toContain(words)
    expect(lines.slice(2)).toEqual(EXAMPLES[localeOf(goal)].map((example) => `- ${example}`))
  })

  it.each(['en', 'zh'] as const)('U63 each example in %s is worked off', async (locale) => {
    for (const [index, goal] of EXAMPLES[locale].entries()) {
      const { task, commands } = await startTalk({ goal, mode })
      expect(task).toMatchObject({ status: 'completed', result: { outcome: 'done' } })
      const [input = ''] = commands
      expect(input.startsWith('{') ? JSON.parse(input).command : input).toBe(MADE[locale][index])
      expect(commands).toHaveLength(1)
    }
  })

  it.each([
    ['hello there, buy milk', '/todo add buy milk'],
    ['help me buy milk', '/todo add buy milk'],
    ['Thanks! And add a todo: hello', '/todo add hello'],
    ['你好，买牛奶', '/todo add 买牛奶'],
  ])('U63 %j asks for more than an answer', async (goal, command) => {
    const { task, commands } = await startTalk({ goal, mode })
    expect(commands).toEqual([expect.stringContaining(command)])
    expect(task).toMatchObject({ status: 'completed', result: { outcome: 'done' } })
  })
})

describe('a session', () => {
  it('U63 answers thanks after its work, and works on afterwards', async () => {
    const { bench, task, commands } = await startTalk({ goal: 'add todo milk', mode: 'session' })
    const thanked = await say(bench, task.id, 'thanks!', ALL)
    expect(thanked).toMatchObject({ status: 'completed', result: { outcome: 'done' } })
    expect(thanked.result?.text).toContain('You are welcome!')
    expect((await say(bench, task.id, 'add todo eggs', ALL)).result?.text).toContain('eggs')
    expect(commands).toHaveLength(2)
  })
})

describe('a greeting', () => {
  it.each([
    'hello world program in Rust',
    'help desk meeting at 3pm',
    'what can you do about the weather in Paris?',
    'thanksgiving dinner on Thursday at 6pm',
    '早上跑步',
    '帮我买牛奶',
    'hi '.repeat(60),
  ])('U63 is nothing that has something else in it: %j', (text) => expect(greetingOf(text)).toBeNull())
})

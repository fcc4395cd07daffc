/** Deeds for which there is no tool, and filters that a list has not: the answer says so (U63). */
import { describe, expect, it } from 'vitest'
import { ALL, say } from '../../support/scripted.ts'
import { play } from '../offline-driver.ts'
import { startTalk } from './service.ts'

const MESSAGES = [
  'Send an email to Ann about the budget',
  'mail Ann the report tomorrow',
  'Please write an email to Bob',
  'text Bob that I am late',
  'send Bob a message',
  'reply to Ann',
  'send Ann the signed contract',
  'write Bob an email',
  'forward the invoice to Ann',
  '发邮件给张三',
  '给张三发邮件说明天开会',
  '给妈妈发微信',
]
const CANNOT = /I cannot send mail or messages|我无法发送邮件或消息/u

describe('what would have to be sent', () => {
  it.each(MESSAGES)('U63 %j is offered as a todo', async (goal) => {
    const { questions, commands, result } = await play({ goal, answers: ['no'] })
    expect(questions).toEqual([expect.stringMatching(CANNOT)])
    expect(commands).toEqual([])
    expect(result).toMatch(/not done|未完成/iu)
  })

  it('U63 is noted with its date where the answer is yes, and is not said to be sent', async () => {
    const { commands, result } = await play({ goal: 'mail Ann the report tomorrow', answers: ['yes, please'] })
    expect(commands).toEqual(['todo: /todo add mail Ann the report --due 2026-11-25 18:00'])
    expect(result).toContain('It is only noted: I cannot send mail or messages.')
  })

  it.each(['plan_execute', 'session'])('U63 is asked about in mode %s', async (mode) => {
    const { bench, task, commands } = await startTalk({ goal: 'Send an email to Ann', mode })
    expect(task).toMatchObject({ status: 'input_required', pending: { prompt: expect.stringMatching(CANNOT) } })
    expect(commands).toEqual([])
    const done = await say(bench, task.id, 'no', ALL)
    expect(done).toMatchObject({ status: 'completed', result: { outcome: 'not_done' } })
    expect(commands).toEqual([])
  })

  it('U63 is not done in mode dynamic, where the rules ask nothing', async () => {
    const { task, commands } = await startTalk({ goal: 'Send an email to Ann', mode: 'dynamic' })
    expect(task).toMatchObject({ status: 'completed', result: { outcome: 'not_done' } })
    expect(task.result?.text).toMatch(CANNOT)
    expect(commands).toEqual([])
  })

  it.each([
    ['remind me to email Ann tomorrow at 9am', '/todo add email Ann --due 2026-11-25 09:00 --remind 2026-11-25 09:00'],
    ['add a todo: email Ann', '/todo add email Ann'],
    ['send the parcel to Bob', '/todo add send the parcel to Bob'],
    ['send back the shoes', '/todo add send back the shoes'],
    ['send the kids to bed at 8pm', '/todo add send the kids to bed --due 2026-11-24 20:00'],
  ])('U63 %j is a todo without a question', async (goal, command) => {
    expect(await play({ goal })).toMatchObject({ commands: [`todo: ${command}`], questions: [] })
  })
})

describe('words that are like a message', () => {
  it.each([
    'text editor setup',
    'mail carrier tips',
    'message in a bottle project',
    'write code that sends messages',
    'forward planning meeting tomorrow at 3pm',
  ])('U63 %j is not offered as one', async (goal) =>
    expect((await play({ goal, unanswered: 'skip' })).questions.join()).not.toMatch(CANNOT),
  )
})

describe('an errand', () => {
  it.each([
    ['call mum tomorrow', 'I cannot call anyone'],
    ['buy milk', 'I cannot buy or order anything'],
    ['pay the rent', 'I cannot pay anything'],
    ['给妈妈打电话', '我无法打电话'],
    ['买牛奶', '我无法购买或下单'],
  ])('U63 %j is noted, and the result says that it is only that', async (goal, words) => {
    const { commands, questions, result } = await play({ goal })
    expect(commands).toHaveLength(1)
    expect(questions).toEqual([])
    expect(result).toContain(words)
  })

  it('U63 of a reminder is what was asked for', async () => {
    expect((await play({ goal: 'remind me to call mum at 5pm' })).result).not.toContain('only noted')
  })
})

describe('a list', () => {
  it.each([
    [
      'list my high priority todos due next week tagged work',
      'todos with the tag work',
      'high priority, due next week',
    ],
    ['show my todos due tomorrow', 'all todos;', 'due tomorrow'],
    ['show todos tagged work and home', 'with the tag work;', 'tagged work and home'],
    ['list overdue high priority tasks', 'overdue;', 'high priority'],
    ['show my top 5 todos sorted by priority', 'all todos;', 'sorted by priority'],
    ['show my finished todos', 'all todos;', 'finished'],
    ['show my calendar next week with Ann', 'week of 2026-12-01;', 'with Ann'],
    ['show todos without tag shop', 'all todos;', 'without tag shop'],
    ['list todos tagged shop except milk', 'with the tag shop;', 'except milk'],
    ['列出标签为 shop 的待办，除了 milk', '带标签 shop', '除了 milk'],
    ['列出我下周到期的高优先级待办', '全部待办', '高优先级, 下周到期'],
    ['列出标签为工作的已完成待办', '带标签 工作', '已完成'],
    ['查看下周和小王的会议', '2026-12-01', '和小王'],
  ])('U63 %j names what it was not filtered by', async (goal, listed, unused) => {
    const { result } = await play({ goal })
    const line = result?.split('\n').at(-1) ?? ''
    expect(line).toMatch(/^I listed .*I did not filter by: |^我列出了.*没有按以下条件筛选：/u)
    expect(line).toContain(listed)
    expect(line).toContain(unused)
  })

  it.each([
    'show my todos',
    'show overdue tasks',
    'show todos tagged work',
    'show todos tagged urgent',
    'what do I have to do today?',
    'show my upcoming tasks this week',
    'show todos without a due date',
    "what's on my calendar tomorrow?",
    '列出今天的待办',
    '查看下周日程',
  ])('U63 %j has nothing to name', async (goal) => {
    expect((await play({ goal })).result).not.toMatch(/did not filter|没有按以下/u)
  })

  it.each(['session', 'dynamic'])('U63 says so in mode %s', async (mode) => {
    const { task } = await startTalk({ goal: 'list my high priority todos', mode })
    expect(task.result?.text).toContain('I listed all todos; I did not filter by: high priority.')
  })
})

/** The offline model in mode session: a conversation with native calls, played again from its beginning at every turn (S4-13, S4-14, S4-17). */
import { describe, expect, it } from 'vitest'
import { separateReplies } from '../../src/core/mode/correction.ts'
import { readSessionTalk } from '../../src/models/offline/session-talk.ts'
import { offlineModel } from '../../src/models/offline/index.ts'
import { CALL, NOW, realTools, requestOf } from './offline-driver.ts'
import { hold } from './session-driver.ts'

const TWO = 'add todo milk; look up the Sydney Opera House'

describe('a run', () => {
  it('S4-13 S4-17 declares every step with its first call, says when each is done, and ends with the results', async () => {
    const one = hold(TWO)
    const answer = await one.run()
    expect(one.replies).toEqual([
      '[Step] Todo: milk\n[Step] Look up: the Sydney Opera House\nWorking on: Todo: milk\n[Done]',
      'Working on: Look up: the Sydney Opera House\n[Done]',
      answer,
    ])
    expect(one.calls).toEqual(['todo: /todo add milk', 'internet_search: the Sydney Opera House'])
    expect(one.cursor).toBe(2)
    expect(answer).toContain('Added todo #1')
    expect(answer).toContain('Found for "the Sydney Opera House"')
    expect(answer).not.toMatch(/\[Step\]|\[Done\]/)
  })

  it('gives each call one id and its native argument, and counts it in the estimate', async () => {
    const base = requestOf({})
    const plan = '[Program]\nCurrent task: add todo milk\nPlan the steps …\n\nLocal time: 2026-11-24 12:00 (UTC)'
    const messages = [
      { role: 'system' as const, content: '…' },
      { role: 'user' as const, content: 'add todo milk' },
      { role: 'user' as const, content: plan },
    ]
    const tools = [{ name: 'todo', description: '', parameters: {} }]
    const reply = await offlineModel().complete(
      { ...base, messages, tools, contract: null, metadata: { ...base.metadata, mode: 'session', phase: 'turn' } },
      CALL,
    )
    expect(reply).toMatchObject({
      kind: 'model_replied',
      model: 'offline-rules',
      tool_calls: [{ id: 'call_1', name: 'todo', arguments: '{"command":"/todo add milk"}' }],
    })
    const { text = '', tool_calls = [], usage = null } = reply.kind === 'model_replied' ? reply : {}
    expect(usage?.output_tokens).toBe(Math.ceil((text.length + JSON.stringify(tool_calls).length) / 4))
  })

  it.each(['en', 'zh'] as const)(
    'takes a message of the program between two replies for no word of the user (%s)',
    (locale) => {
      const plan = '[Program]\nCurrent task: add todo milk\nPlan the steps …\n\nLocal time: 2026-11-24 12:00 (UTC)'
      const replies = [
        { role: 'user' as const, content: 'add todo milk' },
        { role: 'assistant' as const, content: 'One.' },
        { role: 'assistant' as const, content: 'Two.' },
        { role: 'user' as const, content: plan },
      ]
      const messages = separateReplies(replies, locale)
      expect(messages).toHaveLength(5)
      expect(readSessionTalk([{ role: 'system', content: '…' }, ...messages])?.texts).toEqual(['add todo milk'])
    },
  )

  it('S4-14 completes a step of one call with it, and a step of several calls behind the last of them', async () => {
    const one = hold('add todo milk; finish the milk todo')
    await one.run()
    expect(one.calls).toEqual(['todo: /todo add milk', 'todo: /todo search milk', 'todo: /todo done 1'])
    expect(one.replies.map((text) => text.includes('[Done]'))).toEqual([true, false, false, true])
    expect(one.cursor).toBe(2)
  })

  it('corrects a step that ended otherwise than it was declared: the plan is never more than one step behind', async () => {
    const one = hold('finish the milk todo; add todo eggs; add todo tea')
    const answer = await one.run()
    expect(one.calls[0]).toBe('todo: /todo search milk')
    expect(one.replies[0]).not.toContain('[Done]')
    expect(one.cursor).toBe(2)
    expect(answer).toContain('nothing matches "milk"')
  })

  it.each([false, true])('reports a failed call as failed (as JSON: %s)', async (json) => {
    const one = hold(TWO, {
      json,
      tool: (name, input) =>
        name === 'todo' ? realTools(NOW, 'en')(name, input) : { ok: false, text: 'The search failed: no network.' },
    })
    const answer = await one.run()
    expect(answer).toContain('the search for "the Sydney Opera House" gave nothing - The search failed: no network.')
    expect(answer).toContain('Added todo #1')
  })

  it('has Chinese marks and words for a Chinese goal', async () => {
    const one = hold('明天买牛奶；查一下悉尼歌剧院')
    const answer = await one.run()
    expect(one.replies[0]).toMatch(/^\[Step\] 待办：买牛奶 \[2026-11-25 18:00\]\n\[Step\] .*\n正在处理：.*\n\[完成\]$/u)
    expect(answer).toMatch(/^已完成：/u)
  })

  it('says without a call, and so without a plan, what it cannot do', async () => {
    const one = hold('write a poem')
    expect(await one.turn()).toContain('OPENAI_API_KEY')
    expect(one.calls).toEqual([])
  })

  it('says nothing that counts as a word of transition', async () => {
    const one = hold('add todo milk; finish the milk todo; 买面包', {})
    await one.run()
    const said = one.replies.slice(0, -1).join('\n')
    expect(said).not.toMatch(/\b(?:next|now|then|continue|let me|proceed)\b|现在|接下来|然后|继续|开始/iu)
  })

  it('keeps dates as they were declared, whatever the clock shows later', async () => {
    const one = hold('add todo milk tomorrow; add todo eggs tomorrow', { at: '2026-11-24 23:59' })
    await one.turn()
    one.at = '2026-11-25 00:01'
    await one.run()
    expect(one.calls).toEqual([
      'todo: /todo add milk --due 2026-11-25 18:00',
      'todo: /todo add eggs --due 2026-11-25 18:00',
    ])
    expect(one.titles).toHaveLength(2)
  })

  it('declares and does a remark after the other steps', async () => {
    const one = hold(TWO)
    await one.turn()
    one.say('also buy bread tomorrow')
    await one.run()
    expect(one.replies[1]).toMatch(/^\[Step\] Todo: buy bread \[2026-11-25 18:00\]\nWorking on: Look up/)
    expect(one.calls.at(-1)).toBe('todo: /todo add buy bread --due 2026-11-25 18:00')
    expect(one.cursor).toBe(3)
  })
})

describe('a question', () => {
  const STORY = 'add todo milk; book the dentist tomorrow at 3pm; add todo eggs'

  it('is a call, and its answer continues with the remaining steps', async () => {
    const one = hold(STORY)
    const question = await one.run()
    expect(question).toMatch(/^Please confirm: How long should I keep for "dentist" on 2026-11-25 15:00\?/)
    one.say('45 minutes')
    const answer = await one.run()
    expect(one.titles).toEqual(['Todo: milk', 'Book: dentist [2026-11-25 15:00]', 'Todo: eggs'])
    expect(one.cursor).toBe(3)
    expect(one.calls).toEqual([
      'todo: /todo add milk',
      'schedule: /schedule add 2026-11-25 15:00 dentist --duration 45',
      'todo: /todo add eggs',
    ])
    expect(answer).toContain('milk')
    expect(answer).toContain('eggs')
  })

  it('at the start keeps the dates that were settled, for an answer on the next day', async () => {
    const one = hold('book the dentist tomorrow at 3pm')
    await one.run()
    one.at = '2026-11-25 09:00'
    one.say('default')
    await one.run()
    expect(one.calls).toEqual(['schedule: /schedule add 2026-11-25 15:00 dentist --duration 60'])
  })

  it('asks about a time that is not free, and leads to a try at the other time', async () => {
    const one = hold('schedule tea tomorrow at 3pm; schedule chess tomorrow at 3pm')
    expect(await one.run()).toContain('does not fit at 2026-11-25 15:00')
    one.say('5pm')
    await one.run()
    expect(one.calls.at(-1)).toBe('schedule: /schedule add 2026-11-25 17:00 chess')
    expect(one.calls).toHaveLength(3)
  })

  it('keeps the call that its answer led to, also when the answer is read at another time', async () => {
    const one = hold('schedule tea on 2026-11-26 at 3pm; schedule chess on 2026-11-26 at 3pm', {
      at: '2026-11-24 23:59',
    })
    await one.run()
    one.say('tomorrow at 5pm')
    await one.turn()
    one.at = '2026-11-25 00:01'
    await one.run()
    expect(one.calls.slice(1)).toEqual([
      'schedule: /schedule add 2026-11-26 15:00 chess',
      'schedule: /schedule add 2026-11-25 17:00 chess',
    ])
  })

  it('is put once, also when several follow each other', async () => {
    const one = hold('book the dentist tomorrow at 3pm; book the barber tomorrow at 5pm')
    expect(await one.run()).toContain('dentist')
    one.say('default')
    expect(await one.run()).toContain('barber')
    one.say('30 minutes')
    await one.run()
    expect(one.calls).toEqual([
      'schedule: /schedule add 2026-11-25 15:00 dentist --duration 60',
      'schedule: /schedule add 2026-11-25 17:00 barber --duration 30',
    ])
  })
})

describe('the next run', () => {
  it('is about its own request only, and may ask for the same again', async () => {
    const one = hold('list my todos')
    await one.run()
    one.say('list my todos')
    await one.run()
    expect(one.calls).toEqual(['todo: /todo list', 'todo: /todo list'])
    one.say('add todo milk')
    expect(await one.run()).toMatch(/^Added todo #1/)
    expect(one.titles).toEqual(['Todo: milk'])
  })

  it('has nothing to do when its request is only to continue', async () => {
    const one = hold('add todo milk')
    await one.run()
    one.say('continue')
    expect(await one.turn()).toBe('Nothing is left to do.')
  })
})

describe('a pause', () => {
  it('S4-19 repeats and declares nothing again after a request to continue', async () => {
    const one = hold(TWO)
    await one.turn()
    one.goOn()
    await one.run()
    expect(one.calls).toHaveLength(2)
    expect(one.titles).toHaveLength(2)
  })

  it('U14 answers a side turn with its progress and without a call, and does what was asked later', async () => {
    const one = hold(TWO)
    await one.turn()
    expect(await one.aside('how far are you?')).toBe(
      'Added todo #1 [default] milk (priority 0).\nStill open:\n- Look up: the Sydney Opera House',
    )
    expect(await one.aside('also buy bread')).toContain('- Todo: buy bread')
    expect(await one.aside('purple monkey')).toContain('I did not understand this remark: "purple monkey"')
    one.goOn()
    await one.run()
    expect(one.calls).toEqual([
      'todo: /todo add milk',
      'internet_search: the Sydney Opera House',
      'todo: /todo add buy bread',
    ])
    expect(one.titles).toHaveLength(3)
  })

  it('does not treat a call that is still to be made as failed', async () => {
    const one = hold(TWO)
    await one.turn()
    one.messages[one.messages.length - 1] = {
      role: 'tool',
      tool_call_id: 'call_1',
      content: 'not made yet: the task is paused',
    }
    expect(await one.aside('status?')).toBe('Still open:\n- Todo: milk\n- Look up: the Sydney Opera House')
  })

  it('does not start a run with an aside before a question', async () => {
    const one = hold('add todo milk; book the dentist tomorrow at 3pm')
    await one.turn()
    await one.aside('also buy bread')
    await one.aside('how far are you?')
    one.goOn()
    await one.run()
    one.say('default')
    await one.run()
    expect(one.calls).toEqual([
      'todo: /todo add milk',
      'schedule: /schedule add 2026-11-25 15:00 dentist --duration 60',
      'todo: /todo add buy bread',
    ])
  })
})

describe('a conversation whose beginning is left out', () => {
  const GOAL = Array.from({ length: 12 }, (_, index) => `- buy thing ${'abcdefghijkl'.charAt(index)} tomorrow`).join(
    '\n',
  )

  it('continues where it was and repeats nothing, round by round or all at once, also past midnight', async () => {
    for (const every of [1, 3, 5]) {
      const one = hold(GOAL)
      for (let turns = 1; turns <= 12; turns++) {
        await one.turn()
        if (turns % every === 0) one.leaveOut(every)
        if (turns === 6) one.at = '2026-11-25 00:01'
      }
      const answer = await one.turn()
      expect(one.calls).toHaveLength(12)
      expect(new Set(one.calls).size).toBe(12)
      expect(one.titles).toHaveLength(12)
      expect(answer).toContain('Done earlier in this session: Todo: buy thing a')
    }
  })

  it('takes up a step again that began before the gap and goes on after it', async () => {
    const one = hold('add todo milk; finish the milk todo')
    await one.turn()
    await one.turn()
    one.leaveOut(2)
    await one.run()
    expect(one.calls.slice(2)).toEqual(['todo: /todo search milk', 'todo: /todo done 1'])
  })

  it('puts later declarations after the remaining steps of the plan', async () => {
    const one = hold('add todo milk; add todo eggs; add todo tea')
    await one.turn()
    one.say('also buy bread')
    await one.turn()
    one.leaveOut(1)
    await one.run()
    expect(one.calls.map((call) => call.split(' ').at(-1))).toEqual(['milk', 'eggs', 'tea', 'bread'])
  })

  it('remembers what the user said in the part that is left out', async () => {
    const one = hold(TWO)
    await one.turn()
    one.say('also buy bread')
    one.leaveOut(1, ['also buy bread'])
    one.messages = one.messages.slice(0, 2)
    await one.run()
    expect(one.calls.at(-1)).toBe('todo: /todo add buy bread')
  })

  it('finds the request of a later run in the system message', async () => {
    const one = hold('list my todos')
    await one.run()
    one.say('add todo milk; add todo eggs')
    await one.turn()
    one.say('purple monkey')
    one.leaveOut(2)
    expect(await one.run()).toContain('I did not understand this remark: "purple monkey"')
    expect(one.calls).toEqual(['todo: /todo list', 'todo: /todo add milk', 'todo: /todo add eggs'])
  })
})

describe('an invalid request of a session', () => {
  it('is a failed call when the local time is missing', async () => {
    const base = requestOf({})
    const metadata = { ...base.metadata, mode: 'session' as const }
    for (const messages of [
      [],
      [{ role: 'user' as const, content: 'hello' }],
      [{ role: 'system' as const, content: 'hi' }],
    ]) {
      expect(await offlineModel().complete({ ...base, messages, metadata }, CALL)).toMatchObject({
        kind: 'model_failed',
        reason: 'offline model: the message of the program tells no local time',
      })
    }
  })

  it('gets the same reply for the same conversation', async () => {
    const [one, other] = [hold(TWO), hold(TWO)]
    await one.run()
    await other.run()
    expect(one.messages).toEqual(other.messages)
  })
})

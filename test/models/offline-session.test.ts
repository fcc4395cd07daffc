/** The offline model in mode session: a conversation with native calls, played again from its beginning at every turn (S4-13, S4-14, S4-17). */
import { describe, expect, it } from 'vitest'
import { offlineModel } from '../../src/models/offline/index.ts'
import { CALL, NOW, realTools, requestOf } from './offline-driver.ts'
import { hold } from './session-driver.ts'

const TWO = 'add todo milk; look up the Sydney Opera House'

describe('a run', () => {
  it('S4-13 S4-17 declares every step with its first call, says when each is done, and ends with what came of them', async () => {
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

  it('a call has one id, its native argument, and is counted in the estimate', async () => {
    const base = requestOf({})
    const system = '## …\nCurrent task: add todo milk\nPlan the steps …\n\nLocal time: 2026-11-24 12:00 (UTC)'
    const messages = [
      { role: 'system' as const, content: system },
      { role: 'user' as const, content: 'add todo milk' },
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

  it('S4-14 a step of several calls is done with the last of them', async () => {
    const one = hold('add todo milk; finish the milk todo')
    await one.run()
    expect(one.calls).toEqual(['todo: /todo add milk', 'todo: /todo search milk', 'todo: /todo done 1'])
    expect(one.replies.map((text) => text.includes('[Done]'))).toEqual([true, false, true, false])
    expect(one.cursor).toBe(2)
  })

  it('a step that ends otherwise than it was said to is made up for: the plan is never more than one step behind', async () => {
    const one = hold('finish the milk todo; add todo eggs; add todo tea')
    const answer = await one.run()
    expect(one.calls[0]).toBe('todo: /todo search milk')
    expect(one.replies[0]).not.toContain('[Done]')
    expect(one.cursor).toBe(2)
    expect(answer).toContain('nothing matches "milk"')
  })

  it.each([false, true])('a failed call is told as such (as JSON: %s)', async (json) => {
    const one = hold(TWO, {
      json,
      tool: (name, input) =>
        name === 'todo' ? realTools(NOW, 'en')(name, input) : { ok: false, text: 'The search failed: no network.' },
    })
    const answer = await one.run()
    expect(answer).toContain('the search for "the Sydney Opera House" gave nothing - The search failed: no network.')
    expect(answer).toContain('Added todo #1')
  })

  it('in Chinese its marks and words are Chinese', async () => {
    const one = hold('明天买牛奶；查一下悉尼歌剧院')
    const answer = await one.run()
    expect(one.replies[0]).toMatch(/^\[Step\] 待办：买牛奶 \[2026-11-25 18:00\]\n\[Step\] .*\n正在处理：.*\n\[完成\]$/u)
    expect(answer).toMatch(/^已完成：/u)
  })

  it('what it cannot do is said without a call, and so without a plan', async () => {
    const one = hold('write a poem')
    expect(await one.turn()).toContain('OPENAI_API_KEY')
    expect(one.calls).toEqual([])
  })

  it('nothing it says on the way is a word of transition', async () => {
    const one = hold('add todo milk; finish the milk todo; 买面包', {})
    await one.run()
    const said = one.replies.slice(0, -1).join('\n')
    expect(said).not.toMatch(/\b(?:next|now|then|continue|let me|proceed)\b|现在|接下来|然后|继续|开始/iu)
  })

  it('dates stay as they were declared, whatever the clock shows by then', async () => {
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

  it('a remark is declared and done behind the rest', async () => {
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

  it('ends the run, and the answer goes on with what was left', async () => {
    const one = hold(STORY)
    const question = await one.run()
    expect(question).toMatch(/^Please confirm: How long should I keep for "dentist" on 2026-11-25 15:00\?/)
    one.say('45 minutes')
    const answer = await one.run()
    expect(one.titles).toEqual(['Book: dentist [2026-11-25 15:00]', 'Todo: eggs'])
    expect(one.cursor).toBe(2)
    expect(one.calls).toEqual([
      'todo: /todo add milk',
      'schedule: /schedule add 2026-11-25 15:00 dentist --duration 45',
      'todo: /todo add eggs',
    ])
    expect(answer).toContain('milk')
    expect(answer).toContain('eggs')
  })

  it('that comes first keeps the dates it has settled, for an answer of the next day', async () => {
    const one = hold('book the dentist tomorrow at 3pm')
    await one.run()
    one.at = '2026-11-25 09:00'
    one.say('default')
    await one.run()
    expect(one.calls).toEqual(['schedule: /schedule add 2026-11-25 15:00 dentist --duration 60'])
  })

  it('a taken time is asked about, and tried again at the other one', async () => {
    const one = hold('schedule tea tomorrow at 3pm; schedule chess tomorrow at 3pm')
    expect(await one.run()).toContain('does not fit at 2026-11-25 15:00')
    one.say('5pm')
    await one.run()
    expect(one.calls.at(-1)).toBe('schedule: /schedule add 2026-11-25 17:00 chess')
    expect(one.calls).toHaveLength(3)
  })

  it('an answer that was read at another time is the call it made then', async () => {
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

  it('several in a row are each put once', async () => {
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
  it('is about what it was asked alone, and may ask for the same again', async () => {
    const one = hold('list my todos')
    await one.run()
    one.say('list my todos')
    await one.run()
    expect(one.calls).toEqual(['todo: /todo list', 'todo: /todo list'])
    one.say('add todo milk')
    expect(await one.run()).toMatch(/^Added todo #1/)
    expect(one.titles).toEqual(['Todo: milk'])
  })

  it('of a word of going on has nothing to do', async () => {
    const one = hold('add todo milk')
    await one.run()
    one.say('continue')
    expect(await one.turn()).toBe('Nothing is left to do.')
  })
})

describe('a pause', () => {
  it('S4-19 after a word of going on nothing is done or declared again', async () => {
    const one = hold(TWO)
    await one.turn()
    one.goOn()
    await one.run()
    expect(one.calls).toHaveLength(2)
    expect(one.titles).toHaveLength(2)
  })

  it('U14 beside the work it tells how far it is, calls nothing, and does what was wished for later', async () => {
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

  it('a call that is still to be made is not taken for a failed one', async () => {
    const one = hold(TWO)
    await one.turn()
    one.messages[one.messages.length - 1] = {
      role: 'tool',
      tool_call_id: 'call_1',
      content: 'not made yet: the task is paused',
    }
    expect(await one.aside('status?')).toBe('Still open:\n- Todo: milk\n- Look up: the Sydney Opera House')
  })

  it('an aside before a question is no start of a run', async () => {
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

describe('a conversation of which the beginning is left out', () => {
  const GOAL = Array.from({ length: 12 }, (_, index) => `- buy thing ${'abcdefghijkl'.charAt(index)} tomorrow`).join(
    '\n',
  )

  it('goes on where it is and repeats nothing, every round or all at once, also past midnight', async () => {
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

  it('a step that began before and goes on behind it is taken up again', async () => {
    const one = hold('add todo milk; finish the milk todo')
    await one.turn()
    await one.turn()
    one.leaveOut(2)
    await one.run()
    expect(one.calls.slice(2)).toEqual(['todo: /todo search milk', 'todo: /todo done 1'])
  })

  it('what is declared later does not come before what is left of the plan', async () => {
    const one = hold('add todo milk; add todo eggs; add todo tea')
    await one.turn()
    one.say('also buy bread')
    await one.turn()
    one.leaveOut(1)
    await one.run()
    expect(one.calls.map((call) => call.split(' ').at(-1))).toEqual(['milk', 'eggs', 'tea', 'bread'])
  })

  it('what the user said there is not forgotten', async () => {
    const one = hold(TWO)
    await one.turn()
    one.say('also buy bread')
    one.leaveOut(1, ['also buy bread'])
    one.messages = one.messages.slice(0, 2)
    await one.run()
    expect(one.calls.at(-1)).toBe('todo: /todo add buy bread')
  })

  it('a later run whose own words are left out is told by the system message', async () => {
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

describe('what is no session', () => {
  it('a request without a local time is a failed call', async () => {
    const base = requestOf({})
    const metadata = { ...base.metadata, mode: 'session' }
    for (const messages of [
      [],
      [{ role: 'user' as const, content: 'hello' }],
      [{ role: 'system' as const, content: 'hi' }],
    ]) {
      expect(await offlineModel().complete({ ...base, messages, metadata }, CALL)).toMatchObject({
        kind: 'model_failed',
        reason: 'offline model: the system message tells no local time',
      })
    }
  })

  it('the same conversation has the same reply', async () => {
    const [one, other] = [hold(TWO), hold(TWO)]
    await one.run()
    await other.run()
    expect(one.messages).toEqual(other.messages)
  })
})

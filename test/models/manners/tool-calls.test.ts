/** A goal that names a tool: the built-in model calls it, so that tools of a client can be tried without a key (U63). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { namedCallIn } from '../../../src/models/offline/goal/tool-calls.ts'
import { intentOfTitle, readGoal } from '../../../src/models/offline/goal/goal.ts'
import { intentTitle } from '../../../src/models/offline/goal/intents.ts'
import { NOW } from '../offline-driver.ts'
import { startTalk } from './service.ts'

const Example = z.object({ goal: z.string(), tools: z.array(z.object({ http: z.object({ name: z.string() }) })) })
const page = readFileSync(join(import.meta.dirname, '../../../docs/tools.md'), 'utf8')
const block = page.split('```json\n').find((text) => text.includes('The built-in model does not read this'))
const example = Example.parse(JSON.parse(block?.split('```')[0] ?? 'null'))

const TOOL = {
  name: 'get_order',
  description: 'Shows an order.',
  parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  url: 'https://example.com/orders',
  idempotent: false,
}

describe.each(['plan_execute', 'dynamic', 'session'])('in mode %s', (mode) => {
  it('U63 the example of docs/tools.md calls its tool', async () => {
    expect(example.tools[0]?.http.name).toBe(TOOL.name)
    const { task } = await startTalk({ goal: example.goal, mode, tools: [TOOL] })
    expect(task).toMatchObject({
      status: 'completed',
      result: { outcome: 'done' },
      counters: { successful_actions: 1 },
    })
    expect(task.result?.text).toContain('get_order got {"id":"7"}')
  })

  it('U63 a tool that there is not, is said to be missing', async () => {
    const { task } = await startTalk({ goal: 'Call the tool close_order with id 7', mode, tools: [TOOL] })
    expect(task).toMatchObject({ status: 'completed', result: { outcome: 'not_done' } })
    expect(task.result?.text).toContain('close_order')
  })
})

describe('a call in a goal', () => {
  it.each([
    ['Call book_room with room Oak and day 2026-11-27', 'book_room', { room: 'Oak', day: '2026-11-27' }],
    ['use book_room: room="The Oak", day=2026-11-27.', 'book_room', { room: 'The Oak', day: '2026-11-27' }],
    ['run tickets.create {"title":"No paper","count":2}', 'tickets.create', { title: 'No paper', count: 2 }],
    ['Please call the tool ping', 'ping', {}],
    ['调用工具 get_order：id=7', 'get_order', { id: '7' }],
  ])('U63 %j has its tool and its arguments', (goal, tool, args) => {
    const call = namedCallIn(goal)
    expect(call?.tool).toBe(tool)
    expect(JSON.parse(call?.input ?? 'null')).toEqual(args)
    const now = { date: NOW.slice(0, 10), time: NOW.slice(11) }
    for (const locale of ['en', 'zh'] as const) {
      const [intent] = readGoal(goal, [], now).intents
      if (intent === undefined) throw new Error('nothing was read')
      expect(intentOfTitle(intentTitle(intent, locale), now)).toEqual({ kind: 'use', ...call })
    }
  })

  it.each([
    'call mum',
    'call Dr. Smith with the results',
    'call Dr.Smith on Friday at 3pm',
    'call john.smith about the invoice',
    'run main.py on Friday',
    'use booking.com to find a hotel',
    'use Node.js for the server',
    'use the car on Friday',
    'call the tool shop tomorrow',
    'run 5 km tomorrow',
    'call get_order {"id":[1]}',
    'call get_order with {"id":',
  ])('U63 %j is none', (goal) => expect(namedCallIn(goal)).toBeNull())
})

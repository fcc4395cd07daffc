/** Accept: text/plain: the same facts in short lines, only when it is asked for. */
import { describe, expect, it } from 'vitest'
import { ok } from '../../src/core/terms/refusal.ts'
import type { Envelope, JournalEntry } from '../../src/core/terms/view.ts'
import {
  COMMAND_EXAMPLE,
  EVENT_PAGE_EXAMPLE,
  JOURNAL_PAGE_EXAMPLE,
  STORED_PAGE_EXAMPLE,
  TASK_EXAMPLE,
} from '../../src/http/document/examples.ts'
import { listText } from '../../src/http/text/plain.ts'
import { fixture, ID } from '../support/http-fixture.ts'

const PLAIN = { accept: 'text/plain' }

describe('which form is answered', () => {
  it.each([
    ['text/plain', 'text/plain'],
    ['TEXT/PLAIN;charset=utf-8', 'text/plain'],
    ['text/*', 'text/plain'],
    ['text/plain, */*;q=0.1', 'text/plain'],
    ['application/json;q=0.5, text/plain', 'text/plain'],
    ['text/html, text/plain;q=0.9, application/json;q=0.8', 'text/plain'],
    ['*/*', 'application/json'],
    ['', 'application/json'],
    ['application/json', 'application/json'],
    ['application/json, text/plain;q=0.5', 'application/json'],
    ['*/*, text/plain;q=0.5', 'application/json'],
    ['text/plain;q=0', 'application/json'],
    ['application/xml', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
    [';;;,,,"', 'application/json'],
    ['text/event-stream', 'application/json'],
  ])('Accept: %s is answered as %s', async (accept, type) => {
    const response = await fixture().send('GET', `/tasks/${ID}`, null, { accept })
    expect(response.headers.get('content-type')?.split(';')[0]?.toLowerCase()).toBe(type)
  })
})

describe('what the lines say', () => {
  const text = async (method: string, path: string, body: string | null = null) => {
    const headers = body === null ? PLAIN : { ...PLAIN, 'content-type': 'application/json' }
    return (await fixture().send(method, path, body, headers)).text()
  }

  it('S0-66…S0-72 a task shows its progress and its version', async () => {
    const response = await fixture().send('POST', `/tasks/${ID}/step`, null, PLAIN)
    expect(response.headers.get('etag')).toBe('"5"')
    const lines = (await response.text()).split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([`Task ${ID}: running`, 'Plan ready: 1 step', 'Action: todo -> /todo add buy milk']),
    )
    expect(lines.at(-1)).toBe('')
  })

  it('a create says where the task is', async () => {
    const response = await fixture().send('POST', '/tasks', '{"goal":"x"}', {
      ...PLAIN,
      'content-type': 'application/json',
    })
    expect([response.status, response.headers.get('location')]).toEqual([201, `/tasks/${ID}`])
    expect(await response.text()).toContain(ID)
  })

  it('a list is one line for each task, and how to go on', async () => {
    expect(await text('GET', '/tasks')).toBe(`${ID}  running  2/20  Buy milk tomorrow\nmore: ?after=17\n`)
  })

  it('U35 the line of a task that has ended says whether its goal was reached', () => {
    const { slice: _, last_thought: __, handover: ___, ...entry } = TASK_EXAMPLE
    const result = { text: 'x', artifacts: [], outcome: 'not_done' as const, unmet: [] }
    const data = [{ ...entry, status: 'completed' as const, result, as_of: entry.updated_at }]
    expect(listText({ data, has_more: false, next_cursor: null })).toEqual([
      `${entry.id}  completed  2/20  not_done  Buy milk tomorrow`,
    ])
  })

  it('events and journal are one line each', async () => {
    expect(await text('GET', `/tasks/${ID}/events?limit=20`)).toMatch(
      /^1 {2}\S+ {2}plan_created {2}Plan ready: 1 step\n2 {2}\S+ {2}item_started {2}Current item: 1\/1 - .*\nmore: \?after=2\n$/,
    )
    expect(await text('GET', `/tasks/${ID}/journal`)).toMatch(
      /^2 {2}\S+ {2}call_model {2}plan {2}ok {2}free {2}310\+102 tokens\n$/,
    )
  })

  it('stored rows are one JSON object each', async () => {
    const lines = (await text('GET', `/tasks/${ID}/export`)).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(STORED_PAGE_EXAMPLE.data)
  })

  it('only a row of a journal that is not closed is pending, and a closed row without an effect has no outcome', async () => {
    const [row] = JOURNAL_PAGE_EXAMPLE.data
    if (row === undefined) throw new Error('the example has a row')
    const none = { tokens: null, outcome: null }
    const data: JournalEntry[] = [
      { ...row, ...none, seq: 1, kind: 'task_created', phase: null },
      { ...row, ...none, seq: 2, finished_at: null },
    ]
    const answers = { listJournal: async () => ok({ data, has_more: false, next_cursor: null }) }
    const shown = await (await fixture({ answers }).send('GET', `/tasks/${ID}/journal`, null, PLAIN)).text()
    const at = row.started_at
    expect(shown).toBe(`1  ${at}  task_created  free\n2  ${at}  call_model  plan  pending  free\n`)
  })

  it('an event of a list shows its question, its item', async () => {
    const [event] = EVENT_PAGE_EXAMPLE.data
    if (event === undefined) throw new Error('the example has an event')
    const data: Envelope[] = [
      { ...event, type: 'clarification_requested', payload: { request_id: 'question_3', question: 'How long?' } },
      { ...event, type: 'item_completed', payload: { item_id: 'step_1', title: 'Buy milk', index: 0 } },
    ]
    const answers = { listEvents: async () => ok({ data, has_more: false, next_cursor: null }) }
    const shown = await (await fixture({ answers }).send('GET', `/tasks/${ID}/events?limit=20`, null, PLAIN)).text()
    const lines = shown.split('\n')
    expect(lines[0]).toMatch(/ {2}clarification_requested {2}Question: How long\?$/)
    expect(lines[1]).toMatch(/ {2}item_completed {2}Item done: Buy milk$/)
  })

  it('after a failed model call the text says so, and when to try again', async () => {
    const answers = { stepTask: async () => ok({ link_epoch: 0, task: { ...TASK_EXAMPLE, retry_after_ms: 1_800 } }) }
    const shown = await (await fixture({ answers }).send('POST', `/tasks/${ID}/step`, null, PLAIN)).text()
    expect(shown).toMatch(/\nThe model call failed; try again in 2 s\n$/)
  })

  it('a command is its text', async () => {
    expect(await text('POST', '/commands', '{"command":"/help"}')).toBe(`${COMMAND_EXAMPLE.text}\n`)
  })

  it('a slash command while waiting shows its text, then the task', async () => {
    const answers = { inputTask: async () => ok({ link_epoch: 0, task: TASK_EXAMPLE, command: COMMAND_EXAMPLE }) }
    const headers = { ...PLAIN, 'content-type': 'text/plain' }
    const shown = await (await fixture({ answers }).send('POST', `/tasks/${ID}/input`, '/todo add x', headers)).text()
    expect(shown.split('\n').slice(0, 3)).toEqual([COMMAND_EXAMPLE.text, '', `Task ${ID}: running`])
  })

  it('an empty page says so, health is two lines', async () => {
    const answers = {
      listTasks: async () => ok({ data: [], has_more: false, next_cursor: null, as_of: '2026-11-21T12:00:00.000Z' }),
    }
    expect(await (await fixture({ answers }).send('GET', '/tasks', null, PLAIN)).text()).toBe('(none)\n')
    expect(await text('GET', '/health')).toBe('ok 0.1.0\nmodel default built_in offline-rules\n')
  })
})

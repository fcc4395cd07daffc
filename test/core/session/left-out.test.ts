/** The summary of what was left out: counts, files and words by reference, each list bounded. */
import { describe, expect, it } from 'vitest'
import { MANUAL } from '../../support/scripted.ts'
import { Brief, type Event, type Fact, type StoredEffect } from '../../../src/core/terms/effect.ts'
import type { Entry } from '../../../src/core/modes/conversation/entry.ts'
import { omittedText, tallyEntry, type OmittedRounds } from '../../../src/core/modes/conversation/omitted-rounds.ts'
import { startState } from '../../../src/core/modes/session/state.ts'

const WRITTEN: Event = { kind: 'tool_returned', ok: true, text: 'written', code: 'file_written' }
const REFUSED: Event = { kind: 'tool_returned', ok: false, text: 'too large', code: 'too_large' }
const BRIEF = Brief.parse({
  goal: 'g',
  mode: 'session',
  settings: {},
  locale: 'en',
  timezone: 'UTC',
  metadata: {},
  ...MANUAL,
})
const ENTRY: Record<'assistant' | 'tool' | 'user', Entry> = {
  assistant: { kind: 'assistant', text: '', calls: [] },
  tool: { kind: 'tool', by: 1, call: 0, text: '' },
  user: { kind: 'user', text: '' },
}

/** A journal of replies with one call each and its outcome, or of words of the user. */
function journal() {
  const facts: Fact[] = [{ effect: null, event: { kind: 'task_created', brief: BRIEF }, at: 0 }]
  let left: OmittedRounds = startState().left_out
  const recall = (row: number): Fact => {
    const fact = facts[row - 1]
    if (fact === undefined) throw new Error(`no row ${row}`)
    return fact
  }
  const add = (effect: StoredEffect | null, event: Event, kind: keyof typeof ENTRY) => {
    facts.push({ effect, event, at: 0 })
    left = tallyEntry(left, facts.length, ENTRY[kind], recall)
  }
  const call = (tool: string, input: unknown, event: Event = WRITTEN) => {
    const called = { id: 'c', name: tool, arguments: typeof input === 'string' ? input : JSON.stringify(input) }
    const reply: Event = {
      kind: 'model_replied',
      text: '',
      usage: null,
      model: 'm',
      form: 'text',
      tool_calls: [called],
    }
    add(null, reply, 'assistant')
    const by = facts.length
    const effect = {
      kind: 'run_tool' as const,
      phase: 'act',
      tool,
      by,
      call: 0,
      item_id: null,
      idempotent: true,
      wall_ms: 0,
    }
    add(effect, event, 'tool')
  }
  const say = (text: string) => add(null, { kind: 'user_remarked', text }, 'user')
  return { call, say, left: () => left, text: (steps: string[] = []) => omittedText(left, steps, recall, 'en') }
}

describe('what was left out in short', () => {
  it('turns, tools with their calls, each file once by its newest write, steps, words of the user', () => {
    const { call, say, text } = journal()
    call('write_file', { name: 'a.md', content: '1' })
    call('write_file', { path: 'b.csv' })
    call('todo', { command: '/todo list' })
    say('only 2024')
    call('write_file', { name: 'a.md', content: '2' })
    call('write_file', { name: 'never.md' }, REFUSED)
    call('write_file', 'no JSON')
    expect(text(['A', 'B']).split('\n').slice(1)).toEqual([
      'Replies left out: 6',
      'Tool calls: write_file 5, todo 1',
      'Files written: b.csv, a.md',
      'Steps completed: A; B',
      'The user said:',
      '- only 2024',
    ])
  })

  it('each of its lists is bounded for any calls of a model and any texts of a user', () => {
    const { call, say, left, text } = journal()
    for (let index = 0; index < 200; index++) {
      call(`tool_${index}`, {})
      call('write_file', { name: `${index}.md` })
      say(`word ${index} ${'x'.repeat(1_000)}`)
    }
    expect(left()).toMatchObject({ turns: 400, other_calls: 185 })
    expect(left().tools).toHaveLength(16)
    expect([left().files.length, left().said.length]).toEqual([30, 10])
    expect(text()).toContain('others 185')
    expect(text().length).toBeLessThan(8_000)
    expect(JSON.stringify(left()).length).toBeLessThan(500)
  })
})

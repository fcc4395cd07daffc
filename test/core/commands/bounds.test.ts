/** What a workspace keeps and an answer shows is bounded, and what is left out is said. */
import { describe, expect, it } from 'vitest'
import { ENTRIES_MAX } from '../../../src/core/workspace/commands/bounds.ts'
import { memoryBook } from '../../support/memory/memory-book.ts'
import { runCommand } from '../../../src/core/workspace/commands/run.ts'
import { localTime } from '../../../src/core/workspace/zones.ts'

const context = {
  reader: 'person' as const,
  now: '2026-11-21 12:00:00',
  locale: 'en' as const,
  schedule_window_days: 31,
  conflict_preview_days: 31,
  momentAt: (ms: number) => localTime(ms, 'UTC'),
}

describe('bounds', () => {
  it.each([
    ['/todo add x', { todoCount: () => ENTRIES_MAX }],
    ['/schedule add 2026-11-27 15:00 x', { eventCount: () => ENTRIES_MAX }],
  ])('a full workspace refuses %s and says what to do', (command, full) => {
    const result = runCommand(command, { ...memoryBook(), ...full }, context)
    expect(result).toMatchObject({ kind: 'usage_error', ok: false, text: expect.stringContaining('delete some first') })
  })

  it.each([
    ['/todo add ', '/todo list'],
    ['/schedule add 2026-11-27 15:00 ', '/schedule list'],
  ])('a list too long for one answer (%s) shows its first rows and the number of the others', (add, list) => {
    const book = memoryBook()
    const text = 'x'.repeat(15_000)
    for (let n = 0; n < 250; n++) {
      if (add.startsWith('/todo')) runCommand(`${add}${text}`, book, context)
      else
        book.addEvent({
          title: text,
          start: '2026-11-27 15:00',
          duration: 60,
          remind_at: null,
          created_at: context.now,
          rule: null,
        })
    }
    const result = runCommand(list, book, context)
    expect(result.rows.length).toBeLessThan(250)
    expect(result.data).toEqual({ more: 250 - result.rows.length })
    expect(result.text.endsWith(`… and ${250 - result.rows.length} more.`)).toBe(true)
    expect(JSON.stringify(result).length).toBeLessThan(8_000_000)
  })
})

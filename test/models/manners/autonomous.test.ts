/** A greeting in mode autonomous: it is answered without a look for data, and its examples work over a table (U63). */
import { describe, expect, it } from 'vitest'
import { DATA_EXAMPLES } from '../../../src/models/offline/manners/greetings.ts'
import { play } from '../autonomous-bench.ts'

const ROWS = Array.from({ length: 60 }, (_, at) => {
  const day = `2026-${String(1 + (at % 12)).padStart(2, '0')}-01`
  return `${day},${['North', 'South', 'West'][at % 3]},${100 + ((at * 37) % 90)}`
})
const CSV = ['date,region,amount', ...ROWS].join('\n')

describe('a greeting in mode autonomous', () => {
  it.each([
    ['hello', 'Hello!', 'en'],
    ['what can you do?', 'Hello!', 'en'],
    ['thanks!', 'You are welcome!', 'en'],
    ['你好', '您好！', 'zh'],
    ['谢谢', '不客气！', 'zh'],
  ] as const)('U63 %j is answered, without a table and with one', async (goal, words, locale) => {
    for (const csv of [null, CSV]) {
      const { task, replies, ran, report } = await play({ csv, goal })
      expect(task).toMatchObject({ status: 'completed', result: { outcome: 'done' }, counters: { actions: 0 } })
      expect(replies).toHaveLength(1)
      expect(ran).toEqual([])
      expect(report.startsWith(words)).toBe(true)
      for (const example of DATA_EXAMPLES[locale]) expect(report).toContain(`- ${example}`)
    }
  })

  it.each([...DATA_EXAMPLES.en, ...DATA_EXAMPLES.zh])('U63 the example %j is worked off over a table', async (goal) => {
    const { task, ran, report } = await play({ csv: CSV, goal })
    expect(task).toMatchObject({ status: 'completed', result: { outcome: 'done' } })
    expect(ran.length).toBeGreaterThan(0)
    expect(report).toMatch(/amount/u)
  })
})

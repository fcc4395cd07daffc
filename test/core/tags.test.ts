/** What of a reply is a thought, a list of tasks, the end marker, the report: by the letter of the seed, and tolerantly (S1-24, S1-25, S1-37, R14, O1-04…O1-06). */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTags } from '../../src/core/mode/tags.ts'

const thinking = (text: string) => readTags(text).thinking
const tasks = (text: string) => readTags(text).tasks
const list = (lines: string) => tasks(`<tasks>\n${lines}\n</tasks>`)
const names = (lines: string) => list(lines)?.map(({ name }) => name) ?? null

describe('thinking', () => {
  it('S1-24 S1-46 the first block, over several lines, trimmed', () => {
    expect(thinking('a <thinking>\n one\ntwo \n</thinking> b <thinking>three</thinking>')).toBe('one\ntwo')
  })
  it.each(['', 'no block', '<thinking></thinking>', '<thinking> \n </thinking>', '</thinking>', 'thinking: x'])(
    'S1-24 %j has none',
    (text) => expect(thinking(text)).toBeNull(),
  )
  it.each([
    ['<Thinking>a</THINKING>', 'a'],
    ['< thinking >a< / thinking >', 'a'],
    ['<thinking>a\n\nb\n<tasks>\n- [ ] c\n</tasks>', 'a\n\nb'],
    ['<thinking>a\n\n# Report', 'a'],
    ['<thinking>a', 'a'],
    ['<thinking>I shall write <tasks> next</thinking>', 'I shall write <tasks> next'],
    ['<think>hidden</think><thinking>a</thinking>', 'a'],
  ])('S1-37 S1-59 %j is read as it was meant', (text, expected) => expect(thinking(text)).toBe(expected))
})

describe('tasks', () => {
  it('S1-14 S1-25 S1-47 ticked and open tasks of the first block, in their order', () => {
    expect(tasks('<tasks>\n- [x] A\n- [ ] B\n-[X]C\n  -   [ ]   D  \n</tasks><tasks>- [x] E</tasks>')).toEqual([
      { name: 'A', done: true },
      { name: 'B', done: false },
      { name: 'C', done: true },
      { name: 'D', done: false },
    ])
  })
  it('S1-25 other lines are ignored', () =>
    expect(names('Tasks:\n- [x] A\n* [ ] star\n1. [ ] one\n- B\n- [y] C\n[ ] D\n- [ ] E')).toEqual(['A', 'E']))
  it.each(['', 'nothing', '- [ ]', '- [ ] （done）', '- A'])('S1-25 a list of %j is none', (lines) =>
    expect(list(lines)).toBeNull(),
  )
  it.each([
    ['数据探索（已完成）', '数据探索'],
    ['分析（一）销售（二）', '分析销售'],
    ['分析(Q4)销售', '分析(Q4)销售'],
    ['计算收入（单价 ×（1 − 折扣））', '计算收入'],
    ['分析（未闭合', '分析（未闭合'],
    ['分析）销售', '分析）销售'],
    ['Trend (in progress)', 'Trend'],
    ['Trend (Q4) of sales (done) ', 'Trend (Q4) of sales'],
  ])('R14 O1-05 the name of %j is %j', (name, expected) => expect(names(`- [ ] ${name}`)).toEqual([expected]))
  it.each([
    '<TASKS>\n- [x] A\n- [ ] B\n</tasks >',
    '<tasks>- [x] A\n- [ ] B',
    '<tasks>\n- [x] A\n\n- [ ] B\n\nNow the next one',
    '<tasks>\n- [x] A\n- [ ] B\n<thinking>after</thinking>',
    '```\n<tasks>\n- [x] A\n- [ ] B\n</tasks>\n```',
  ])('S1-37 S1-59 %j is read as it was meant', (text) =>
    expect(tasks(text)).toEqual([
      { name: 'A', done: true },
      { name: 'B', done: false },
    ]),
  )
  it.each(['[]', '[  ]', '[ x ]', '[x ]', '[-]', '[xx]'])('S1-25 a line with %s is no task', (mark) =>
    expect(names(`- [ ] A\n- ${mark} B\n- [X] C`)).toEqual(['A', 'C']),
  )
})

describe('the end', () => {
  it.each([
    'report\n---\n[ANALYSIS_COMPLETE]',
    'report [ANALYSIS_COMPLETE]',
    '[analysis_complete]\nreport',
    'report\n**[ Analysis Complete ]**',
  ])('S1-19 S1-48 %j has the marker', (text) => expect(readTags(text).says_complete).toBe(true))
  it.each([
    'report',
    'ANALYSIS_COMPLETE',
    '<thinking>then I write [ANALYSIS_COMPLETE]</thinking>',
    '<tasks>\n- [ ] write [ANALYSIS_COMPLETE]\n</tasks>',
    '```\n[ANALYSIS_COMPLETE]\n```',
    'I shall end with `[ANALYSIS_COMPLETE]` later',
    'I shall end with [ANALYSIS_COMPLETE] when it is done.\nNow the first task.',
    '~~~\n[ANALYSIS_COMPLETE]\n~~~',
  ])('S1-48 %j has none', (text) => expect(readTags(text).says_complete).toBe(false))
  it('O1-06 S1-66 the report is the text without blocks, marker and a rule at its end', () => {
    const text =
      '<thinking>t</thinking>\n\n<tasks>\n- [x] A\n</tasks>\n\n# Report\n\n---\n\nIt grew.\n\n---\n[ANALYSIS_COMPLETE]\n'
    expect(readTags(text).report).toBe('# Report\n\n---\n\nIt grew.')
  })
  it('S1-66 prose may follow the blocks', () =>
    expect(readTags('<thinking>t</thinking>\n<tasks>\n- [ ] A\n</tasks>\n\nI do it now…').report).toBe('I do it now…'))
  it('O1-06 the rule above a marker goes with it when words follow', () =>
    expect(readTags('# Report\n---\n[ANALYSIS_COMPLETE]\n\nthanks').report).toBe('# Report\n\n\n\nthanks'))
  it('O1-06 a marker that is talked about stays in the report', () =>
    expect(readTags('it ends with [ANALYSIS_COMPLETE] as asked\n---\n[ANALYSIS_COMPLETE]').report).toBe(
      'it ends with [ANALYSIS_COMPLETE] as asked',
    ))
  it.each([
    ['alone', '```markdown\n# Report\n\nIt grew.\n```', '# Report\n\nIt grew.'],
    ['behind a sentence', 'Here it is:\n\n```md\n# Report\n```', 'Here it is:\n\n# Report'],
    ['before a sentence', '```markdown\n# Report\n```\nSo far.', '```markdown\n# Report\n```\nSo far.'],
    ['of another language', '```js\nx()\n```', '```js\nx()\n```'],
    ['with another one in it', '```md\n```js\nx()\n```\n```', '```md\n```js\nx()\n```\n```'],
  ])('U32 a report in a fence of Markdown is no code: %s', (_, text, expected) =>
    expect(readTags(text).report).toBe(expected),
  )
  it('O1-06 what stands in a code fence stays in the report', () =>
    expect(readTags('see\n```\n[ANALYSIS_COMPLETE]\n```\nend').report).toBe('see\n```\n[ANALYSIS_COMPLETE]\n```\nend'))
})

describe('hostile text', () => {
  it('any text is read, and the shown text contains no whole block of it', () => {
    const part = fc.constantFrom(
      '<thinking>',
      '</thinking>',
      '<tasks>',
      '</tasks>',
      '- [x] a',
      '- [ ] （b',
      '\n',
      '```',
      '---',
      '[ANALYSIS_COMPLETE]',
      'x',
      '`',
      ' ',
      '（',
      ')',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const read = readTags(parts.join(''))
        expect(read.report).not.toMatch(/<thinking>|<tasks>/)
        for (const { name } of read.tasks ?? []) expect(name).toBe(name.trim())
      }),
      { numRuns: 500 },
    )
  })
  it.each([
    ['open tags', '<thinking>'],
    ['halves of tags', '<  '],
    ['parentheses', '- [ ] （'],
    ['lines of spaces', `- [ ] a${' '.repeat(50)}(\n`],
    ['spaces', ' '],
    ['backticks', '`'],
    ['rules', '\n---'],
    ['fences', '```\n'],
  ])('two megabytes of %s are read in time linear to them', (_, piece) => {
    const text = piece.repeat(2_000_000 / piece.length)
    expect(readTags(`- [ ] a${text}(b`).says_complete).toBe(false)
    expect(readTags(`<tasks>- [ ] a${text}(b`).says_complete).toBe(false)
    expect(readTags(text).says_complete).toBe(false)
  })
})

/** What of a reply counts for the program: markers, words of transition, declared steps; and what is left for people. */
import { describe, expect, it } from 'vitest'
import * as markup from '../../src/core/mode/markup.ts'

const readMarkup = (text: string, strict_replies = false) => markup.readMarkup(text, { strict_replies })

const MARKERS = ['[Done]', '[完成]', '[Step Done]', '[步骤完成]', '[complete]', '[COMPLETED]', '[结束]', '[step done]']

describe('markers', () => {
  it.each(MARKERS)('O4-01 %s counts at the beginning and at the end of a line, in any case', (marker) => {
    for (const text of [marker, `All of it. ${marker}`, `${marker} All of it.`, `first\n${marker}\nlast`]) {
      expect(readMarkup(text).says_done, text).toBe(true)
    }
    expect(readMarkup(`a${marker}b`).says_done).toBe(false)
  })

  it.each(MARKERS)('O4-01 %s counts anywhere where replies are read strictly', (marker) => {
    for (const text of [marker, `All of it. ${marker}`, `a${marker}b`, `first\n${marker}\nlast`]) {
      expect(readMarkup(text, true).says_done, text).toBe(true)
    }
  })

  it.each([
    '- [Done] The milk',
    '2. **[Done]** The milk',
    '> [Done]',
    '### [Done]',
    'The milk is on the list [Done]',
    'It says "milk". [Done]',
    '**The milk is there. [Done]**',
    '1. Note the milk: [Done] ✅',
    '牛奶已记下[完成]',
    'All is well. [Done].',
    '[Done]: the milk is there',
    'Is it? [Done]',
  ])('%j has a mark', (text) => expect(readMarkup(text)).toMatchObject({ says_done: true, done_count: 1 }))

  it.each([
    'I will write [Done] when it is finished.',
    'I write [Done]',
    "I'll end with [Done].",
    'The step is not yet [Done]',
    'When it is finished: [Done]',
    'As soon as it is noted, my mark is [Done]!',
    'Is it [Done]?',
    '"[Done]"',
    '“[Done]” stands at the end',
    'The last line is "[Done]".',
    'The last line is `[Done]`',
    '`[Done]` ends a step',
    'He wrote “All is well. [Done]”',
    '[Done] means that a step is finished',
    '**[Done]** ends a step',
    '[Done] = finished',
    '- [Done]: a step is finished\n- [Step]: a step is declared',
    '* **[Done]** – a step is finished',
    '1. [Done] - a step is finished',
    '[完成] 表示步骤结束',
    '完成后我会写 [完成]',
    '[Done](https://example.com)',
    'x = list[done]',
    '| [Done] | a step is finished |',
  ])('%j has none, and stays as it is', (text) => {
    expect(readMarkup(text)).toMatchObject({ says_done: false, done_count: 0, says_reached: false })
    expect(readMarkup(text).visible_text).toContain('[')
  })

  it.each(['[ done ]', '【完成】', 'done', '完成', '[do ne]', '[Done', '[stepdone]', '[finished]', ''])(
    'O4-01 %j is no marker',
    (text) => expect(readMarkup(text).says_done).toBe(false),
  )

  it('O4-01 a marker counts in the words of the model alone: not in a code fence, not in a think block', () => {
    expect(readMarkup('```js\nlist[done]\n```').says_done).toBe(false)
    expect(readMarkup('<think>[Done]?</think>not yet').says_done).toBe(false)
    // A fence that is not closed is none.
    expect(readMarkup('```\n[Done]').says_done).toBe(true)
  })
})

describe('words of transition', () => {
  it.each(['现在', '我们接下来', '然后呢', '继续吧', '开始下载', '现在让我看看'])(
    'O4-02 R23 %s counts wherever it stands',
    (text) => expect(readMarkup(text).moves_on).toBe(true),
  )

  it.each([
    'Next, the chart',
    'now.',
    'THEN',
    'I continue',
    'Let me see',
    'let  me',
    'to proceed',
    '用next处理',
    '"now"',
  ])('O4-02 R23 %s counts as a whole word', (text) => expect(readMarkup(text).moves_on).toBe(true))

  it.each([
    'I know',
    'authentication',
    'unknown',
    'discontinued',
    'nexttime',
    'inlet me',
    'proceeds',
    'then2',
    'strengthen',
  ])('R23 %s holds no word of transition', (text) => expect(readMarkup(text).moves_on).toBe(false))

  it.each([
    'Now I try again',
    'let me continue with this step',
    'Next: still searching',
    '现在重试',
    '接下来继续本步骤',
  ])('O4-02 %s stays with the step', (text) =>
    expect([readMarkup(text).moves_on, readMarkup(text, true).moves_on]).toEqual([false, true]),
  )

  it('O4-02 the title of a declared step is no transition', () => {
    expect(readMarkup('[Step] 然后制作图表\n[Step] Continue with the chart').moves_on).toBe(false)
    expect(readMarkup('[Step] A\nNow B').moves_on).toBe(true)
  })
})

describe('declarations', () => {
  it.each<[string, string[]]>([
    ['[Step] one\n[Step]two\n   [Step]   three  ', ['one', 'two', 'three']],
    ['text [Step] one', []],
    ['- [Step] one\n1. [Step] two\n* [step] three\n2) [STEP] four', ['one', 'two', 'three', 'four']],
    ['**[Step]** one\n**[Step] two**\n3. **[Step]** three\n### [Step] four', ['one', 'two', 'three', 'four']],
    ['1.[Step] one\n• [Step] two\n1、[Step] 三', ['one', 'two', '三']],
    ['[Steps] one\n[Step 1] two\n(Step) three\na - [Step] four', []],
    ['[Step]: one\n[Step]：二', ['one', '二']],
    ['[Step]\n[Step]   ', []],
    ['[Step] one\r\n[Step] two\r\n', ['one', 'two']],
    ['```\n[Step] an example\n```\n[Step] real', ['real']],
    ['[Step] same\n[Step] same', ['same', 'same']],
  ])('O4-03 %j declares %j', (text, titles) => expect(readMarkup(text).steps).toEqual(titles))

  it.each(['- [Step] one\n1. [Step] two\n* [Step] three', '[step] one\n[STEP] two'])(
    'O4-03 %j declares nothing where replies are read strictly',
    (text) => expect(readMarkup(text, true).steps).toEqual([]),
  )
})

describe('what a reply says of the goal', () => {
  it.each([
    ['So.\n[Not done: the site is down]', 'not_done', 'the site is down', 'So.'],
    ['[Partly done: two of three] ', 'partial', 'two of three', ''],
    ['答案。\n[未完成：缺少权限]', 'not_done', '缺少权限', '答案。'],
    ['[部分完成: 只有一半]\n好', 'partial', '只有一半', '好'],
  ])('%j is %s', (text, outcome, reason, visible_text) =>
    expect(readMarkup(text)).toMatchObject({ verdict: { outcome, reason }, visible_text }),
  )

  it.each(['[Done]', 'Not done: x', '[Not done]', 'I wrote [not done: x] there', '```\n[Not done: x]\n```'])(
    '%j is no verdict',
    (text) => expect(readMarkup(text).verdict).toBeNull(),
  )
})

describe('a goal that is reached', () => {
  it.each([
    ['So.\n[Goal reached]', true],
    ['So. [Done]', true],
    ['**[目标达成]**\n\n', true],
    ['[Goal reached]\nSo.', false],
    ['[Goal reached] So.', false],
    ['I end with [Goal reached].', false],
    ['The last line is "[Goal reached]"', false],
    ['```\n[Goal reached]\n```', false],
  ])('is said by the end of the last line: %j', (text, says_reached) =>
    expect(readMarkup(text)).toMatchObject({ says_reached }),
  )
})

describe('how many steps end', () => {
  it.each([
    ['[Done]\n- [Done] B\n3. [Done] C', 3],
    ['[Done] [Done], [Done]', 3],
    ['A is there. [Done]\nB is there. [Done]', 1],
    ['[Done] [Goal reached]', 1],
    ['[Done]\nI write [Done] when B is finished', 1],
  ])('%j ends %i', (text, done_count) => expect(readMarkup(text).done_count).toBe(done_count))
})

describe('what people are shown', () => {
  it.each([
    ['[Step] one\nI search.\n[Step] two', 'I search.'],
    ['[Done] All good.', 'All good.'],
    ['Report:\n\n[完成]\n\n- a', 'Report:\n\n\n- a'],
    ['<think>hm</think>Yes.', 'Yes.'],
    ['```js\nlist[done]\n[Step] x\n```', '```js\nlist[done]\n[Step] x\n```'],
    ['[Done]', ''],
    ['- [Done] The milk', '- The milk'],
    ['[Done]: The milk', 'The milk'],
    ['A: [Done] [Goal reached]', 'A:'],
    ['**[Done]** The milk', 'The milk'],
    ['**The milk. [Done]**', '**The milk.**'],
    ['So.\n**[Goal reached]**', 'So.'],
    ['1. [Done] [Done].', ''],
    ['The mark `[Done]` ends a step.', 'The mark `[Done]` ends a step.'],
    ['[1] Vienna\n[Link](https://example.com)', '[1] Vienna\n[Link](https://example.com)'],
  ])('%j is shown as %j', (text, shown) => expect(readMarkup(text).visible_text).toBe(shown))

  it('a hostile reply costs no more than its length', () => {
    const many = '```\n'.repeat(50_001) + '[Done'.repeat(50_000) + '\n[Step] x'.repeat(10_000)
    expect(readMarkup(many).steps).toHaveLength(10_000)
    expect(readMarkup('<think>'.repeat(50_000)).says_done).toBe(false)
  })
})

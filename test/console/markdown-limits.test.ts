/** Which texts of a model are read as Markdown, and which would hold up or blank the page that reads them. */
import { expect, it } from 'vitest'
import { blocksOf, isReadable } from '../../src/console/parts/markdown/markdown-limits.ts'

it.each<[string, string]>([
  ['quotes in quotes', '>'.repeat(3_000)],
  ['lists in lists', `a\n\n${'- '.repeat(30)}a`],
  ['numbers in numbers', '1. '.repeat(2_000)],
  ['quotes and lists in turn', '>- '.repeat(40)],
  ['what may be an address', `${'a.'.repeat(49_500)}@`],
  ['emphasis that never ends', '*a'.repeat(5_000)],
  ['emphasis in emphasis', '*a '.repeat(900) + 'a* '.repeat(900)],
])('%s are shown unchanged', (_, text) => {
  expect(isReadable(text)).toBe(false)
})

it.each<[string, string]>([
  [
    'a report of a thousand words',
    '## Found\n\nIt is **fine**, says `a_b_c`: see [here](https://x.example).\n'.repeat(150),
  ],
  ['a line across', `above\n\n${'-'.repeat(200)}\n${'*'.repeat(200)}\n\nbelow`],
  [
    'lists in lists, as people write them',
    Array.from({ length: 9 }, (_, deep) => `${'  '.repeat(deep)}- a`).join('\n'),
  ],
  ['a table', `| a | b |\n|---|---|\n${'| 1 | **2** |\n'.repeat(200)}`],
  ['a long word', 'a'.repeat(10_000)],
])('%s is rendered', (_, text) => {
  expect(isReadable(text)).toBe(true)
})

it('a long report is split into blocks: together they are the whole text, each can be rendered, and no code is cut', () => {
  const part = '## Found\n\nIt is **fine**.\n\n```js\nlet a\n\nlet b\n```\n\n| a |\n|---|\n| 1 |\n\n'
  const text = part.repeat(400)
  const blocks = blocksOf(text)
  expect(blocks.join('\n')).toBe(text)
  expect(blocks.length).toBeGreaterThan(5)
  expect(blocks.every(isReadable)).toBe(true)
  expect(blocks.filter((block) => (block.match(/```/g)?.length ?? 0) % 2 === 1)).toEqual([])
})
it('an item of a list is not cut in two, and neither is code within it', () => {
  const item = '- one\n\n  ```js x\n  let a\n\nlet b\n  ```\n\n  two\n\n'
  const blocks = blocksOf(item.repeat(900))
  expect(blocks.join('\n')).toBe(item.repeat(900))
  expect(blocks.length).toBeGreaterThan(3)
  expect(blocks.slice(1).filter((block) => !block.startsWith('- one'))).toEqual([])
})
it('each block of a list without empty lines starts with an item', () => {
  const blocks = blocksOf('1. one\n   more of it\n'.repeat(1_500))
  expect(blocks.length).toBeGreaterThan(2)
  expect(blocks.every((block) => block.startsWith('1. one') && isReadable(block))).toBe(true)
})
it('each block of a long table repeats its head, and each block of long code its fence', () => {
  const table = blocksOf(`Rows:\n\n| a | b |\n|---|--:|\n${'| one | 2 |\n'.repeat(1_500)}\nThat was all.\n`)
  expect(table.length).toBeGreaterThan(1)
  expect(table.slice(1).every((block) => block.startsWith('| a | b |\n|---|--:|\n| one | 2 |'))).toBe(true)
  expect(table.join('').match(/\| one/g)).toHaveLength(1_500)
  const code = blocksOf(`~~~~ts\n${'let a = `b`\n```\n'.repeat(1_000)}~~~~\nafter\n`)
  expect(code.length).toBeGreaterThan(1)
  expect(code.every((block) => block.startsWith('~~~~ts\n'))).toBe(true)
  expect(code.slice(0, -1).every((block) => block.endsWith('\n~~~~'))).toBe(true)
  expect(code.at(-1)).toContain('~~~~\nafter')
  expect([...table, ...code].every(isReadable)).toBe(true)
})
it('a link works in each block, wherever it is defined', () => {
  const blocks = blocksOf(`${'See [that][one].\n\n'.repeat(1_000)}[one]: https://x.example/one\n`)
  expect(blocks.length).toBeGreaterThan(1)
  expect(blocks.every((block) => block.includes('[one]: https://x.example/one'))).toBe(true)
})
it('every text is split quickly, and grows only a little', () => {
  const [spaces, long] = [' '.repeat(100_000), 'x|'.repeat(5_000)]
  for (const text of [
    `a|b\n${spaces}|x`,
    `${spaces}\``,
    `${long}\n${'-|'.repeat(5_000)}\n`.repeat(20),
    '[a]: b\n'.repeat(20_000),
  ]) {
    const blocks = blocksOf(text)
    expect(blocks.join('').length).toBeLessThan(2 * text.length)
  }
})
it('a text without an empty line is one block, and so is a short text', () => {
  expect(blocksOf('a'.repeat(50_000))).toHaveLength(1)
  expect(blocksOf('a\n\nb\n\n'.repeat(1_000))).toHaveLength(1)
})

/** Names of files that the service takes, and how a file is shown by its name. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileNameFor } from '../../src/console/api/file-names.ts'
import {
  imageTypeOf,
  picturesIn,
  prettyJson,
  previewKindOf,
  sizeText,
} from '../../src/console/views/task/files/file-kinds.ts'

/** As the contract has it. */
const NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/

describe('a file gets a name that the service accepts', () => {
  it.each([
    ['sales.csv', 'sales.csv'],
    ['Q1 sales (final).CSV', 'Q1-sales-final.CSV'],
    ['Übersicht.json', 'Ubersicht.json'],
    ['销售.csv', 'file.csv'],
    ['../../etc/passwd.csv', 'etc-passwd.csv'],
    ['.csv', 'csv'],
    ['..', 'file'],
    ['', 'file'],
    [`${'a'.repeat(200)}.xlsx`, `${'a'.repeat(123)}.xlsx`],
  ])('%j becomes %j', (given, fitted) => {
    expect(fileNameFor(given)).toBe(fitted)
  })
  it('for any original name', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => NAME.test(fileNameFor(name))))
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('.', '-', 'a', '/', ' ') }), (name) =>
        NAME.test(fileNameFor(name)),
      ),
    )
  })
})

describe('a file is shown according to its name', () => {
  it('only pictures get the type of a picture; HTML is text', () => {
    expect(imageTypeOf('chart.SVG')).toBe('image/svg+xml')
    expect(imageTypeOf('page.html')).toBeNull()
    expect(['a.svg', 'a.md', 'a.csv', 'a.json', 'a.html', 'a.xlsx', 'a', 'a.constructor'].map(previewKindOf)).toEqual([
      'image',
      'markdown',
      'table',
      'json',
      'text',
      'none',
      'none',
      'none',
    ])
  })
  it('a Markdown text shows the pictures of its task, each once, and no picture from an address', () => {
    const text =
      '![a](chart-1.svg) ![b](./chart-2.svg "t") ![](https://evil.example/x.png) ![c](chart-1.svg) ![d](data.csv) ![e](other.svg)'
    expect(picturesIn(text, ['chart-1.svg', 'chart-2.svg', 'data.csv'])).toEqual(['chart-1.svg', 'chart-2.svg'])
  })
  it('sizes and JSON are formatted for people; text that is not JSON stays unchanged', () => {
    expect([0, 1023, 1536, 52_428_800, 200 * 1024].map(sizeText)).toEqual([
      '0 B',
      '1023 B',
      '1.5 KiB',
      '50.0 MiB',
      '200 KiB',
    ])
    expect(prettyJson('{"a":1}')).toBe('{\n  "a": 1\n}')
    expect(prettyJson('{"a"')).toBe('{"a"')
  })
})

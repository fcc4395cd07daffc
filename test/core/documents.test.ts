/** Documents of a mode as files of its task, and what the ending of a name says. */
import { describe, expect, it } from 'vitest'
import { documentFile, filesWith, isArtifact } from '../../src/core/protocol/view/documents.ts'
import { contentTypeOf, isBinary, isDataset, uploadBytesMax } from '../../src/core/terms/files/file-types.ts'
import type { FileRow } from '../../src/core/terms/files/files.ts'

const row = (name: string, source: FileRow['source'] = 'tool'): FileRow => ({
  name,
  seq: 3,
  at: 7,
  bytes: 1,
  source,
  blob: null,
})
const REPORT = { name: 'report.md', content_type: 'text/markdown; charset=utf-8', text: '# 字' }
const report = documentFile(REPORT, 9, 70)

describe('documents of a mode', () => {
  it('are files like others: as new as the state, as long as their text, with another tag for another text', () => {
    expect(report).toEqual({
      name: 'report.md',
      seq: 9,
      at: 70,
      bytes: 5,
      content_type: REPORT.content_type,
      source: 'mode',
      blob: null,
      content: '# 字',
      tag: report.tag,
    })
    expect(documentFile(REPORT, 10, 80).tag).toBe(report.tag)
    expect(documentFile({ ...REPORT, text: '# 字.' }, 9, 70).tag).not.toBe(report.tag)
  })

  it('stand among the stored ones by name, before one of their own name', () => {
    const files = filesWith([row('a.csv', 'client'), row('report.md'), row('z.svg')], [report])
    expect(files.map(({ name, source }) => [name, source])).toEqual([
      ['a.csv', 'client'],
      ['report.md', 'mode'],
      ['z.svg', 'tool'],
    ])
    expect(files.every((file) => !('content' in file) && !('blob' in file))).toBe(true)
  })

  it('and what tools wrote are what a task has made; what its client put is not', () => {
    const files = filesWith([row('a.csv', 'client'), row('z.svg')], [report])
    expect(files.filter(isArtifact).map(({ name }) => name)).toEqual(['report.md', 'z.svg'])
  })
})

describe('the ending of a name', () => {
  it.each([
    ['a.csv', 'text/csv', 52_428_800, false],
    ['a.TSV', 'text/tab-separated-values', 52_428_800, false],
    ['a.json', 'application/json', 52_428_800, false],
    ['a.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 10_485_760, true],
    ['a.xls', 'application/vnd.ms-excel', 10_485_760, true],
    ['report.md', 'text/markdown; charset=utf-8', 262_144, false],
    ['a.txt', 'text/plain; charset=utf-8', 262_144, false],
    ['a.html', 'text/html; charset=utf-8', null, false],
    ['chart-1.svg', 'image/svg+xml', null, false],
    ['chart-1.PNG', 'image/png', 5_242_880, true],
    ['a.jpg', 'image/jpeg', 5_242_880, true],
    ['a.JPEG', 'image/jpeg', 5_242_880, true],
    ['a.webp', 'image/webp', 5_242_880, true],
    ['a.gif', 'image/gif', 5_242_880, true],
    ['csv', 'application/octet-stream', null, false],
    ['a.', 'application/octet-stream', null, false],
    ['a.__proto__', 'application/octet-stream', null, false],
    ['a.toString', 'application/octet-stream', null, false],
  ])('makes %s the type %s with at most %s bytes, binary: %s', (name, type, bytes, binary) => {
    expect([contentTypeOf(name), uploadBytesMax(name), isBinary(name)]).toEqual([type, bytes, binary])
    expect(isDataset(name)).toBe(bytes !== null && !/\.(md|txt|png|jpe?g|webp|gif)$/i.test(name))
  })
})

/** Records of an .xls workbook: what is handed on can be read to its end. */
import { describe, expect, it } from 'vitest'
import { keepValues } from '../../src/datasets/formats/workbook/biff.ts'

const u16 = (value: number) => [value & 255, value >> 8]
const record = (kind: number, data: number[]) => [...u16(kind), ...u16(data.length), ...data]
const zeros = (length: number) => Array.from({ length }, () => 0)
const BOF = record(0x0809, [...u16(0x0600), ...zeros(14)])
/** Its count, and what it holds. */
const texts = (count: number, ...bytes: number[]) => record(0x00fc, [...zeros(4), ...u16(count), 0, 0, ...bytes])
const kept = (...records: number[][]) => {
  const stream = Uint8Array.from(records.flat())
  return { whole: keepValues(stream), bytes: [...stream] }
}

describe('records of an Excel 97 file', () => {
  it('of cells stay unchanged, and all others are skipped in place', () => {
    const number = record(0x0203, zeros(14))
    const name = record(0x0018, [1, 2, 3])
    expect(kept(BOF, name, number)).toEqual({ whole: true, bytes: [...BOF, ...record(0x0890, [1, 2, 3]), ...number] })
  })

  it('of formulas keep their results only', () => {
    const formula = record(
      0x0006,
      Array.from({ length: 40 }, () => 7),
    )
    expect(kept(BOF, formula).bytes).toEqual([
      ...BOF,
      ...record(0x0006, [...Array.from({ length: 14 }, () => 7), ...zeros(26)]),
    ])
  })

  it.each([
    ['a formula', 0x0006, 22],
    ['a text', 0x0204, 9],
    ['the name of a sheet', 0x0085, 8],
    ['a number format', 0x041e, 5],
    ['a number', 0x0203, 14],
  ])('%s that is too short for its fields is skipped', (_, kind, length) => {
    expect(kept(BOF, record(kind, zeros(length))).bytes.slice(BOF.length)).toEqual(record(kind, zeros(length)))
    expect(kept(BOF, record(kind, zeros(length - 1))).bytes.slice(BOF.length)).toEqual(
      record(0x0890, zeros(length - 1)),
    )
  })

  it('of an earlier version are refused', () => {
    expect(kept(record(0x0809, [...u16(0x0500), ...zeros(14)])).whole).toBe(false)
    expect(kept(BOF, record(0x0809, u16(0x0600))).whole).toBe(false)
  })

  it('that continue without end are refused', () => {
    expect(kept(BOF, texts(0), ...Array.from({ length: 2_001 }, () => record(0x003c, [0]))).whole).toBe(false)
  })

  it('that end after the end of the file are left to the reader', () => {
    expect(kept(BOF, [...u16(0x0203), ...u16(14), 1]).whole).toBe(true)
  })
})

describe('shared texts', () => {
  const rest = (...bytes: number[]) => record(0x003c, bytes)
  it.each([
    ['none', [texts(0)]],
    ['one', [texts(1, 2, 0, 0, 65, 66)]],
    ['a wide one', [texts(1, 2, 0, 1, 65, 0, 66, 0)]],
    ['one with looks and more behind it', [texts(1, 1, 0, 12, 1, 0, 2, 0, 0, 0, 65, 9, 9, 9, 9, 8, 8)]],
    ['one that goes on in another width', [texts(1, 3, 0, 0, 65), rest(1, 66, 0, 67, 0)]],
    ['two, the second in the next part', [texts(2, 1, 0, 0, 65), rest(1, 0, 0, 66)]],
    ['fewer than are said, ending where one ends', [texts(9, 1, 0, 0, 65)]],
  ])('%s are complete', (_, records) => expect(kept(BOF, ...records).whole).toBe(true))

  it.each([
    ['a text longer than the record', [texts(1, 9, 0, 0, 65)]],
    ['a count that is cut', [texts(2, 1, 0, 0, 65, 1)]],
    ['flags that are cut', [texts(2, 1, 0, 0, 65, 1, 0)]],
    ['looks that are cut', [texts(1, 0, 0, 8, 1)]],
    ['looks longer than the record', [texts(1, 0, 0, 8, 9, 0)]],
    ['more behind it than there is', [texts(1, 0, 0, 4, 255, 255, 255, 255)]],
    ['a wide text in half a part', [texts(1, 3, 0, 0, 65), rest(1, 66, 0, 67)]],
    ['no count at all', [record(0x00fc, [0, 0, 0])]],
  ])('%s counts as damage', (_, records) => expect(kept(BOF, ...records).whole).toBe(false))
})

/** What a file of a task may be called, and how much there is room for. */
import { describe, expect, it } from 'vitest'
import {
  fileName,
  namesFile,
  FILES_BYTES_MAX,
  FILES_MAX,
  checkFileRoom,
  type FileRow,
} from '../../src/core/terms/files/files.ts'
import { FILE_BYTES_MAX } from '../../src/core/terms/files/file-types.ts'

describe('the name of a file', () => {
  it.each([
    ['notes.md', 'notes.md'],
    ['  ./notes.md ', 'notes.md'],
    ['././a', 'a'],
    ['.hidden', '.hidden'],
    ['...', '...'],
    ['A-1_b.c', 'A-1_b.c'],
    ['x'.repeat(128), 'x'.repeat(128)],
    ['x'.repeat(129), null],
    ['', null],
    ['.', null],
    ['..', null],
    ['./', null],
    ['./..', null],
    ['a/b', null],
    ['/a', null],
    ['../a', null],
    ['a\\b', null],
    ['a b', null],
    ['a\nb', null],
    ['a%2fb', null],
    ['文件.md', null],
  ])('%j is %j', (text, name) => expect(fileName(text)).toBe(name))
})

describe('a text that names a file', () => {
  it.each([
    ['a.csv', true],
    ['read a.csv', true],
    ['read a.csv.', true],
    ['a.csv, b.csv', true],
    ['read ./a.csv...', true],
    ['data/a.csv', true],
    ['"a.csv"', true],
    ['_a.csv_ and **a.csv**', true],
    ['请看a.csv的内容', true],
    ['data.csv and a.csv', true],
    ['data.csv', false],
    ['my_a.csv', false],
    ['x-a.csv', false],
    ['x.a.csv', false],
    ['a.csv.gz', false],
    ['a.csv_old', false],
    ['a.csvx', false],
    ['A.CSV', false],
    ['a_csv', false],
    ['', false],
  ])('%j names a.csv: %s', (text, isNamed) => expect(namesFile(text, 'a.csv')).toBe(isNamed))
})

describe('the room for a file', () => {
  const file = (name: string, bytes: number, blob: string | null = null): FileRow => ({
    name,
    seq: 1,
    at: 0,
    bytes,
    source: 'tool',
    blob,
  })
  const write = (name: string, chars: number) => ({ name, seq: 9, content: 'x'.repeat(chars) })
  const full = Array.from({ length: FILES_MAX }, (_, index) => file(`f${index}`, 1))
  const heavy = [file('a', FILES_BYTES_MAX - FILE_BYTES_MAX), file('b', FILE_BYTES_MAX - 10)]

  it.each([
    ['the largest one', [], write('a', FILE_BYTES_MAX), 'written'],
    ['one byte more', [], write('a', FILE_BYTES_MAX + 1), 'file_too_large'],
    ['the last of as many as there may be', full.slice(1), write('new', 1), 'written'],
    ['one more', full, write('new', 1), 'too_many_files'],
    ['one in place of another, where all are taken', full, write('f7', 1), 'written'],
    ['what fits into the rest of the task', heavy, write('c', 10), 'written'],
    ['a byte more than that', heavy, write('c', 11), 'too_many_files'],
    ['a blob, however long', heavy, { name: 'c', seq: 9, blob: 'b1', bytes: 50_000_000 }, 'written'],
    ['a text beside blobs, which take no room here', [file('c', 50_000_000, 'b1')], write('a', 10), 'written'],
    [
      'a blob where there are as many files as may be',
      full,
      { name: 'c', seq: 9, blob: 'b1', bytes: 1 },
      'too_many_files',
    ],
    ['a larger one in place of another: the old one makes room', heavy, write('b', FILE_BYTES_MAX), 'written'],
  ])('%s', (_name, files, wanted, outcome) => expect(checkFileRoom(files, wanted)).toBe(outcome))

  it('is counted in bytes, not in characters', () => {
    const content = '字'.repeat(FILE_BYTES_MAX / 2)
    expect(checkFileRoom([], { name: 'a', seq: 1, content })).toBe('file_too_large')
  })
})

/** The file of a deleted task that nobody can open: set aside with all that belongs to it, and forgotten with it. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { forgetDamaged, storedFiles } from '../scripts/lib/stored-files.mjs'

const DAY_MS = 24 * 60 * 60 * 1000
let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'loop-agent-stored-'))
  mkdirSync(join(directory, 'do', 'Task'), { recursive: true })
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const idOf = (number: number) => number.toString(16).padStart(64, '0')
const ID = idOf(1)
const ALL = ['.sqlite', '.sqlite-shm', '.sqlite-wal'].map((part) => ID + part)
const objects = () => join(directory, 'do', 'Task')
const damaged = () => join(directory, 'damaged')
const write = (folder: string, files: Record<string, string>) => {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}
const held = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), 'latin1')]),
  )
const setAside = async (id = ID) => {
  const request = new Request('http://files/', { method: 'POST', body: id })
  return (await storedFiles(directory, 'Task')(request)).status
}

it('what is set aside is all that was there, byte for byte, and nothing of it is left', async () => {
  // As a kill leaves it: what was committed is in the log alone, which a last connection that closes would empty.
  const source = mkdtempSync(join(tmpdir(), 'loop-agent-source-'))
  const database = new DatabaseSync(join(source, 'live'))
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE said (word TEXT); INSERT INTO said VALUES (42)')
  const live = { [`${ID}.sqlite`]: 'live', [`${ID}.sqlite-wal`]: 'live-wal', [`${ID}.sqlite-shm`]: 'live-shm' }
  for (const [name, from] of Object.entries(live))
    writeFileSync(join(objects(), name), readFileSync(join(source, from)))
  database.close()
  rmSync(source, { recursive: true })
  write(objects(), { [`${idOf(2)}.sqlite`]: 'of another', [`${idOf(2)}.sqlite-wal`]: 'its log' })
  const { [`${idOf(2)}.sqlite`]: other, [`${idOf(2)}.sqlite-wal`]: log, ...own } = held(objects())
  expect(await setAside()).toBe(204)
  expect(held(damaged())).toEqual(own)
  expect(Object.keys(own)).toEqual(ALL)
  expect(held(objects())).toEqual({ [`${idOf(2)}.sqlite`]: other, [`${idOf(2)}.sqlite-wal`]: log })
  const read = new DatabaseSync(join(damaged(), `${ID}.sqlite`))
  expect(read.prepare('SELECT word FROM said').all()).toMatchObject([{ word: '42' }])
  read.close()
})

it('a log of an earlier task with the same id is not left beside the file of a later one', async () => {
  write(damaged(), { [`${ID}.sqlite`]: 'earlier', [`${ID}.sqlite-wal`]: 'earlier log', 'notes.txt': 'of a person' })
  write(objects(), { [`${ID}.sqlite`]: 'later' })
  expect(await setAside()).toBe(204)
  expect(held(damaged())).toEqual({ [`${ID}.sqlite`]: 'later', 'notes.txt': 'of a person' })
})

it('a log that was moved before a kill stays for its file', async () => {
  write(damaged(), { [`${ID}.sqlite-wal`]: 'its log' })
  write(objects(), { [`${ID}.sqlite`]: 'the file' })
  expect(await setAside()).toBe(204)
  expect(held(damaged())).toEqual({ [`${ID}.sqlite`]: 'the file', [`${ID}.sqlite-wal`]: 'its log' })
})

it('an unknown id, and what is none, is 404 and moves nothing', async () => {
  write(objects(), { [`${ID}.sqlite-wal`]: 'a log without a file', 'other.sqlite': 'no object' })
  expect([await setAside(), await setAside('other'), await setAside('../Task/other')]).toEqual([404, 404, 404])
  expect(Object.keys(held(objects()))).toHaveLength(2)
  expect(existsSync(damaged())).toBe(false)
})

it('after 30 days what was set aside is forgotten, all of it: its age counts from when it was moved', async () => {
  write(objects(), Object.fromEntries(ALL.map((name) => [name, 'old'])))
  for (const name of ALL) utimesSync(join(objects(), name), 0, 0)
  await setAside()
  forgetDamaged(directory, Date.now() + 29 * DAY_MS)
  expect(Object.keys(held(damaged()))).toEqual(ALL)
  forgetDamaged(directory, Date.now() + 31 * DAY_MS)
  expect(held(damaged())).toEqual({})
})

it('the newest 20 are kept, each with all that belongs to it', () => {
  for (let number = 1; number <= 22; number += 1) {
    write(damaged(), { [`${idOf(number)}.sqlite`]: 'file', [`${idOf(number)}.sqlite-wal`]: 'log' })
    for (const name of [`${idOf(number)}.sqlite`, `${idOf(number)}.sqlite-wal`])
      utimesSync(join(damaged(), name), 1_000 + number, 1_000 + number)
  }
  forgetDamaged(directory, 2_000_000)
  expect(Object.keys(held(damaged()))).toEqual(
    Array.from({ length: 20 }, (_, at) => [`${idOf(at + 3)}.sqlite`, `${idOf(at + 3)}.sqlite-wal`]).flat(),
  )
})

/** One bridge to a directory: whose lock is respected, and whose is taken over. */
import nodeFs from 'node:fs/promises'
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { takeLock } from '../../scripts/lib/bridge/lock.mjs'
import { filesOf, newDirectory, removeDirectories } from './bench.ts'

let state: string
let path: string
beforeEach(() => {
  state = join(newDirectory(), '.bridge')
  path = join(state, 'lock')
  mkdirSync(state)
})
afterEach(removeDirectories)
const here = { pid: process.pid, place: 'here' }
/** A process that is not there: numbers end far below. */
const DEAD = 2 ** 30
const wasTouched = (seconds: number) => {
  const then = new Date(Date.now() - seconds * 1_000)
  utimesSync(path, then, then)
}
/** Whether the lock there is respected. */
async function isRespected(): Promise<boolean> {
  const before = readFileSync(path, 'utf8')
  const taken = await takeLock(nodeFs, state, here)
  if (taken.ok) await taken.release()
  else expect(readFileSync(path, 'utf8')).toBe(before)
  expect(filesOf(state)).toEqual(taken.ok ? [] : ['lock'])
  return !taken.ok
}

it.each([
  ['of a dead process', { pid: DEAD, place: 'here', begin: '' }, 0, false],
  ['of our own number, which was somebody else before', { pid: process.pid, place: 'here', begin: '' }, 0, false],
  ['of another machine that touched it just now', { pid: DEAD, place: 'there', begin: '' }, 0, true],
  ['of another machine that has not touched it for a minute', { pid: DEAD, place: 'there', begin: '' }, 61, false],
])('a lock %s', async (_, content, seconds, respected) => {
  writeFileSync(path, JSON.stringify(content))
  wasTouched(seconds)
  expect(await isRespected()).toBe(respected)
})

it.each([
  ['just begun', 0, true],
  ['left so a minute ago', 61, false],
])('a lock without content, %s', async (_, seconds, respected) => {
  writeFileSync(path, '')
  wasTouched(seconds)
  expect(await isRespected()).toBe(respected)
})

it('of many that find a dead lock at the same time one gets it', async () => {
  writeFileSync(path, JSON.stringify({ pid: DEAD, place: 'here', begin: '' }))
  const starters = Array.from({ length: 20 }, (_, index) => ({ pid: DEAD + 1 + index, place: `container ${index}` }))
  const tries = [here, ...starters.map(({ place }) => ({ pid: process.pid, place }))]
  wasTouched(61)
  const taken = await Promise.all(tries.map((self) => takeLock(nodeFs, state, self)))
  expect(taken.filter(({ ok }) => ok)).toHaveLength(1)
})

it('a lock that somebody else has taken over by now is not given back by its first owner', async () => {
  const first = await takeLock(nodeFs, state, here)
  writeFileSync(path, 'of somebody else')
  if (first.ok) await first.release()
  expect([first.ok, existsSync(path)]).toEqual([true, true])
})

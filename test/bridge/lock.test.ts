/** One bridge to a directory: whose lock is respected, and whose is taken over. */
import nodeFs from 'node:fs/promises'
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { takeLock, type Lock } from '../../scripts/lib/bridge/lock.mjs'
import { beginOf } from '../../scripts/lib/bridge/process.mjs'
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
  ['of our own number, begun at another time', { pid: process.pid, place: 'here', begin: '' }, 0, false],
  ['of our own number', { pid: process.pid, place: 'here', begin: beginOf(process.pid) }, 0, false],
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

it('of many that find a dead lock at the same time no two get it, and the next one does', async () => {
  for (const round of Array.from({ length: 20 }).keys()) {
    writeFileSync(path, JSON.stringify({ pid: DEAD, place: `here ${round}`, begin: '' }))
    wasTouched(61)
    const starters = Array.from({ length: 10 }, (_, index) => ({ pid: process.pid, place: `container ${index}` }))
    const taken = await Promise.all(starters.map((self) => takeLock(nodeFs, state, self)))
    expect(taken.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1)
    for (const lock of taken) if (lock.ok) await lock.release()
    const next = await takeLock(nodeFs, state, here)
    expect([next.ok, filesOf(state)]).toEqual([true, ['lock']])
    if (next.ok) await next.release()
  }
})

it('who has seen the time of a dead lock and the text of the one that took its place does not remove that', async () => {
  writeFileSync(path, JSON.stringify({ pid: DEAD, place: 'here', begin: '' }))
  wasTouched(61)
  const faster: Lock[] = []
  // Between the two looks of the slower one, at the time of the lock and at its text.
  const readFile = async (...given: Parameters<typeof nodeFs.readFile>) => {
    if (faster.length === 0) faster.push(await takeLock(nodeFs, state, here))
    return nodeFs.readFile(...given)
  }
  const slower = await takeLock({ ...nodeFs, readFile } as typeof nodeFs, state, { pid: process.pid, place: 'there' })
  expect([faster[0]?.ok, slower.ok]).toEqual([true, false])
  expect(filesOf(state)).toEqual(['lock'])
  if (faster[0]?.ok === true) await faster[0].release()
})

it('who has read a dead lock that was taken over meanwhile does not remove the living one', async () => {
  writeFileSync(path, JSON.stringify({ pid: DEAD, place: 'here', begin: '' }))
  const faster: Lock[] = []
  // Right after the slower one has read it, and before it acts on that.
  const writeFile = async (...given: Parameters<typeof nodeFs.writeFile>) => {
    if (String(given[0]).endsWith('.takeover') && faster.length === 0) faster.push(await takeLock(nodeFs, state, here))
    return nodeFs.writeFile(...given)
  }
  const slower = await takeLock({ ...nodeFs, writeFile }, state, { pid: process.ppid, place: 'here' })
  expect([slower.ok, faster.map(({ ok }) => ok)]).toEqual([false, [true]])
})

it('a takeover whose process died in the middle holds up the next ones for a minute at most', async () => {
  writeFileSync(path, JSON.stringify({ pid: DEAD, place: 'here', begin: '' }))
  writeFileSync(`${path}.takeover`, '')
  expect(await takeLock(nodeFs, state, here)).toEqual({ ok: false, holder: 'another one is starting right now' })
  const then = new Date(Date.now() - 61_000)
  utimesSync(`${path}.takeover`, then, then)
  expect((await takeLock(nodeFs, state, here)).ok).toBe(true)
})

it('a lock that somebody else has taken over by now is not given back by its first owner', async () => {
  const first = await takeLock(nodeFs, state, here)
  writeFileSync(path, 'of somebody else')
  if (first.ok) await first.release()
  expect([first.ok, existsSync(path)]).toEqual([true, true])
})

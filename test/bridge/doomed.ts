/** A process that is killed at one of its steps, without a process: from then on nothing it asks of the disk or the service comes back. */
import nodeFs, { type FileHandle } from 'node:fs/promises'
import type { Fs } from '../../scripts/lib/bridge/folders.mjs'

export interface World {
  fs: Fs
  fetch(url: string, init: object): Promise<unknown>
  /** Those so far that another process, or the service, could see. */
  steps: string[]
  /** Resolves when it is killed. */
  killed: Promise<'killed'>
}

const NEVER = new Promise<never>(() => undefined)
const isOpenFile = (value: unknown): value is FileHandle => typeof value === 'object' && value !== null && 'fd' in value

const SEEN = /^(?:fs\.(?:mkdir|open|rename|rm)|file\.writeFile|fetch)$/

/** Killed right after the step of this number, counted from 1, and thus before the next; Infinity: never. */
export function doomedWorld(last: number): World {
  const steps: string[] = []
  const open: FileHandle[] = []
  let kill: (word: 'killed') => void = () => undefined
  const killed = new Promise<'killed'>((resolve) => {
    kill = resolve
  })
  const step = async <Value>(name: string, act: () => Promise<Value>): Promise<Value> => {
    if (steps.length >= last) return NEVER
    if (SEEN.test(name)) steps.push(name)
    if (steps.length < last) return act()
    await act().catch(() => undefined)
    // The system closes what a dead process had open.
    for (const file of open) if (file.fd >= 0) await file.close()
    kill('killed')
    return NEVER
  }
  const call = async (target: object, member: PropertyKey, act: Function, given: unknown[]) => {
    // A kill loses nothing that the system has; this test need not wait for the disk.
    if (member === 'sync') return
    const result: unknown = await Reflect.apply(act, target, given)
    if (!isOpenFile(result)) return result
    open.push(result)
    return stepwise(result, 'file')
  }
  /** What is done with an open file are steps too. */
  const stepwise = <Target extends object>(target: Target, name: string): Target =>
    new Proxy(target, {
      get: (_, member) => {
        const value: unknown = Reflect.get(target, member)
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => step(`${name}.${String(member)}`, () => call(target, member, value, given))
      },
    })
  return { fs: stepwise(nodeFs, 'fs'), fetch: (url, init) => step('fetch', () => fetch(url, init)), steps, killed }
}

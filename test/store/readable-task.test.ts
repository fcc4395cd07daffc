/** A task whose file cannot be opened, as its callers see it (src/store/damaged). */
import { describe, expect, it, vi } from 'vitest'
import type { RemoteTask } from '../../src/core/replay/stored-task.ts'
import { readableObject, readableTask } from '../../src/store/readable-task.ts'

const UNREADABLE = { ok: false, refusal: { code: 'state_unreadable' } }
const opaque = () => new Error('internal error; reference = 1abc')
/** As often as it is looked at. */
const lasting = () => Array.from({ length: 4 }, opaque)

/** An object that fails each call with what is left of these errors, and then answers. */
function failing(errors: Error[], setAside: (() => Promise<boolean>) | null = null, full = false) {
  const answer = () => {
    const error = errors.shift()
    return error === undefined ? Promise.resolve({ ok: true }) : Promise.reject(error)
  }
  // It has all the methods that are called here.
  const stub = { ask: answer, remove: answer } as unknown as RemoteTask
  return readableTask(() => stub, setAside === null ? null : { setAside, isFull: () => Promise.resolve(full) })
}

describe('a task whose file cannot be opened', () => {
  it.each([
    ['its caller is told no reason, again and again', lasting],
    ['SQLite calls it malformed', () => [new Error('database disk image is malformed: SQLITE_CORRUPT')]],
    ['SQLite calls it none of its own', () => [new Error('file is not a database: SQLITE_NOTADB')]],
  ])('is state_unreadable where %s', async (_, errors) => {
    expect(await failing(errors()).ask({ kind: 'journal', after: 0, limit: 1 })).toMatchObject(UNREADABLE)
  })

  it('is not what fails once, is reset, is overloaded, is full, or says anything else', async () => {
    const marked = (mark: string) => Object.assign(opaque(), { [mark]: true })
    const others = [
      marked('durableObjectReset'),
      marked('retryable'),
      marked('overloaded'),
      new Error('database or disk is full: SQLITE_FULL'),
      new TypeError('a bug'),
    ]
    for (const error of [opaque(), ...others]) {
      const failed = await failing([error])
        .ask({ kind: 'journal', after: 0, limit: 1 })
        .catch((thrown: unknown) => thrown)
      expect(failed).toBe(error)
    }
  })

  it.each([1, 2, 3])('is not what fails %i times and then answers: the caller may try again', async (times) => {
    const errors = Array.from({ length: times }, opaque)
    const [first] = errors
    const failed = await failing(errors)
      .ask({ kind: 'journal', after: 0, limit: 1 })
      .catch((thrown: unknown) => thrown)
    expect(failed).toBe(first)
  })

  it('is deleted by setting its file aside, where somebody can; elsewhere DELETE says that it cannot be read', async () => {
    const setAside = vi.fn<() => Promise<boolean>>(() => Promise.resolve(true))
    expect(await failing(lasting(), setAside).remove()).toEqual({
      ok: true,
      value: { incarnation: null, held: null },
    })
    expect(setAside).toHaveBeenCalledTimes(1)
    expect(await failing(lasting()).remove()).toMatchObject(UNREADABLE)
    expect(await failing(lasting(), () => Promise.resolve(false)).remove()).toMatchObject(UNREADABLE)
    expect(await failing(lasting(), setAside).ask({ kind: 'view' })).toMatchObject(UNREADABLE)
    expect(setAside).toHaveBeenCalledTimes(1)
  })

  it('F56 is a full disk where there is no room, be it of a task or of a workspace', async () => {
    const setAside = () => Promise.reject(new Error('nothing is set aside'))
    await expect(failing(lasting(), setAside, true).remove()).rejects.toThrow('SQLITE_FULL')
    const files = (full: boolean) => ({ isFull: () => Promise.resolve(full) })
    const workspace = (full: boolean) => readableObject(() => ({ list: () => Promise.reject(opaque()) }), files(full))
    await expect(workspace(true).list()).rejects.toThrow('SQLITE_FULL')
    await expect(workspace(false).list()).rejects.toThrow('internal error')
  })
})

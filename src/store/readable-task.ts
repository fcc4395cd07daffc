/**
 * Objects as their callers see them, also when their files cannot be opened. On a disk without room that is a full disk. Else the file is damaged:
 * its task is `state_unreadable` like one with a damaged row, and it can be deleted where somebody can set its file aside.
 */
import { ok, refuse, type Refusal } from '../core/terms/refusal.ts'
import type { StoredTask } from '../core/replay/stored-task.ts'
import type { Remote } from '../shell/ports.ts'
import { isDamaged, isOpaque } from './damage.ts'

/** The files of objects, where they are within reach. */
export interface ObjectFiles {
  /** Moves the file of an object away; answers whether it did. */
  setAside(object: string): Promise<boolean>
  isFull(): Promise<boolean>
}

type Method = (...args: unknown[]) => Promise<unknown>
type Methods = Record<string, Method>

export const UNOPENABLE: Refusal = { code: 'state_unreadable', detail: 'its file cannot be read' }

/** `setAside` moves the file of the task away and answers whether it did; null where nobody can reach the files. */
export function readableTask(
  open: () => Remote<StoredTask>,
  files: { setAside(): Promise<boolean>; isFull(): Promise<boolean> } | null,
): Remote<StoredTask> {
  return failingBy(open, async (error, method) => {
    if (!isDamaged(error) && !(await isUnopenable(error, open))) throw error
    await throwWhereFull(files)
    const removes = method === 'remove' && files !== null && (await files.setAside())
    return removes ? ok({ life: null, held: null }) : refuse(UNOPENABLE)
  })
}

/** An object that is no task's: there is nothing to say of it but why it cannot be opened. */
export function readableObject<T extends object>(open: () => T, files: Pick<ObjectFiles, 'isFull'> | null): T {
  return failingBy(open, async (error) => {
    if (isOpaque(error)) await throwWhereFull(files)
    throw error
  })
}

/** In the words of SQLite, which the answer to the caller is made from. */
async function throwWhereFull(files: Pick<ObjectFiles, 'isFull'> | null): Promise<void> {
  if (files !== null && (await files.isFull())) throw new Error('database or disk is full: SQLITE_FULL')
}

/** A failure of the platform that passes is over by then, nearly always. */
const LOOKS_AFTER_MS = [0, 100, 400]

/** Whether the object fails without a reason, and goes on to do so, some time later as well, when it is asked the simplest question. */
export async function isUnopenable(
  error: unknown,
  open: () => Pick<Remote<StoredTask>, 'read'>,
  wait: (ms: number) => Promise<void> = (ms) => new Promise((done) => setTimeout(done, ms)),
): Promise<boolean> {
  if (!isOpaque(error)) return false
  for (const ms of LOOKS_AFTER_MS) {
    if (ms > 0) await wait(ms)
    const again = await open()
      .read()
      .then(
        () => null,
        (failure: unknown) => failure,
      )
    if (isDamaged(again)) return true
    if (!isOpaque(again)) return false
  }
  return true
}

/** Each call takes a stub of its own: one that failed stays broken. */
function failingBy<T extends object>(open: () => T, fail: (error: unknown, method: string) => Promise<unknown>): T {
  const ask = async (method: string, args: unknown[]): Promise<unknown> => {
    try {
      // A stub has whatever method its type names, and nothing else is asked for.
      return await (open() as unknown as Methods)[method]?.(...args)
    } catch (error) {
      return fail(error, method)
    }
  }
  // Every property of the proxy is a method of the stub. A promise is recognised by its `then`, and this is none.
  return new Proxy({} as T, {
    get: (_target, method) => (method === 'then' ? undefined : (...args: unknown[]) => ask(String(method), args)),
  })
}

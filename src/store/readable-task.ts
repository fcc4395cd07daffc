/**
 * Objects as their callers see them, also when their files cannot be opened. On a full disk that is the reason. Else the file is damaged:
 * its task is `state_unreadable`, and it can be deleted where its file can be set aside.
 */
import { ok, refuse, type Refusal } from '../core/terms/refusal.ts'
import type { RemoteTask } from '../core/replay/stored-task.ts'
import { isDamaged, isOpaque } from './damage.ts'

/** The files of objects, for a process that can reach them. */
export interface ObjectFiles {
  /** Moves the file of an object away. Answers whether it did. */
  setAside(object: string): Promise<boolean>
  isFull(): Promise<boolean>
}

type Method = (...args: unknown[]) => Promise<unknown>
type Methods = Record<string, Method>

export const UNOPENABLE: Refusal = { code: 'state_unreadable', detail: 'its file cannot be read' }

/** `setAside` moves the file of the task away and answers whether it did; null where no process can reach the files. */
export function readableTask(
  open: () => RemoteTask,
  files: { setAside(): Promise<boolean>; isFull(): Promise<boolean> } | null,
): RemoteTask {
  return failingBy(open, async (error, method) => {
    if (!isDamaged(error) && !(await isUnopenable(error, open))) throw error
    await throwWhereFull(files)
    const removes = method === 'remove' && files !== null && (await files.setAside())
    return removes ? ok({ incarnation: null, held: null }) : refuse(UNOPENABLE)
  })
}

/** An object without a task: only the reason why it cannot be opened is told. */
export function readableObject<T extends object>(open: () => T, files: Pick<ObjectFiles, 'isFull'> | null): T {
  return failingBy(open, async (error) => {
    if (isOpaque(error)) await throwWhereFull(files)
    throw error
  })
}

/** Throws in the words of SQLite, because the answer to the caller is made from them. */
async function throwWhereFull(files: Pick<ObjectFiles, 'isFull'> | null): Promise<void> {
  if (files !== null && (await files.isFull())) throw new Error('database or disk is full: SQLITE_FULL')
}

/** By the end of these waits a passing failure of the platform is nearly always over. */
const LOOKS_AFTER_MS = [0, 100, 400]

/** Whether the object fails without a reason, and still does some time later when it is asked the simplest question. */
export async function isUnopenable(
  error: unknown,
  open: () => Pick<RemoteTask, 'ask'>,
  wait: (ms: number) => Promise<void> = (ms) => new Promise((done) => setTimeout(done, ms)),
): Promise<boolean> {
  if (!isOpaque(error)) return false
  for (const ms of LOOKS_AFTER_MS) {
    if (ms > 0) await wait(ms)
    const again = await open()
      .ask({ kind: 'view' })
      .then(
        () => null,
        (failure: unknown) => failure,
      )
    if (isDamaged(again)) return true
    if (!isOpaque(again)) return false
  }
  return true
}

/** Each call takes a new stub, because a stub that failed stays broken. */
function failingBy<T extends object>(open: () => T, fail: (error: unknown, method: string) => Promise<unknown>): T {
  const ask = async (method: string, args: unknown[]): Promise<unknown> => {
    try {
      // A stub has every method that its type names, and callers ask for no other.
      return await (open() as unknown as Methods)[method]?.(...args)
    } catch (error) {
      return fail(error, method)
    }
  }
  // Every property of the proxy is a method of the stub. Only `then` is absent, because it would mark a promise.
  return new Proxy({} as T, {
    get: (_target, method) => (method === 'then' ? undefined : (...args: unknown[]) => ask(String(method), args)),
  })
}

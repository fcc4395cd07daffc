/** Drafts stay when their view is left, but only in this tab. The browser asks before the page is left with a draft. */
import { useLayoutEffect, useState } from 'preact/hooks'
import { draftStore } from './draft-store.ts'
import { requestKeys } from './request-keys.ts'

const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault()

export const drafts = draftStore((hasDrafts) => {
  // A browser keeps no page with this listener for its back button, so the listener stays only while there are drafts.
  if (hasDrafts) addEventListener('beforeunload', askBeforeLeaving)
  else removeEventListener('beforeunload', askBeforeLeaving)
})

export const idempotencyKeys = requestKeys(Date.now)

/** Says to which API key drafts and requests belong from now on. */
export function belongTo(owner: string | null): void {
  drafts.belongTo(owner)
  idempotencyKeys.belongTo(owner)
}

/** The key of a draft for a task. With an empty `what` it is the prefix of all of them. */
export const taskDraftKey = (id: string, what: string) => `task:${id}:${what}`

interface DraftHandle<T> {
  value: T
  /** Whether the value differs from `initial`. */
  isTouched: boolean
  /** Changes the draft, also after its view is gone. */
  change(how: (before: T) => T): void
  /** Drops the draft once it is sent or discarded. */
  clear(): void
}

/** `key` names the place, such as `report:…`. One key always has drafts of one type, and JSON tells them from `initial`. */
export function useDraft<T>(key: string, initial: T): DraftHandle<T> {
  const [, redraw] = useState({})
  useLayoutEffect(() => drafts.watch(key, () => redraw({})), [key])
  // Only drafts of this type are stored under this key.
  const latest = () => (drafts.read(key) ?? initial) as T
  return {
    value: latest(),
    isTouched: drafts.read(key) !== undefined,
    change(how) {
      const next = how(latest())
      if (JSON.stringify(next) === JSON.stringify(initial)) drafts.drop(key)
      else drafts.keep(key, next)
    },
    clear: () => drafts.drop(key),
  }
}

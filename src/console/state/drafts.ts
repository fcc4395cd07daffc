/** Drafts outlive the views they are typed in – never this tab – and leaving the page asks first while there is one. */
import { useLayoutEffect, useState } from 'preact/hooks'
import { draftBook } from './draft-book.ts'
import { requestKeys } from './request-keys.ts'

const ask = (event: BeforeUnloadEvent) => event.preventDefault()

export const drafts = draftBook((unsaved) => {
  // Only while it is needed: a page that listens is not kept for the way back.
  if (unsaved) addEventListener('beforeunload', ask)
  else removeEventListener('beforeunload', ask)
})

export const keys = requestKeys(Date.now)

/** Whose drafts and requests they are. */
export function belongTo(owner: string | null): void {
  drafts.belongTo(owner)
  keys.belongTo(owner)
}

/** Where something is typed for a task; `''` begins all of them. */
export const taskDraft = (id: string, what: string) => `task:${id}:${what}`

export interface Drafted<T> {
  value: T
  /** Whether it is anything else than `initial`. */
  isTouched: boolean
  /** Also of a view that is gone. */
  change(how: (before: T) => T): void
  /** To be called once it is sent, or not wanted any more. */
  clear(): void
}

/** `key` says where it is typed, such as `report:…`; one key always has drafts of one type. `initial`: JSON can tell it from others. */
export function useDraft<T>(key: string, initial: T): Drafted<T> {
  const [, redraw] = useState({})
  useLayoutEffect(() => drafts.watch(key, () => redraw({})), [key])
  const kept = drafts.read(key)
  // Nothing else keeps anything under this key (above).
  const latest = () => (drafts.read(key) ?? initial) as T
  return {
    value: latest(),
    isTouched: kept !== undefined,
    change(how) {
      const next = how(latest())
      if (JSON.stringify(next) === JSON.stringify(initial)) drafts.drop(key)
      else drafts.keep(key, next)
    },
    clear: () => drafts.drop(key),
  }
}

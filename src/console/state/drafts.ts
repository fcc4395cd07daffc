/** Drafts outlive the views they are typed in – never this tab – and leaving the page asks first while there is one. */
import { useState } from 'preact/hooks'
import { draftBook } from './draft-book.ts'

const ask = (event: BeforeUnloadEvent) => event.preventDefault()

export const drafts = draftBook((unsaved) => {
  // Only while it is needed: a page that listens is not kept for the way back.
  if (unsaved) addEventListener('beforeunload', ask)
  else removeEventListener('beforeunload', ask)
})

export interface Drafted<T> {
  value: T
  /** Whether it is anything else than `initial`. */
  isTouched: boolean
  change(how: (before: T) => T): void
  /** To be called once it is sent, or not wanted any more. */
  clear(): void
}

/** `key` says where it is typed, such as `report:…`; one key always has drafts of one type. `initial`: JSON can tell it from others. */
export function useDraft<T>(key: string, initial: T): Drafted<T> {
  const [, redraw] = useState({})
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
      redraw({})
    },
    clear() {
      drafts.drop(key)
      redraw({})
    },
  }
}

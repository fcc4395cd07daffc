/** Keeps a box at its end while its reader is there; who has gone up stays where they are and is told how much is new. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Nearer than this to the end is at the end. */
const NEAR_PX = 24

/** By which a reader moves a box. */
const MOVES = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

interface EndFollower {
  box: { current: HTMLElement | null }
  list: { current: HTMLOListElement | null }
  follows: boolean
  toEnd: () => void
  /** What is drawn above the reader now may grow by what the next drawing adds: it stays where it is. */
  keepPlace: () => void
}

/** `drawn`: another value each time that another list is drawn. */
export function useFollowEnd(drawn: unknown): EndFollower {
  const box = useRef<HTMLElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const following = useRef(true)
  const anchor = useRef<{ entry: Element; offset: number } | null>(null)
  const last = useRef({ top: 0, byHand: false })
  const [follows, set] = useState(true)
  const say = (is: boolean) => {
    following.current = is
    set(is)
  }
  const end = () => {
    const { current } = box
    if (current === null) return
    current.scrollTop = current.scrollHeight
    last.current = { top: current.scrollTop, byHand: false }
  }
  /** Where it belongs: at the end, or with the entry that was first where that was. */
  const settle = () => {
    const [{ current }, { current: held }] = [box, anchor]
    if (following.current) end()
    else if (current !== null && held !== null) current.scrollTop += offsetIn(current, held.entry) - held.offset
  }
  useLayoutEffect(settle, [drawn])
  useEffect(() => {
    const { current } = box
    if (current === null || list.current === null) return
    const scrolled = () => {
      // Nobody has moved it since its place was to be kept: it was moved by entries that got another height, perhaps as far as its end.
      if (anchor.current !== null) settle()
      const { scrollTop: top } = current
      const { byHand, top: before } = last.current
      if (isAtEnd(current) && anchor.current === null) say(true)
      // Only a reader goes up: a list whose entries get another height moves by itself, there and back.
      else if (byHand && top < before) say(false)
      else if (!byHand && following.current) return end()
      last.current = { top, byHand }
    }
    const moved = () => {
      last.current.byHand = true
      anchor.current = null
    }
    // Whoever unfolds something looks at it: what comes now must not move it away.
    const unfolded = ({ target }: Event) => {
      if (target instanceof Element && target.closest('summary') !== null) say(false)
    }
    return watched(current, list.current, { scrolled, moved, unfolded, resized: settle })
  }, [])
  return {
    box,
    list,
    follows,
    toEnd() {
      anchor.current = null
      say(true)
      end()
      box.current?.focus()
    },
    keepPlace() {
      say(false)
      const entry = list.current?.firstElementChild
      if (box.current !== null && entry) anchor.current = { entry, offset: offsetIn(box.current, entry) }
    },
  }
}

interface Watching {
  scrolled: () => void
  moved: () => void
  unfolded: (event: Event) => void
  resized: () => void
}

/** Gives back what ends it. */
function watched(box: Element, list: Element, { scrolled, moved, unfolded, resized }: Watching): () => void {
  const gone = new AbortController()
  const { signal } = gone
  box.addEventListener('scroll', scrolled, { passive: true, signal })
  box.addEventListener('click', unfolded, { signal })
  for (const type of MOVES) box.addEventListener(type, moved, { passive: true, signal })
  // Entries get their real height when they come into sight. An observer alone misses a list that is estimated anew between two frames,
  // and has its former height again once they are drawn.
  box.addEventListener('contentvisibilityautostatechange', resized, { signal })
  // The box gets another height with what is beside it.
  const grown = new ResizeObserver(resized)
  for (const part of [list, box]) grown.observe(part)
  return () => {
    gone.abort()
    grown.disconnect()
  }
}

const offsetIn = (box: Element, entry: Element) => entry.getBoundingClientRect().top - box.getBoundingClientRect().top
const isAtEnd = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight < NEAR_PX

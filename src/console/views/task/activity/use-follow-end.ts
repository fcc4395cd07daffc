/** Keeps a box scrolled to its end while the reader is there. A reader who has scrolled up keeps their place. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** A box that is nearer to its end than this counts as scrolled to the end. */
const NEAR_PX = 24

/** The events by which a reader scrolls a box. */
const MOVES = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

interface EndFollower {
  box: { current: HTMLElement | null }
  list: { current: HTMLOListElement | null }
  follows: boolean
  toEnd: () => void
  /** Keeps the place of the reader while the next drawing adds entries above it. */
  keepPlace: () => void
}

/** `drawn` changes whenever another list is drawn. */
export function useFollowEnd(drawn: unknown): EndFollower {
  const box = useRef<HTMLElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const following = useRef(true)
  const anchor = useRef<{ entry: Element; offset: number } | null>(null)
  const last = useRef({ top: 0, byHand: false })
  const [follows, setFollows] = useState(true)
  const setFollowing = (is: boolean) => {
    following.current = is
    setFollows(is)
  }
  const end = () => {
    const { current } = box
    if (current === null) return
    current.scrollTop = current.scrollHeight
    last.current = { top: current.scrollTop, byHand: false }
  }
  /** Scrolls to the end, or back to the entry that was first when the place was to be kept. */
  const settle = () => {
    const [{ current }, { current: held }] = [box, anchor]
    if (following.current) end()
    else if (current !== null && held !== null) current.scrollTop += offsetIn(current, held.entry) - held.offset
  }
  useLayoutEffect(settle, [drawn])
  useEffect(() => {
    const { current } = box
    if (current === null || list.current === null) return
    const onScroll = () => {
      // The reader has not scrolled since the place was to be kept. Entries that got another height have moved the box, perhaps to its end.
      if (anchor.current !== null) settle()
      const { scrollTop: top } = current
      const { byHand, top: before } = last.current
      if (isAtEnd(current) && anchor.current === null) setFollowing(true)
      // Only a reader scrolls up. A list also moves by itself, when its entries get another height.
      else if (byHand && top < before) setFollowing(false)
      else if (!byHand && following.current) return end()
      last.current = { top, byHand }
    }
    const onMove = () => {
      last.current.byHand = true
      anchor.current = null
    }
    // A reader who unfolds something looks at it, so new entries must not move it.
    const onUnfold = ({ target }: Event) => {
      if (target instanceof Element && target.closest('summary') !== null) setFollowing(false)
    }
    return listenTo(current, list.current, { onScroll, onMove, onUnfold, onResize: settle })
  }, [])
  return {
    box,
    list,
    follows,
    toEnd() {
      anchor.current = null
      setFollowing(true)
      end()
      box.current?.focus()
    },
    keepPlace() {
      setFollowing(false)
      const entry = list.current?.firstElementChild
      if (box.current !== null && entry) anchor.current = { entry, offset: offsetIn(box.current, entry) }
    },
  }
}

interface ScrollListeners {
  onScroll: () => void
  onMove: () => void
  onUnfold: (event: Event) => void
  onResize: () => void
}

/** Returns a function that ends the listening. */
function listenTo(box: Element, list: Element, { onScroll, onMove, onUnfold, onResize }: ScrollListeners): () => void {
  const listening = new AbortController()
  const { signal } = listening
  box.addEventListener('scroll', onScroll, { passive: true, signal })
  box.addEventListener('click', onUnfold, { signal })
  for (const type of MOVES) box.addEventListener(type, onMove, { passive: true, signal })
  // Entries get their real height when they come into sight. An observer alone misses a list whose height is estimated again between two
  // frames and has its former height after they are drawn.
  box.addEventListener('contentvisibilityautostatechange', onResize, { signal })
  // The box changes its height with the parts around it.
  const observer = new ResizeObserver(onResize)
  for (const part of [list, box]) observer.observe(part)
  return () => {
    listening.abort()
    observer.disconnect()
  }
}

const offsetIn = (box: Element, entry: Element) => entry.getBoundingClientRect().top - box.getBoundingClientRect().top
const isAtEnd = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight < NEAR_PX

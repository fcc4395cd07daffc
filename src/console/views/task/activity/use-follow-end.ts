/** Keeps a box at its end while its reader is there; who has gone up stays where they are and is told how much is new. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Nearer than this to the end is at the end. */
const NEAR_PX = 24

export interface Follower {
  box: { current: HTMLElement | null }
  list: { current: HTMLOListElement | null }
  follows: boolean
  toEnd: () => void
  /** What is drawn above the reader now may grow by what the next drawing adds: it stays where it is. */
  keepPlace: () => void
}

/** `drawn`: another value each time that another list is drawn. */
export function useFollowEnd(drawn: unknown): Follower {
  const box = useRef<HTMLElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const following = useRef(true)
  const below = useRef<number | null>(null)
  const last = useRef(0)
  const [follows, set] = useState(true)
  const say = (is: boolean) => {
    following.current = is
    set(is)
  }
  const end = () => {
    const { current } = box
    if (current !== null) current.scrollTop = current.scrollHeight
  }
  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    if (below.current !== null) current.scrollTop = current.scrollHeight - below.current
    else if (following.current) end()
    below.current = null
  }, [drawn])
  useEffect(() => {
    const { current } = box
    if (current === null || list.current === null) return
    const scrolled = () => {
      if (isAtEnd(current)) say(true)
      // Only a reader goes up; what grows below does not take them from the end.
      else if (current.scrollTop < last.current) say(false)
      last.current = current.scrollTop
    }
    // Entries get their real height when they come into sight.
    const grown = new ResizeObserver(() => {
      if (following.current) end()
    })
    // Whoever unfolds something looks at it: what comes now must not move it away.
    const unfolded = ({ target }: Event) => {
      if (target instanceof Element && target.closest('summary') !== null) say(false)
    }
    current.addEventListener('scroll', scrolled, { passive: true })
    current.addEventListener('click', unfolded)
    grown.observe(list.current)
    return () => {
      current.removeEventListener('click', unfolded)
      current.removeEventListener('scroll', scrolled)
      grown.disconnect()
    }
  }, [])
  return {
    box,
    list,
    follows,
    toEnd() {
      say(true)
      end()
      box.current?.focus()
    },
    keepPlace() {
      say(false)
      if (box.current !== null) below.current = box.current.scrollHeight - box.current.scrollTop
    },
  }
}

const isAtEnd = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight < NEAR_PX

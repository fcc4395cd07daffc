/** Keeps a box at its end while its reader is there; who has gone up stays where they are and is told how much is new. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Nearer than this to the end is at the end. */
const NEAR_PX = 24

/** By which a reader moves a box. */
const MOVES = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

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
  const last = useRef({ top: 0, height: 0, byHand: false })
  const [follows, set] = useState(true)
  const say = (is: boolean) => {
    following.current = is
    set(is)
  }
  const end = () => {
    const { current } = box
    if (current === null) return
    current.scrollTop = current.scrollHeight
    last.current = { top: current.scrollTop, height: current.scrollHeight, byHand: false }
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
      const { scrollTop: top, scrollHeight: height } = current
      const { byHand, ...before } = last.current
      if (isAtEnd(current)) say(true)
      // Only a reader goes up: a list that has got another height moves by itself.
      else if (top < before.top && (byHand || height === before.height)) say(false)
      last.current = { top, height, byHand }
    }
    const moved = () => {
      last.current.byHand = true
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
    for (const type of MOVES) current.addEventListener(type, moved, { passive: true })
    grown.observe(list.current)
    return () => {
      current.removeEventListener('click', unfolded)
      for (const type of MOVES) current.removeEventListener(type, moved)
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

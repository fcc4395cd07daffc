/** Moves the focus when its element is gone: to the open request, or else to the controls. A browser would move it to the top. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

export const WAITING_HEADING = 'waiting-heading'
export const CONTROLS = 'task-controls'

/** `place` changes when parts come and go. A focus on an element that stays is not moved. */
export function useFocusOnward(place: string): void {
  const last = useRef<Node | null>(null)
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      last.current = target instanceof Node ? target : null
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [])
  useLayoutEffect(() => {
    const isNowhere = document.activeElement === null || document.activeElement === document.body
    if (!isNowhere || last.current?.isConnected !== false) return
    last.current = null
    const next = document.getElementById(WAITING_HEADING) ?? document.getElementById(CONTROLS)
    next?.focus()
  }, [place])
}

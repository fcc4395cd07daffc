/** Where the focus goes when what had it is gone: on to what is asked for next, else to the controls, and not to the top of the page. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

export const WAITING_HEADING = 'waiting-heading'
export const CONTROLS = 'task-controls'

/** `place` changes when parts come and go. Who has the focus anywhere else keeps it. */
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

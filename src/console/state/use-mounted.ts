/** Whether what asked is still shown when an answer comes. */
import { useEffect, useRef } from 'preact/hooks'

export function useMounted(): { readonly current: boolean } {
  const mounted = useRef(true)
  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
    }
  }, [])
  return mounted
}

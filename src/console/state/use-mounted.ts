/** Says whether a component is still shown when its answer comes. */
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

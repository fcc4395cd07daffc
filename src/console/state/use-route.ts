/** The route as the address has it, and going elsewhere. */
import { useEffect, useState } from 'preact/hooks'
import { fragmentOf, routeOf, type Route } from '../route.ts'

export function useRoute(): Route {
  const [fragment, set] = useState(location.hash)
  useEffect(() => {
    const changed = () => set(location.hash)
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return routeOf(fragment)
}

export const here = (): Route => routeOf(location.hash)

export function go(route: Exclude<Route, { view: 'nowhere' }>): void {
  location.hash = fragmentOf(route)
}

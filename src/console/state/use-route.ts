/** Reads the route from the address, and goes to another one. */
import { useEffect, useState } from 'preact/hooks'
import { fragmentOf, routeOf, type PageRoute } from '../route.ts'

export function useRoute(): PageRoute {
  const [fragment, set] = useState(location.hash)
  useEffect(() => {
    const onChange = () => set(location.hash)
    addEventListener('hashchange', onChange)
    return () => removeEventListener('hashchange', onChange)
  }, [])
  return routeOf(fragment)
}

export const currentRoute = (): PageRoute => routeOf(location.hash)

export function go(route: Exclude<PageRoute, { view: 'nowhere' }>): void {
  location.hash = fragmentOf(route)
}

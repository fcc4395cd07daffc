/** What the tab, the history and a screen reader call the page (WCAG 2.4.2), for as long as its view is shown. */
import { useEffect } from 'preact/hooks'

const TITLE = 'loop-agent'

export function useTitle(view: string): void {
  useEffect(() => {
    document.title = `${view} · ${TITLE}`
    return () => {
      document.title = TITLE
    }
  }, [view])
}

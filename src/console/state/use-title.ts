/** Sets the title of the document while a view is shown. Tab, history and screen readers use it (WCAG 2.4.2). */
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

/** What changes often, once it pauses: so that not every letter that is typed is asked about. */
import { useEffect, useState } from 'preact/hooks'

const PAUSE_MS = 250

export function useSettled(text: string, pause_ms = PAUSE_MS): string {
  const [settled, set] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => set(text), pause_ms)
    return () => clearTimeout(timer)
  }, [text, pause_ms])
  return settled
}

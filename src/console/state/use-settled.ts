/** What somebody types, once they pause: so that not every letter is asked about. */
import { useEffect, useState } from 'preact/hooks'

const PAUSE_MS = 250

export function useSettled(text: string): string {
  const [settled, set] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => set(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** A moment in the time zone and language of the reader. Its title shows the exact moment. */
import { usePreferences } from '../../state/preferences.tsx'

/** `at` is a moment of RFC 3339. */
export function Time({ at, seconds = false }: { at: string; seconds?: boolean }) {
  const { locale } = usePreferences()
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return <span>{at}</span>
  const now = new Date()
  const today = date.toDateString() === now.toDateString()
  const text = date.toLocaleString(locale, {
    ...(today ? {} : { month: 'short', day: 'numeric' }),
    ...(date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }),
    hour: '2-digit',
    hourCycle: 'h23',
    minute: '2-digit',
    ...(seconds ? { second: '2-digit' } : {}),
  })
  return (
    <time dateTime={at} title={at}>
      {text}
    </time>
  )
}

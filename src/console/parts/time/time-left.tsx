/** The time that is left until a moment. It is no live region, so screen readers do not read out each second. */
import { useEffect, useState } from 'preact/hooks'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { SECOND_MS } from '../../../core/terms/plain/durations.ts'

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const
type TimeUnit = (typeof UNITS)[number][0]

const WORDS = wordTable({
  left: [(text: string) => `${text} left`, (text) => `还剩 ${text}`],
  over: ['over', '已过'],
  units: [
    { day: 'd', hour: 'h', minute: 'min', second: 's' } satisfies Record<TimeUnit, string>,
    { day: '天', hour: '小时', minute: '分', second: '秒' } satisfies Record<TimeUnit, string>,
  ],
})
const TICK_MS = 1_000

export function TimeLeft({ until }: { until: string }) {
  const words = useWords(WORDS)
  const [now_ms, tick] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => tick(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  const parts = timePartsUntil(until, now_ms)
  const text = parts.map(({ unit, count }) => `${count} ${words.units[unit]}`).join(' ')
  return (
    <span class="number soft" role="timer">
      ({parts.length === 0 ? words.over : words.left(text)})
    </span>
  )
}

/** Returns the two largest units, such as 1 hour 5 minutes; none if the moment is over or `at` is no moment. */
export function timePartsUntil(at: string, now_ms: number): { unit: TimeUnit; count: number }[] {
  let seconds = Math.ceil((Date.parse(at) - now_ms) / SECOND_MS)
  if (!(seconds > 0)) return []
  const parts = UNITS.map(([unit, size]) => {
    const count = Math.floor(seconds / size)
    seconds -= count * size
    return { unit, count }
  })
  const first = parts.findIndex(({ count }) => count > 0)
  return parts.slice(first, first + 2).filter(({ count }) => count > 0)
}

/** How long there is still, as it gets less: no live region, so nobody is told each second. */
import { useEffect, useState } from 'preact/hooks'
import { useWords } from '../state/preferences.tsx'
import { leftUntil, type LeftUnit } from './left.ts'

const WORDS = {
  en: {
    left: (text: string) => `${text} left`,
    over: 'over',
    units: { day: 'd', hour: 'h', minute: 'min', second: 's' } satisfies Record<LeftUnit, string>,
  },
  zh: {
    left: (text: string) => `还剩 ${text}`,
    over: '已过',
    units: { day: '天', hour: '小时', minute: '分', second: '秒' } satisfies Record<LeftUnit, string>,
  },
}
const TICK_MS = 1_000

export function TimeLeft({ until }: { until: string }) {
  const words = useWords(WORDS)
  const [now_ms, tick] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => tick(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  const parts = leftUntil(until, now_ms)
  const text = parts.map(({ unit, count }) => `${count} ${words.units[unit]}`).join(' ')
  return (
    <span class="number soft" role="timer">
      ({parts.length === 0 ? words.over : words.left(text)})
    </span>
  )
}

/** A command whose report is waited for, and until when. */
import { useEffect, useState } from 'preact/hooks'
import type { Pending } from '../../../api/wire.ts'
import { Time } from '../../../parts/time.tsx'
import { usePreferences, useWords } from '../../../state/preferences.tsx'
import { leftOf } from './time-left.ts'

const WORDS = {
  en: {
    waits: 'A worker has to report on',
    all: 'See it among the delegations',
    until: 'Without a report the attempt counts as failed at',
  },
  zh: { waits: '等待执行者就以下委派提交报告：', all: '在委派列表中查看', until: '若无报告，以下时间后按失败计：' },
}
/** Often enough for minutes; it is no live region, so nobody is told each time. */
const LOOK_MS = 5_000

export function AwaitedReport({ pending }: { pending: Extract<Pending, { kind: 'report' }> }) {
  const words = useWords(WORDS)
  const { locale } = usePreferences()
  const [now_ms, set] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => set(Date.now()), LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  const left = leftOf(Date.parse(pending.deadline) - now_ms)
  const said = new Intl.RelativeTimeFormat(locale, { numeric: 'always' }).format(left.amount, left.unit)
  return (
    <>
      <p>
        {words.waits} <code>{pending.delegation_id}</code>. <a href="#/delegations">{words.all}</a>
      </p>
      <p class="soft">
        {words.until} <Time at={pending.deadline} /> (<span role="timer">{said}</span>)
      </p>
    </>
  )
}

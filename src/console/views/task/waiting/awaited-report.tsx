/** The report that the task waits for, with its deadline. */
import type { Pending } from '../../../api/wire.ts'
import { TimeLeft } from '../../../parts/time/time-left.tsx'
import { Time } from '../../../parts/time/time.tsx'
import { useWords } from '../../../state/preferences.tsx'

const WORDS = {
  en: {
    waits: 'A worker has to report on',
    all: 'See it among the delegations',
    until: 'Without a report the attempt counts as failed at',
  },
  zh: { waits: '等待外部执行者就以下委派提交报告：', all: '在委派列表中查看', until: '若无报告，以下时间后按失败计：' },
}

export function AwaitedReport({ pending }: { pending: Extract<Pending, { kind: 'report' }> }) {
  const words = useWords(WORDS)
  return (
    <>
      <p>
        {words.waits} <code>{pending.delegation_id}</code>. <a href="#/delegations">{words.all}</a>
      </p>
      <p class="soft">
        {words.until} <Time at={pending.deadline} /> <TimeLeft until={pending.deadline} />
      </p>
    </>
  )
}

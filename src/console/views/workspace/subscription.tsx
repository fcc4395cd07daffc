/** The address by which calendar programs read the schedule. It is a key itself, so it is shown on demand only. */
import { useState } from 'preact/hooks'
import { get } from '../../api/request.ts'
import type { Problem } from '../../api/wire.ts'
import { Button } from '../../parts/button.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { SecretLink } from '../../parts/secret-link.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useClient } from '../../state/session.tsx'

const WORDS = wordTable({
  title: ['In your calendar', '在您的日历中'],
  what: [
    'Calendar programs can subscribe to the events and the todos that are due.',
    '日历程序可以订阅日程和有截止时间的待办。',
  ],
  show: ['Show the address', '显示地址'],
  hide: ['Hide it', '隐藏'],
  address: ['Address to subscribe to', '订阅地址'],
  key: [
    'This address is a key: whoever has it can read this calendar, and nothing else, for a year. It cannot be taken back by itself.',
    '这个地址就是密钥：任何持有者一年内都能读取此日历（仅此而已），且无法单独撤回。',
  ],
  calendar: ['the calendar', '日历'],
  missing: ['The service named no address.', '服务没有给出地址。'],
})
const CALENDAR = '/calendar.ics'

export function Subscription() {
  const words = useWords(WORDS)
  const client = useClient()
  const [{ busy, link, problem }, set] = useState<{ busy: boolean; link: string | null; problem: Problem | null }>({
    busy: false,
    link: null,
    problem: null,
  })
  const show = async () => {
    set({ busy: true, link: null, problem: null })
    const answer = await client.fetchFile(CALENDAR)
    if (answer.ok) set({ busy: false, link: alternateOf(answer.headers.get('link')) ?? '', problem: null })
    else set({ busy: false, link: null, problem: answer.problem })
  }
  return (
    <section class="card stack" aria-labelledby="desk-subscription">
      <h2 id="desk-subscription">{words.title}</h2>
      <p class="soft">{words.what}</p>
      <div class="row">
        <Button
          busy={busy}
          onClick={() => (link === null ? void show() : set({ busy: false, link: null, problem: null }))}
        >
          {link === null ? words.show : words.hide}
        </Button>
        <CopyCurl request={get(CALENDAR)} of={words.calendar} />
      </div>
      <ProblemNote problem={problem} />
      {link === '' && <p class="soft">{words.missing}</p>}
      {link !== null && link !== '' && <SecretLink label={words.address} warning={words.key} link={link} />}
    </section>
  )
}

/** Returns the address that needs no key; null if the header `Link` has none, or one that is no web address. */
export function alternateOf(link: string | null): string | null {
  const target = /<([^<>]+)>\s*;\s*rel="alternate"/.exec(link ?? '')?.[1]
  return target !== undefined && /^https?:\/\//.test(target) && URL.canParse(target) ? target : null
}

/** One command for a worker: its facts, and after opening everything that a person can do with it. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { get } from '../../api/request.ts'
import type { DelegationView } from '../../api/wire.ts'
import { Button } from '../../parts/button.tsx'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { SecretLink } from '../../parts/secret-link.tsx'
import { StatusMark } from '../../parts/status.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useResource } from '../../state/use-resource.ts'
import { ClaimForm } from './claim-form.tsx'
import { CommandFile } from './command-file.tsx'
import { DelegationFacts } from './facts.tsx'
import { RecordedReport } from './recorded-report.tsx'
import { ReportForm } from './report-form.tsx'

const WORDS = wordTable({
  new: ['new session', '新会话'],
  continue: ['continue a session', '继续会话'],
  end: ['end of a session', '结束会话'],
  open: ['Open', '打开'],
  close: ['Close', '收起'],
  link: ['Link to report by', '报告链接'],
  key: [
    'This address is a key: whoever has it can report on this one command.',
    '这个地址就是密钥：任何持有者都能对这一条命令提交报告。',
  ],
  this: ['This delegation', '此委派'],
})
const READ_AGAIN_MS = 3_000

interface Props {
  delegation: DelegationView
  isOpen: boolean
  onToggle: () => void
  onChanged: () => void
}

export function Delegation({ delegation, isOpen, onToggle, onChanged }: Props) {
  const words = useWords(WORDS)
  const [latest, setLatest] = useState<DelegationView | null>(null)
  const shown = isOpen && latest !== null ? latest : delegation
  return (
    <li class="card stack delegation">
      <div class="row">
        <StatusMark of={shown.status} />
        <h2 class="delegation-name">{words[shown.command_type]}</h2>
        <code class="soft">{shown.command_id}</code>
        <span class="push" />
        <Button expanded={isOpen} label={`${isOpen ? words.close : words.open} ${shown.command_id}`} onClick={onToggle}>
          {isOpen ? words.close : words.open}
        </Button>
      </div>
      <DelegationFacts delegation={shown} />
      {isOpen && (
        <div class="stack delegation-panel">
          <Panel
            listed={delegation}
            onLatest={(view) => {
              setLatest(view)
              if (view.status !== shown.status) onChanged()
            }}
          />
        </div>
      )}
    </li>
  )
}

const isUnfinished = ({ status }: DelegationView) => status === 'pending' || status === 'claimed'

function Panel({ listed, onLatest }: { listed: DelegationView; onLatest: (delegation: DelegationView) => void }) {
  const words = useWords(WORDS)
  const path = `/delegations/${encodeURIComponent(listed.id)}`
  const { value, problem, refresh } = useResource<DelegationView>(path, READ_AGAIN_MS)
  const place = useRef<HTMLDivElement>(null)
  const isReportSent = useRef(false)
  const notify = useRef(onLatest)
  notify.current = onLatest
  useLayoutEffect(() => {
    if (value === null) return
    notify.current(value)
    if (!isReportSent.current || value.report === null) return
    // The form is gone, so the focus moves to the report that has taken its place.
    isReportSent.current = false
    place.current?.querySelector<HTMLElement>('.delegation-recorded')?.focus()
  }, [value])
  if (value === null) return <ProblemNote problem={problem} />
  const accept = (delegation: DelegationView) => {
    onLatest(delegation)
    refresh()
  }
  return (
    <div class="stack" ref={place}>
      <ProblemNote problem={problem} />
      <div class="row">
        <span class="soft small">{words.this}</span>
        <span class="push" />
        <Copy text={JSON.stringify(value, null, 2)} label={`JSON: ${words.this}`}>
          JSON
        </Copy>
        <CopyCurl request={get(path)} of={words.this} />
      </div>
      {value.report !== null && <RecordedReport report={value.report} />}
      <CommandFile path={path} name={value.command_id} />
      {value.report_url !== null && <SecretLink label={words.link} warning={words.key} link={value.report_url} />}
      {isUnfinished(value) && <ClaimForm path={path} onClaim={accept} />}
      <ReportForm
        delegation={value}
        path={path}
        isWanted={isUnfinished(value)}
        onRefusal={refresh}
        onReport={(delegation) => {
          isReportSent.current = true
          accept(delegation)
        }}
      />
    </div>
  )
}

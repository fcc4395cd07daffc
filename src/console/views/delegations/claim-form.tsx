/** The form by which a person claims a command, so that no worker takes it meanwhile. */
import { useState } from 'preact/hooks'
import { post } from '../../api/request.ts'
import type { DelegationView } from '../../api/wire.ts'
import { handleSubmit, InputField } from '../../parts/form.tsx'
import { RequestButton } from '../../parts/request-button.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useAction } from '../../state/use-action.ts'
import { ReportProblem } from './report-problem.tsx'

const WORDS = wordTable({
  title: ['Claim it', '认领'],
  what: [
    'Others leave it alone until the lease ends. Under the same name it is renewed. A report needs no claim.',
    '租约到期前其他人不会处理；以同一名称再次认领即续期。提交报告不需要先认领。',
  ],
  name: ['Your name', '您的名称'],
  lease: ['Minutes', '分钟'],
  claim: ['Claim', '认领'],
})
const LEASE_MINUTES = 30
const MINUTE_S = 60

export function ClaimForm({ path, onClaim }: { path: string; onClaim: (delegation: DelegationView) => void }) {
  const words = useWords(WORDS)
  const action = useAction()
  const [worker, setWorker] = useState('')
  const [minutes, setMinutes] = useState(String(LEASE_MINUTES))
  const request = post(`${path}/claim`, { worker: worker.trim(), lease_s: Number(minutes) * MINUTE_S })
  const claim = async () => {
    const answer = await action.run<DelegationView>(request)
    if (answer?.ok === true) onClaim(answer.value)
  }
  return (
    <form class="stack" aria-label={words.title} onSubmit={handleSubmit(claim)}>
      <h3>{words.title}</h3>
      <p class="soft small">{words.what}</p>
      <div class="delegation-form">
        <InputField label={words.name} required value={worker} change={setWorker} />
        <InputField label={words.lease} type="number" required min={1} max={1440} value={minutes} change={setMinutes} />
      </div>
      <div class="row">
        <RequestButton type="submit" text={words.claim} busy={action.busy} request={request} />
      </div>
      <ReportProblem problem={action.problem} />
    </form>
  )
}

/** The facts of a delegation: task, step, session, deadline, claim and budget. */
import type { ComponentChildren } from 'preact'
import type { DelegationView } from '../../api/wire.ts'
import { TimeLeft } from '../../parts/time/time-left.tsx'
import { Time } from '../../parts/time/time.tsx'
import { fragmentOf } from '../../route.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'

const WORDS = wordTable({
  task: ['Task', '任务'],
  item: ['Step', '步骤'],
  session: ['Session', '会话'],
  pool: ['Pool', '工作者池'],
  auto: ['a new one', '新建'],
  deadline: ['Deadline', '期限'],
  created: ['Made', '创建'],
  claim: ['Claimed', '认领'],
  until: [(worker: string) => `by ${worker} until`, (worker) => `${worker}，至`],
  budget: ['Budget', '预算'],
  tokens: [(n: number) => `${n} tokens`, (n) => `${n} 个 token`],
  cost: [(usd: string) => `${usd} USD`, (usd) => `${usd} 美元`],
  seconds: [(n: number) => `${n} s`, (n) => `${n} 秒`],
})
const textOf = <T,>(amount: T | null | undefined, say: (amount: T) => string) =>
  amount === null || amount === undefined ? [] : [say(amount)]

export function DelegationFacts({ delegation }: { delegation: DelegationView }) {
  const words = useWords(WORDS)
  const { task_id, item_id, session_id, deadline, created_at, claim, budget, status, pool } = delegation
  const shares = [
    ...textOf(budget?.tokens, words.tokens),
    ...textOf(budget?.cost_usd, words.cost),
    ...textOf(budget?.seconds, words.seconds),
  ]
  return (
    <dl class="delegation-facts small">
      <Fact name={words.task}>
        <a href={fragmentOf({ view: 'task', id: task_id, tab: 'activity' })}>
          <code>{task_id}</code>
        </a>
      </Fact>
      {item_id !== null && (
        <Fact name={words.item}>
          <code>{item_id}</code>
        </Fact>
      )}
      <Fact name={words.session}>{session_id === 'auto' ? words.auto : <code>{session_id}</code>}</Fact>
      {pool !== null && (
        <Fact name={words.pool}>
          <code>{pool}</code>
        </Fact>
      )}
      <Fact name={words.created}>
        <Time at={created_at} />
      </Fact>
      <Fact name={words.deadline}>
        <Time at={deadline} /> {(status === 'pending' || status === 'claimed') && <TimeLeft until={deadline} />}
      </Fact>
      {claim !== null && (
        <Fact name={words.claim}>
          {words.until(claim.worker)} <Time at={claim.expires_at} />
        </Fact>
      )}
      {shares.length > 0 && <Fact name={words.budget}>{shares.join(' · ')}</Fact>}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt class="soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

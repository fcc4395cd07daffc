/** The commands for external workers. A person can do here everything that a worker can. */
import { useState } from 'preact/hooks'
import type { DelegationView } from '../../api/wire.ts'
import { ListFrame, useList } from '../../parts/list-frame.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { Delegation } from './delegation.tsx'
import { withOpened } from './report-draft.ts'
import './delegations.css'

const WORDS = wordTable({
  title: ['Delegations', '外部委派'],
  what: [
    'Tasks of mode orchestrator hand their steps to workers outside and wait for reports. Workers ask for them here; so can a person.',
    'orchestrator 模式的任务把步骤交给外部执行者并等待报告。执行者从这里领取，人也可以。',
  ],
  none: ['None at all.', '没有委派。'],
  noneOf: ['None with this status. New ones appear by themselves.', '没有此状态的委派。新的会自动出现。'],
})
const STATUSES = ['pending', 'claimed', 'reported', 'expired', 'canceled']
const READ_AGAIN_MS = 2_000

export function DelegationsView() {
  const words = useWords(WORDS)
  const list = useList<DelegationView>('/delegations', 'pending', READ_AGAIN_MS)
  const [opened, setOpened] = useState<DelegationView[]>([])
  const listed = list.value?.data ?? []
  const shown = withOpened(listed, opened)
  const isOpened = ({ id }: DelegationView) => opened.some((other) => other.id === id)
  const toggle = (delegation: DelegationView) => {
    const { id } = delegation
    setOpened((before) => (isOpened(delegation) ? before.filter((other) => other.id !== id) : [...before, delegation]))
    // A delegation that has left the list disappears with its button.
    const isGone = list.value !== null && listed.every((other) => other.id !== id)
    if (isOpened(delegation) && isGone) list.place.current?.focus()
  }
  return (
    <ListFrame {...words} list={list} statuses={STATUSES} count={shown.length}>
      <ul class="delegations stack">
        {shown.map((delegation) => (
          <Delegation
            key={delegation.id}
            delegation={delegation}
            isOpen={isOpened(delegation)}
            onToggle={() => toggle(delegation)}
            onChanged={list.refresh}
          />
        ))}
      </ul>
    </ListFrame>
  )
}

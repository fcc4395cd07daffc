/** The commands for external workers. A person can do here everything that a worker can. */
import { useState } from 'preact/hooks'
import type { DelegationView, Page, PoolView } from '../../api/wire.ts'
import { SelectField } from '../../parts/form.tsx'
import { ListFrame, useList } from '../../parts/list-frame.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useResource } from '../../state/use-resource.ts'
import { Delegation } from './delegation.tsx'
import { poolOptions, POOLS, POOLS_AGAIN_MS, READ_AGAIN_MS, STATUSES, withOpened } from './listing.ts'
import './delegations.css'

const WORDS = wordTable({
  title: ['Delegations', '外部委派'],
  what: [
    'Tasks of mode orchestrator hand their steps to workers outside and wait for reports. Workers ask for them here; so can a person.',
    'orchestrator 模式的任务把步骤交给外部执行者并等待报告。执行者从这里领取，人也可以。',
  ],
  none: ['None at all.', '没有委派。'],
  noneOf: ['None with this status. New ones appear by themselves.', '没有此状态的委派。新的会自动出现。'],
  pool: ['Pool', '工作者池'],
  default: ['default pool', '默认池'],
})

export function DelegationsView() {
  const words = useWords(WORDS)
  const [pool, setPool] = useState('')
  const list = useList<DelegationView>('/delegations', 'pending', READ_AGAIN_MS, { pool })
  const pools = useResource<Page<PoolView>>(POOLS, POOLS_AGAIN_MS)
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
  const options = poolOptions(pools.value?.data ?? [], pool, words.default)
  const choose = (name: string) => {
    setPool(name)
    list.turn({ status: list.status, after: null })
  }
  // Most tenants have no pool, and need no choice.
  const choices = options.length > 1 && (
    <SelectField label={words.pool} value={pool} options={options} change={choose} />
  )
  return (
    <ListFrame {...words} list={list} statuses={STATUSES} choices={choices} count={shown.length}>
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

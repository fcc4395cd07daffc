/** What waits for workers outside, and what became of it: a person can do here all that a worker can. */
import { useRef, useState } from 'preact/hooks'
import { get, query } from '../../api/request.ts'
import type { DelegationView, Page } from '../../api/wire.ts'
import { CopyCurl } from '../../parts/copy.tsx'
import { Field } from '../../parts/field.tsx'
import { Pager } from '../../parts/pager.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { useStatusWord } from '../../parts/status.tsx'
import { useWords } from '../../state/preferences.tsx'
import { useResource } from '../../state/use-resource.ts'
import { Delegation } from './delegation.tsx'
import { withOpened } from './report.ts'
import './delegations.css'

const WORDS = {
  en: {
    title: 'Delegations',
    what: 'Tasks of mode orchestrator hand their steps to workers outside and wait for reports. Workers ask for them here; so can a person.',
    status: 'Status',
    all: 'all',
    list: 'this list',
    none: 'None at all.',
    noneOf: 'None with this status. New ones appear by themselves.',
    loading: 'Reading …',
    shown: (n: number) => `${n} shown`,
  },
  zh: {
    title: '外部委派',
    what: 'orchestrator 模式的任务把步骤交给外部工作者并等待报告。工作者从这里领取，人也可以。',
    status: '状态',
    all: '全部',
    list: '此列表',
    none: '没有委派。',
    noneOf: '没有此状态的委派。新的会自动出现。',
    loading: '正在读取……',
    shown: (n: number) => `显示 ${n} 项`,
  },
}
const STATUSES = ['pending', 'claimed', 'reported', 'expired', 'canceled']
const LOOK_MS = 2_000
const PAGE = 20

export function DelegationsView() {
  const words = useWords(WORDS)
  const statusWord = useStatusWord()
  const [{ status, after }, turn] = useState<{ status: string; after: string | null }>({
    status: 'pending',
    after: null,
  })
  const [opened, open] = useState<DelegationView[]>([])
  const place = useRef<HTMLDivElement>(null)
  const path = `/delegations${query({ status, limit: PAGE, after })}`
  const { value, problem, refresh } = useResource<Page<DelegationView>>(path, LOOK_MS)
  const shown = withOpened(value?.data ?? [], opened)
  const isOpened = ({ id }: DelegationView) => opened.some((other) => other.id === id)
  const toggle = (delegation: DelegationView) => {
    open((before) => (isOpened(delegation) ? before.filter(({ id }) => id !== delegation.id) : [...before, delegation]))
    // One that is no more of this list goes with its button.
    if (isOpened(delegation) && value?.data.every(({ id }) => id !== delegation.id) === true) place.current?.focus()
  }
  return (
    <div class="stack" ref={place} tabIndex={-1}>
      <h1>{words.title}</h1>
      <p class="soft">{words.what}</p>
      <div class="row delegations-filter">
        <Field label={words.status}>
          {(ties) => (
            <select
              {...ties}
              value={status}
              onChange={({ currentTarget }) => turn({ status: currentTarget.value, after: null })}
            >
              <option value="">{words.all}</option>
              {STATUSES.map((name) => (
                <option key={name} value={name}>
                  {statusWord(name)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <CopyCurl request={get(path)} of={words.list} />
        <output class="soft small">{value === null ? '' : words.shown(shown.length)}</output>
      </div>
      <ProblemNote problem={problem} />
      {value === null && problem === null && <p class="soft">{words.loading}</p>}
      {value !== null && shown.length === 0 && <p class="card">{status === '' ? words.none : words.noneOf}</p>}
      <ul class="delegations stack">
        {shown.map((delegation) => (
          <Delegation
            key={delegation.id}
            delegation={delegation}
            opened={isOpened(delegation)}
            onToggle={() => toggle(delegation)}
            onChanged={refresh}
          />
        ))}
      </ul>
      <Pager
        after={after}
        next={value?.next_cursor ?? null}
        onTurn={(cursor) => {
          turn({ status, after: cursor })
          place.current?.focus()
        }}
      />
    </div>
  )
}

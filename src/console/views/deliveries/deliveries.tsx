/** The callbacks that were not delivered in time, with a button that sends each one again. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { post } from '../../api/request.ts'
import type { DeliveryEntry } from '../../api/wire.ts'
import { ActionNote } from '../../parts/problem/action-note.tsx'
import { ListFrame, useList } from '../../parts/list-frame.tsx'
import { StatusMark } from '../../parts/status.tsx'
import { TableHead } from '../../parts/table-head.tsx'
import { Time } from '../../parts/time/time.tsx'
import { fragmentOf } from '../../route.ts'
import { RequestButton } from '../../parts/request-button.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useAction } from '../../state/use-action.ts'
import '../../parts/stacked-table.css'

const WORDS = wordTable({
  title: ['Deliveries', '回调投递'],
  what: [
    'A task with a callback_url tells it each change of its status. What could not be told is listed here: given up after ten tries in 75 hours, or not wanted by the receiver (410).',
    '设有 callback_url 的任务会在每次状态变化时通知该地址。未能送达的列在这里：75 小时内尝试十次后放弃，或对方不再接收（410）。',
  ],
  none: [
    'Nothing: every callback was told in time, or is still being tried.',
    '没有内容：所有回调都已按时送达，或仍在尝试。',
  ],
  noneOf: ['None with this status.', '没有此状态的投递。'],
  status: ['Status', '状态'],
  again: ['Send again', '重新发送'],
  againOf: [(id: string) => `Send ${id} again`, (id) => `重新发送 ${id}`],
  tries: [(n: number) => (n === 1 ? '1 try' : `${n} tries`), (n) => `尝试 ${n} 次`],
  task: ['Task', '任务'],
  told: ['Was to be told', '应通知'],
  when: ['Changed', '变化时间'],
  why: ['Why it failed', '失败原因'],
  action: ['Action', '操作'],
})
const STATUSES = ['failed', 'gone', 'pending', 'delivered']
/** A delivery that is sent again changes its status without a further request. */
const READ_AGAIN_MS = 3_000

export function DeliveriesView() {
  const { title, what, none, noneOf } = useWords(WORDS)
  const list = useList<DeliveryEntry>('/webhooks/deliveries', '', READ_AGAIN_MS)
  const entries = list.value?.data ?? []
  return (
    <ListFrame {...{ title, what, none, noneOf }} list={list} statuses={STATUSES} count={entries.length}>
      {entries.length > 0 && <Table entries={entries} onAgain={list.refresh} />}
    </ListFrame>
  )
}

function Table({ entries, onAgain }: { entries: DeliveryEntry[]; onAgain: () => void }) {
  const words = useWords(WORDS)
  return (
    <table class="stacked card">
      <TableHead columns={[words.told, words.status, words.task, words.when, words.why, words.action]} />
      <tbody>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} onAgain={onAgain} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ entry, onAgain }: { entry: DeliveryEntry; onAgain: () => void }) {
  const words = useWords(WORDS)
  const action = useAction()
  const row = useRef<HTMLTableRowElement>(null)
  useLayoutEffect(() => {
    const { current } = row
    // A delivery that was sent again may leave this list.
    return () => {
      if (current?.contains(document.activeElement) === true) current.closest<HTMLElement>('[tabindex="-1"]')?.focus()
    }
  }, [])
  const again = post(`/webhooks/deliveries/${encodeURIComponent(entry.id)}/redeliver`)
  const send = async () => {
    await action.run(again)
    onAgain()
  }
  return (
    <tr ref={row}>
      <td>
        <code>{entry.type}</code>
      </td>
      <td>
        <StatusMark of={entry.status} /> <span class="soft small number">{words.tries(entry.attempts)}</span>
      </td>
      <td>
        <a href={fragmentOf({ view: 'task', id: entry.task_id, tab: 'activity' })}>{entry.task_id}</a>
      </td>
      <td>
        <Time at={entry.created_at} />
      </td>
      <td class="small">
        {entry.detail ?? '–'}
        <ActionNote of={action} />
      </td>
      <td>
        <div class="row">
          <RequestButton
            text={words.again}
            label={words.againOf(entry.id)}
            busy={action.busy}
            request={again}
            onClick={() => void send()}
          />
        </div>
      </td>
    </tr>
  )
}

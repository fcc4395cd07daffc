/** The details of one row. They are read when the row is opened, because requests are long. */
import type { ComponentChildren } from 'preact'
import { get, taskPath, queryText } from '../../../api/request.ts'
import type { JournalEntry, Page } from '../../../api/wire.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { Fold } from '../../../parts/fold.tsx'
import { ProblemNote } from '../../../parts/problem/problem.tsx'
import { Scroll } from '../../../parts/scroll.tsx'
import { Time } from '../../../parts/time/time.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { useResource } from '../../../state/use-resource.ts'
import { useTask } from '../task-context.tsx'
import { isClosed } from './rows.ts'

const WORDS = wordTable({
  started: ['Started', '开始'],
  finished: ['Finished', '结束'],
  model: ['Model', '模型'],
  endpoint: ['Endpoint', '端点'],
  attempt: ['Attempt', '第几次尝试'],
  prices: ['Prices', '价格表'],
  over: ['The endpoint reported more than was reserved.', '模型端点报告的用量超过了预留量。'],
  request: ['Request', '请求'],
  reply: ['Reply', '回复'],
  inexact: ['Rebuilt with today’s wording: not exactly what was sent.', '按现在的措辞重建，与当时发送的不完全一致。'],
  fork: ['Fork from here', '从这里分叉'],
  read: ['the row', '这一行'],
  reading: ['Reading the row …', '正在读取这一行……'],
})

export const rowRequest = (id: string, seq: number) =>
  get(taskPath(id, 'journal') + queryText({ limit: 1, after: seq - 1 }))

export function RowBody({ row, onFork }: { row: JournalEntry; onFork: () => void }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const request = rowRequest(task.id, row.seq)
  const { value, problem } = useResource<Page<JournalEntry>>(request.path)
  const whole = value?.data[0] ?? null
  return (
    <div class="journal-body stack">
      <Facts row={row} />
      {row.over_reserve && <p class="small">{words.over}</p>}
      {whole === null && problem === null && <p class="soft">{words.reading}</p>}
      <ProblemNote problem={problem} />
      {whole !== null && <Texts row={whole} />}
      <div class="row">
        {isClosed(row) && <Button onClick={onFork}>{words.fork}</Button>}
        <span class="push">
          <CopyCurl request={request} of={words.read} />
        </span>
      </div>
    </div>
  )
}

function Facts({ row }: { row: JournalEntry }) {
  const words = useWords(WORDS)
  return (
    <dl class="journal-facts small">
      <Fact name={words.started}>
        <Time at={row.started_at} seconds />
      </Fact>
      {row.finished_at !== null && (
        <Fact name={words.finished}>
          <Time at={row.finished_at} seconds />
        </Fact>
      )}
      {row.model !== null && <Fact name={words.model}>{row.model}</Fact>}
      {row.endpoint !== null && <Fact name={words.endpoint}>{row.endpoint}</Fact>}
      {row.attempt !== null && <Fact name={words.attempt}>{row.attempt}</Fact>}
      {row.price_version !== null && (
        <Fact name={words.prices}>
          <code>{row.price_version}</code>
        </Fact>
      )}
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

function Texts({ row }: { row: JournalEntry }) {
  const words = useWords(WORDS)
  return (
    <>
      {row.request !== null && (
        <Fold title={words.request}>{() => <Json value={row.request} label={words.request} />}</Fold>
      )}
      {row.request_exact === false && <p class="journal-inexact small">{words.inexact}</p>}
      {row.reply !== null && <Fold title={words.reply}>{() => <Json value={row.reply} label={words.reply} />}</Fold>}
    </>
  )
}

/** A value as JSON. A long text scrolls, by keyboard too. */
export function Json({ value, label }: { value: unknown; label: string }) {
  return (
    <Scroll kind="journal-json" label={label}>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </Scroll>
  )
}

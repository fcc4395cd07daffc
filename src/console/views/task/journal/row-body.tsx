/** The details of one row. They are read when the row is opened, because requests are long. */
import { get, taskPath, queryText } from '../../../api/request.ts'
import type { JournalEntry, Page } from '../../../api/wire.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { Fold } from '../../../parts/fold.tsx'
import { ProblemNote } from '../../../parts/problem/problem.tsx'
import { Scroll } from '../../../parts/scroll.tsx'
import { Time } from '../../../parts/time/time.tsx'
import { useWords } from '../../../state/preferences.tsx'
import { useResource } from '../../../state/use-resource.ts'
import { useTask } from '../task-context.tsx'
import { isClosed } from './rows.ts'

const WORDS = {
  en: {
    started: 'Started',
    finished: 'Finished',
    model: 'Model',
    attempt: 'Attempt',
    prices: 'Prices',
    over: 'The endpoint reported more than was reserved.',
    request: 'Request',
    reply: 'Reply',
    inexact: 'Rebuilt with today’s wording: not exactly what was sent.',
    fork: 'Fork from here',
    read: 'the row',
    reading: 'Reading the row …',
  },
  zh: {
    started: '开始',
    finished: '结束',
    model: '模型',
    attempt: '第几次尝试',
    prices: '价格表',
    over: '模型端点报告的用量超过了预留量。',
    request: '请求',
    reply: '回复',
    inexact: '按现在的措辞重建，与当时发送的不完全一致。',
    fork: '从这里分叉',
    read: '这一行',
    reading: '正在读取这一行……',
  },
}

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
      <dt>{words.started}</dt>
      <dd>
        <Time at={row.started_at} seconds />
      </dd>
      {row.finished_at !== null && (
        <>
          <dt>{words.finished}</dt>
          <dd>
            <Time at={row.finished_at} seconds />
          </dd>
        </>
      )}
      {row.model !== null && (
        <>
          <dt>{words.model}</dt>
          <dd>{row.model}</dd>
        </>
      )}
      {row.attempt !== null && (
        <>
          <dt>{words.attempt}</dt>
          <dd>{row.attempt}</dd>
        </>
      )}
      {row.price_version !== null && (
        <>
          <dt>{words.prices}</dt>
          <dd>
            <code>{row.price_version}</code>
          </dd>
        </>
      )}
    </dl>
  )
}

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

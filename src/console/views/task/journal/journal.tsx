/** The journal of the task: the costs, then each row, which can be forked. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { saveFile } from '../../../api/save-file.ts'
import type { JournalEntry, Problem } from '../../../api/wire.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { ProblemNote } from '../../../parts/problem/problem.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { useClient } from '../../../state/session.tsx'
import { useRoute } from '../../../state/use-route.ts'
import { useTask } from '../task-context.tsx'
import { CostsView } from './costs-view.tsx'
import { maximum, toolsOf } from './costs.ts'
import { journalCsv, journalJson, type JournalExport } from './export.ts'
import { ForkDialog } from './fork-dialog.tsx'
import { useReplay } from './replay.tsx'
import { JournalRow } from './journal-row.tsx'
import { endFor, ROWS_SHOWN_MAX, visibleRange } from './rows.ts'
import { journalPage, useJournal } from './use-journal.tsx'
import './journal.css'

const WORDS = wordTable({
  title: ['Journal', '日志'],
  reading: ['Reading the journal …', '正在读取日志……'],
  counted: ['Counted only', '只看计步的行'],
  read: ['the journal', '日志'],
  json: ['Download JSON', '下载 JSON'],
  csv: ['Download CSV', '下载 CSV'],
  earlier: [(count: number) => `Show ${count} earlier`, (count) => `显示更早的 ${count} 行`],
  later: [(count: number) => `Show ${count} later`, (count) => `显示更晚的 ${count} 行`],
  none: ['No row has been counted yet.', '还没有计步的行。'],
  shown: [(shown: number, all: number) => `${shown} of ${all} rows`, (shown, all) => `共 ${all} 行，显示 ${shown} 行`],
})

export function Journal() {
  const words = useWords(WORDS)
  const { task } = useTask()
  const { rows, problem, complete } = useJournal()
  const [isCountedOnly, setCountedOnly] = useState(false)
  const [forkRow, setForkRow] = useState<JournalEntry | null>(null)
  const replay = useReplay()
  const shown = useMemo(() => (isCountedOnly ? rows.filter(({ counted }) => counted) : rows), [rows, isCountedOnly])
  return (
    <div class="stack">
      <CostsView rows={rows} />
      <div class="row">
        <h2>{words.title}</h2>
        <span class="soft small number">{words.shown(shown.length, rows.length)}</span>
        <span class="push">
          <CopyCurl request={journalPage(task.id, 0, false)} of={words.read} />
        </span>
      </div>
      <div class="row">
        <Button pressed={isCountedOnly} onClick={() => setCountedOnly(!isCountedOnly)}>
          {words.counted}
        </Button>
        {replay.button}
        <Downloads />
      </div>
      {replay.note}
      <ProblemNote problem={problem} />
      {!complete && rows.length === 0 && problem === null && <p class="soft">{words.reading}</p>}
      {complete && shown.length === 0 && <p class="soft">{words.none}</p>}
      <Rows rows={shown} complete={complete} onFork={setForkRow} />
      {forkRow !== null && <ForkDialog row={forkRow} onClose={() => setForkRow(null)} />}
    </div>
  )
}

function Rows(props: { rows: readonly JournalEntry[]; complete: boolean; onFork: (row: JournalEntry) => void }) {
  const words = useWords(WORDS)
  const { rows, complete, onFork } = props
  const { events } = useTask()
  const [end, setEnd] = useState<number | null>(null)
  useGoToRow(rows, complete, setEnd)
  const { from, to } = visibleRange(rows.length, end)
  const tools = useMemo(() => toolsOf(events), [events])
  const longest_ms = useMemo(() => maximum(rows.map(({ duration_ms }) => duration_ms ?? 0)), [rows])
  const later = Math.min(ROWS_SHOWN_MAX, rows.length - to)
  return (
    <>
      {from > 0 && <Button onClick={() => setEnd(from)}>{words.earlier(Math.min(ROWS_SHOWN_MAX, from))}</Button>}
      <ol class="journal-rows">
        {rows.slice(from, to).map((row) => (
          <JournalRow
            key={row.seq}
            row={row}
            tool={tools.get(row.seq) ?? null}
            longest_ms={longest_ms}
            onFork={onFork}
          />
        ))}
      </ol>
      {later > 0 && (
        <Button onClick={() => setEnd(to + ROWS_SHOWN_MAX >= rows.length ? null : to + ROWS_SHOWN_MAX)}>
          {words.later(later)}
        </Button>
      )}
    </>
  )
}

/** Shows and focuses the row that the address names, once all rows are read. */
function useGoToRow(rows: readonly JournalEntry[], complete: boolean, setEnd: (end: number | null) => void): void {
  const route = useRoute()
  const target = route.view === 'task' ? (route.seq ?? null) : null
  const lastFocused = useRef<number | null>(null)
  useEffect(() => {
    if (!complete || target === null || lastFocused.current === target) return
    const index = rows.findIndex(({ seq }) => seq === target)
    if (index < 0) return
    const row = document.getElementById(`row-${target}`)
    // The row is not drawn yet, so the window is moved first.
    if (row === null) return setEnd(endFor(rows.length, index))
    lastFocused.current = target
    row.scrollIntoView({ block: 'center' })
    row.focus({ preventScroll: true })
  })
}

function Downloads() {
  const words = useWords(WORDS)
  const client = useClient()
  const { task } = useTask()
  const [state, set] = useState<{ busy: string | null; problem: Problem | null }>({ busy: null, problem: null })
  const download = async (kind: 'json' | 'csv', read: () => Promise<JournalExport>) => {
    set({ busy: kind, problem: null })
    const result = await read()
    if (result.ok) saveFile(result.text, `${task.id}-journal.${kind}`)
    set({ busy: null, problem: result.ok ? null : result.problem })
  }
  return (
    <>
      <Button busy={state.busy === 'json'} onClick={() => void download('json', () => journalJson(client, task.id))}>
        {words.json}
      </Button>
      <Button busy={state.busy === 'csv'} onClick={() => void download('csv', () => journalCsv(client, task.id))}>
        {words.csv}
      </Button>
      <ProblemNote problem={state.problem} />
    </>
  )
}

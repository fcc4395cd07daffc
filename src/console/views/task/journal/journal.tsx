/** The ledger: what each step cost, then each row, and where the task can be forked. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { saveFile } from '../../../api/save-file.ts'
import type { JournalEntry, Problem } from '../../../api/wire.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { ProblemNote } from '../../../parts/problem/problem.tsx'
import { useWords } from '../../../state/preferences.tsx'
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

const WORDS = {
  en: {
    title: 'Journal',
    reading: 'Reading the journal …',
    counted: 'Counted only',
    read: 'the journal',
    json: 'Download JSON',
    csv: 'Download CSV',
    earlier: (count: number) => `Show ${count} earlier`,
    later: (count: number) => `Show ${count} later`,
    none: 'No row has been counted yet.',
    shown: (shown: number, all: number) => `${shown} of ${all} rows`,
  },
  zh: {
    title: '日志',
    reading: '正在读取日志……',
    counted: '只看计步的行',
    read: '日志',
    json: '下载 JSON',
    csv: '下载 CSV',
    earlier: (count: number) => `显示更早的 ${count} 行`,
    later: (count: number) => `显示更晚的 ${count} 行`,
    none: '还没有计步的行。',
    shown: (shown: number, all: number) => `共 ${all} 行，显示 ${shown} 行`,
  },
}

export function Journal() {
  const words = useWords(WORDS)
  const { task } = useTask()
  const { rows, problem, complete } = useJournal()
  const [countedOnly, only] = useState(false)
  const [forked, fork] = useState<JournalEntry | null>(null)
  const replay = useReplay()
  const shown = useMemo(() => (countedOnly ? rows.filter(({ counted }) => counted) : rows), [rows, countedOnly])
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
        <Button pressed={countedOnly} onClick={() => only(!countedOnly)}>
          {words.counted}
        </Button>
        {replay.button}
        <Downloads />
      </div>
      {replay.note}
      <ProblemNote problem={problem} />
      {!complete && rows.length === 0 && problem === null && <p class="soft">{words.reading}</p>}
      {complete && shown.length === 0 && <p class="soft">{words.none}</p>}
      <Rows rows={shown} complete={complete} onFork={fork} />
      {forked !== null && <ForkDialog row={forked} onClose={() => fork(null)} />}
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

/** The row that the address names is shown and focused, once all rows are there. */
function useGoToRow(rows: readonly JournalEntry[], complete: boolean, setEnd: (end: number | null) => void): void {
  const route = useRoute()
  const wanted = route.view === 'task' ? (route.seq ?? null) : null
  const gone = useRef<number | null>(null)
  useEffect(() => {
    if (!complete || wanted === null || gone.current === wanted) return
    const index = rows.findIndex(({ seq }) => seq === wanted)
    if (index < 0) return
    const row = document.getElementById(`row-${wanted}`)
    // Not among those that are drawn: it will be after this.
    if (row === null) return setEnd(endFor(rows.length, index))
    gone.current = wanted
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
    const exported = await read()
    if (exported.ok) saveFile(exported.text, `${task.id}-journal.${kind}`)
    set({ busy: null, problem: exported.ok ? null : exported.problem })
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

/**
 * Reads the journal of the shown task as it grows, without texts, so that hundreds of rows stay small. All parts of the page share it. It
 * reads only the newest rows until the tab of the journal is opened.
 */
import { createContext, type ComponentChildren } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { askerOf, startTimer, type Asker } from '../../../api/asker.ts'
import type { Client } from '../../../api/client.ts'
import { get, taskPath, queryText, type ApiRequest } from '../../../api/request.ts'
import type { JournalEntry, Page, Problem, TaskView } from '../../../api/wire.ts'
import { useClient } from '../../../state/session.tsx'
import { useRoute } from '../../../state/use-route.ts'
import { useTask } from '../task-context.tsx'
import { mergeRows, readAfter, readFrom, ROWS_PER_PAGE } from './rows.ts'

interface JournalRows {
  rows: readonly JournalEntry[]
  problem: Problem | null
  /** Whether all rows have been read once. */
  complete: boolean
}

export const journalPage = (id: string, after: number, redact = true): ApiRequest =>
  get(taskPath(id, 'journal') + queryText({ limit: ROWS_PER_PAGE, after, redact: redact ? 'true' : null }))

const UNREAD_JOURNAL: JournalRows = { rows: [], problem: null, complete: false }
const RETRY_MS = 3_000

const Context = createContext(UNREAD_JOURNAL)
export const useJournal = () => useContext(Context)

export function JournalProvider({ children }: { children: ComponentChildren }) {
  return <Context.Provider value={useJournalRows()}>{children}</Context.Provider>
}

/** Reads again after each change of the task. The asker makes one request of a burst of changes. */
function useJournalRows(): JournalRows {
  const client = useClient()
  const { task, events } = useTask()
  const [journal, set] = useState(UNREAD_JOURNAL)
  const asker = useRef<Asker | null>(null)
  const from = useFirstSeq(task)
  useEffect(() => {
    const current = journalAsker(client, task.id, from, set)
    asker.current = current
    return () => current.stop()
  }, [client, task.id, from])
  const last = events.at(-1)?.seq ?? 0
  useEffect(() => asker.current?.now(), [client, task.id, from, task.version, last])
  return journal
}

/** Returns the first seq to read. It stays while rows are added, so that no row is read twice. */
function useFirstSeq({ id, version }: TaskView): number {
  const route = useRoute()
  const isWhole = route.view === 'task' && route.tab === 'journal'
  const chosen = useRef<{ id: string; from: number } | null>(null)
  if (chosen.current?.id !== id || isWhole) chosen.current = { id, from: readFrom(version, isWhole) }
  return chosen.current.from
}

function journalAsker(client: Client, id: string, from: number, onChange: (journal: JournalRows) => void): Asker {
  let journal = UNREAD_JOURNAL
  const show = (change: Partial<JournalRows>) => {
    journal = { ...journal, ...change }
    onChange(journal)
  }
  const asker = askerOf(async (isStopped) => {
    let [after, more] = [Math.max(from, readAfter(journal.rows)), true]
    while (more) {
      const answer = await client.send<Page<JournalEntry>>(journalPage(id, after))
      if (isStopped()) return
      if (!answer.ok) {
        show({ problem: answer.problem })
        return asker.after(RETRY_MS)
      }
      const rows = mergeRows(journal.rows, after, answer.value.data)
      more = answer.value.has_more && answer.value.data.length > 0
      after = rows.at(-1)?.seq ?? after
      show({ rows, problem: null, complete: journal.complete || !more })
    }
  }, startTimer)
  onChange(UNREAD_JOURNAL)
  return asker
}

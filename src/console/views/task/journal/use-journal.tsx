/**
 * The journal of the task that is shown, as it grows: without texts, so that hundreds of rows stay light. Read once for all who show it;
 * whole once its own tab is opened, before that only its newest rows.
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
  /** Whether all there was has been read once. */
  complete: boolean
}

export const journalPage = (id: string, after: number, redact = true): ApiRequest =>
  get(taskPath(id, 'journal') + queryText({ limit: ROWS_PER_PAGE, after, redact: redact ? 'true' : null }))

const NOTHING: JournalRows = { rows: [], problem: null, complete: false }
const RETRY_MS = 3_000

const Context = createContext(NOTHING)
export const useJournal = () => useContext(Context)

export function JournalProvider({ children }: { children: ComponentChildren }) {
  return <Context.Provider value={useReading()}>{children}</Context.Provider>
}

/** Reads again whenever something has happened to the task: the asker puts together what comes in bursts. */
function useReading(): JournalRows {
  const client = useClient()
  const { task, events } = useTask()
  const [journal, set] = useState(NOTHING)
  const asker = useRef<Asker | null>(null)
  const from = useFrom(task)
  useEffect(() => {
    const made = reading(client, task.id, from, set)
    asker.current = made
    return () => made.stop()
  }, [client, task.id, from])
  const last = events.at(-1)?.seq ?? 0
  useEffect(() => asker.current?.now(), [client, task.id, from, task.version, last])
  return journal
}

/** Stays while rows are added, so that what was read is not read again. */
function useFrom({ id, version }: TaskView): number {
  const route = useRoute()
  const isWhole = route.view === 'task' && route.tab === 'journal'
  const chosen = useRef<{ id: string; from: number } | null>(null)
  if (chosen.current?.id !== id || isWhole) chosen.current = { id, from: readFrom(version, isWhole) }
  return chosen.current.from
}

function reading(client: Client, id: string, from: number, changed: (journal: JournalRows) => void): Asker {
  let journal = NOTHING
  let stopped = false
  const show = (change: Partial<JournalRows>) => {
    journal = { ...journal, ...change }
    changed(journal)
  }
  const asker = askerOf(async () => {
    let [after, more] = [Math.max(from, readAfter(journal.rows)), true]
    while (more) {
      const answer = await client.send<Page<JournalEntry>>(journalPage(id, after))
      if (stopped) return
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
  const stop = () => {
    stopped = true
    asker.stop()
  }
  changed(NOTHING)
  return { ...asker, stop }
}

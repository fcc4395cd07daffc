/** Reads the whole journal page by page, as JSON or as CSV with one header line. */
import type { Client } from '../../../api/client.ts'
import { taskPath, queryText } from '../../../api/request.ts'
import type { JournalEntry, Page, Problem } from '../../../api/wire.ts'
import { ROWS_PER_PAGE } from './rows.ts'
import { journalPage } from './use-journal.tsx'

export type JournalExport = { ok: true; text: string } | { ok: false; problem: Problem }

export async function journalJson(client: Client, id: string): Promise<JournalExport> {
  const rows: JournalEntry[] = []
  for (;;) {
    const answer = await client.send<Page<JournalEntry>>(journalPage(id, rows.at(-1)?.seq ?? 0, false))
    if (!answer.ok) return answer
    rows.push(...answer.value.data)
    if (!answer.value.has_more || answer.value.data.length === 0)
      return { ok: true, text: `${JSON.stringify(rows, null, 2)}\n` }
  }
}

export async function journalCsv(client: Client, id: string): Promise<JournalExport> {
  const pages: string[] = []
  for (let after: number | null = 0; after !== null;) {
    const path: string = taskPath(id, 'journal') + queryText({ limit: ROWS_PER_PAGE, after })
    const answer = await client.fetchFile(path, { accept: 'text/csv' })
    if (!answer.ok) return answer
    pages.push(await answer.value.text())
    after = afterOf(answer.headers.get('link'))
  }
  return { ok: true, text: joinCsv(pages) }
}

/** Returns where the next page begins; null if there is none. */
export function afterOf(link: string | null): number | null {
  const target = /<([^<>]+)>\s*;\s*rel="next"/.exec(link ?? '')?.[1]
  const after = /[?&]after=(\d+)/.exec(target ?? '')?.[1]
  return after === undefined ? null : Number(after)
}

/** Keeps the header line of the first page only. A header line has no line break in it, because it only names columns. */
export const joinCsv = (pages: readonly string[]): string =>
  pages.map((page, index) => (index === 0 ? page : page.replace(/^[^\n]*\n/, ''))).join('')

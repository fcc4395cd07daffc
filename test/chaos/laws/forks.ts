/** The laws of the past: a fork has the rows of its parent, and every task equals the fold of its rows. */
import { Replay, type JournalEntry } from '../../../src/core/terms/view.ts'
import { headersOf, type Bench } from '../ask.ts'
import type { Story } from '../story.ts'
import type { Tally } from '../tally.ts'

/** Whether today's code makes of its rows what is stored. */
export async function checkFold({ service, tally }: Bench, { id, known, rows }: Story): Promise<void> {
  const headers = { ...headersOf(known.tenant), 'content-type': 'application/json' }
  const reply = await service.send({ method: 'POST', path: `/tasks/${id}/replay`, headers, body: '{}' })
  const replay = Replay.safeParse(JSON.parse(reply?.text ?? 'null'))
  const equal = replay.data?.equal === true && replay.data.events >= rows.length - 1
  tally.demand(equal, 'a task is what its rows come to', () => `${reply?.status} ${reply?.text.slice(0, 500)}`, id)
}

/** The rows are as they were copied: the same effects with the same outcome and cost. */
export function checkPast(tally: Tally, { id, known, rows }: Story, stories: Map<string, Story>): void {
  const { from } = known
  if (from === null) return
  const parent = stories.get(from.task)
  if (parent === undefined) return
  for (let at = 1; at <= from.at; at++) {
    const [mine, its] = [rows[at - 1], parent.rows[at - 1]]
    const same = mine !== undefined && its !== undefined && gist(mine) === gist(its)
    tally.demand(same, 'a fork has the past of its parent', () => `row ${at}: ${gist(mine)} of ${gist(its)}`, id)
  }
}

const gist = (row: JournalEntry | undefined) =>
  JSON.stringify([row?.kind, row?.phase, row?.outcome, row?.charged_tokens, row?.cost_usd, row?.counted, row?.reply])

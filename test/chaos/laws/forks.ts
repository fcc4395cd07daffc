/** The laws of forks: one has the rows of its parent and does nothing until it is told to, and every task equals the fold of its rows. */
import { Replay } from '../../../src/core/shown/replay-view.ts'
import type { JournalEntry } from '../../../src/core/terms/view.ts'
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

/** A fork is driven only if its own request asked for that. Otherwise its first effect comes after the first request to it. */
export function checkUntold(tally: Tally, { id, known, view, own }: Story): void {
  const { from, told_ms } = known
  if (from === null) return
  const named = view.forked_from?.id === from.task && view.forked_from.at === from.at
  tally.demand(named, 'a fork names its parent', () => JSON.stringify(view.forked_from), id)
  if (from.driven) return
  const law = 'a fork of a background task does nothing until told'
  const first = own.find(({ phase }) => phase !== null)
  const acted = first !== undefined && Date.parse(first.started_at) < (told_ms ?? Infinity)
  tally.demand(
    view.drive === 'manual' && view.callback_url === null,
    law,
    () => `${view.drive} ${view.callback_url}`,
    id,
  )
  tally.demand(!acted, law, () => `row ${first?.seq} began at ${first?.started_at}, told at ${told_ms}`, id)
}

const gist = (row: JournalEntry | undefined) =>
  JSON.stringify([row?.kind, row?.phase, row?.outcome, row?.charged_tokens, row?.cost_usd, row?.counted, row?.reply])

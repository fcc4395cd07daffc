/** The laws of what clients said: a word that was accepted is heard once, one nobody answered for at most once; sums of a tenant hold. */
import { ask, checkReplay, wrote, type Bench } from './ask.ts'
import type { Story } from './story.ts'
import type { Tally } from './tally.ts'

/** Remarks, answers and top-ups as the rows of a task have them. */
export function checkWords({ acks, tally }: Bench, stories: Map<string, Story>, todos: Map<string, number>): void {
  const heard = new Map<string, number>()
  for (const { id, rows } of stories.values())
    for (const row of rows) {
      const mark = markOf(row.kind, row.reply)
      if (mark !== null) heard.set(`${id} ${mark}`, (heard.get(`${id} ${mark}`) ?? 0) + 1)
    }
  for (const [{ kind, mark, task, key }, answered] of acks.asked) {
    if (mark === null) continue
    const count = kind === 'command' ? (todos.get(mark) ?? 0) : (heard.get(`${task} ${mark}`) ?? 0)
    const shown = () => `${kind} "${mark}" under ${key} was ${answered === null ? 'not ' : ''}answered: ${count} times`
    tally.demand(count <= 1, 'what was said is heard once', shown, task)
    // To a paused task "continue" is no text: it resumes.
    const kept = answered === null || mark.startsWith('continue ') || count >= 1
    tally.demand(kept, 'nothing acknowledged is lost', shown, task)
  }
}

function markOf(kind: string, reply: unknown): string | null {
  if (typeof reply !== 'object' || reply === null) return null
  if ('text' in reply && (kind === 'user_remarked' || kind === 'user_answered')) return String(reply.text)
  return kind === 'budget_added' && 'tokens' in reply ? `tokens ${String(reply.tokens)}` : null
}

/** "continue" resumes once each time it is said. */
export function checkResumes({ acks, tally }: Bench, stories: Map<string, Story>): void {
  const said = new Map<string | null, number>()
  for (const { kind, task } of acks.asked.keys()) if (kind === 'input') said.set(task, (said.get(task) ?? 0) + 1)
  for (const { id, rows } of stories.values()) {
    const resumed = rows.filter(({ kind }) => kind === 'resumed').length
    const law = 'what was said is heard once'
    tally.demand(resumed <= (said.get(id) ?? 0), law, () => `resumed ${resumed} times by ${said.get(id)} inputs`, id)
  }
}

/** Every answer under a key is given again, however much happened since. */
export async function replayAll(bench: Bench, parallel: number): Promise<number> {
  const waiting = [...bench.acks.asked].filter(([{ key }, first]) => key !== null && first !== null)
  let replayed = 0
  const worker = async () => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const [asked, first] = one
      if (first === null || !wrote(asked, first)) continue
      const again = await ask(bench, asked, false)
      if (again !== null) checkReplay(bench, asked, first, again)
      replayed += 1
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  return replayed
}

/** No tenant spends more than its total of a day. */
export function checkTotals(tally: Tally, stories: Iterable<Story>, daily_tokens: number): void {
  const days = new Set<string>()
  const spent = new Map<string, number>()
  for (const { known, view, rows } of stories) {
    for (const row of rows) days.add(row.started_at.slice(0, 10))
    spent.set(known.tenant, (spent.get(known.tenant) ?? 0) + view.budget.tokens.used)
  }
  const most = daily_tokens * days.size
  for (const [tenant, tokens] of spent)
    tally.demand(tokens <= most, 'a daily total is not overspent', () => `${tenant}: ${tokens} of ${most}`)
}

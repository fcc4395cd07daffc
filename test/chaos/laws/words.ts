/** The laws of texts from clients: an accepted text counts once, an unanswered one at most once, and the sums of a tenant are right. */
import * as z from 'zod'
import { ask, checkReplay, wrote, type Bench } from '../ask.ts'
import type { Story } from '../story.ts'
import type { Tally } from '../tally.ts'

/** Remarks, answers and top-ups as they are in the rows of a task. */
export function checkWords({ acks, tally }: Bench, stories: Map<string, Story>, todos: Map<string, number>): void {
  const heard = new Map<string, number>()
  for (const { id, own } of stories.values())
    for (const row of own)
      for (const mark of marksOf(row.kind, row.reply)) heard.set(`${id} ${mark}`, (heard.get(`${id} ${mark}`) ?? 0) + 1)
  for (const [{ kind, mark, task, key }, answered] of acks.asked) {
    if (mark === null || (task !== null && !stories.has(task))) continue
    const count = kind === 'command' ? (todos.get(mark) ?? 0) : (heard.get(`${task} ${mark}`) ?? 0)
    const shown = () => `${kind} "${mark}" under ${key} was ${answered === null ? 'not ' : ''}answered: ${count} times`
    tally.demand(count <= 1, 'what was said is heard once', shown, task)
    // To a paused task "continue" is no text: it resumes.
    const kept = answered === null || mark.startsWith('continue ') || count >= 1
    tally.demand(kept, 'nothing acknowledged is lost', shown, task)
  }
}

const Texts = z.object({ text: z.string() })
const HEARD = new Set(['user_remarked', 'user_answered', 'user_asked_aside', 'approval_answered'])

function marksOf(kind: string, reply: unknown): string[] {
  if (HEARD.has(kind)) return [Texts.parse(reply).text]
  if (kind === 'budget_added') return [`tokens ${z.object({ tokens: z.int().optional() }).parse(reply).tokens}`]
  if (kind === 'report_arrived') return [z.object({ report: Texts }).parse(reply).report.text]
  if (kind !== 'plan_edited') return []
  const { items } = z
    .object({ items: z.array(z.object({ id: z.string().nullable(), title: z.string() })) })
    .parse(reply)
  // One with an id was said by the edit before.
  return items.flatMap(({ id, title }) => (id === null ? [title] : []))
}

const RESUMES = new Set(['input', 'resume', 'answer'])
/** Each "continue" resumes the task once. */
export function checkResumes({ acks, tally }: Bench, stories: Map<string, Story>): void {
  const said = new Map<string | null, number>()
  for (const { kind, task } of acks.asked.keys()) if (RESUMES.has(kind)) said.set(task, (said.get(task) ?? 0) + 1)
  for (const { id, own, view } of stories.values()) {
    // One that the service drives resumes by itself where its model was not available.
    if (view.drive === 'background') continue
    const resumed = own.filter(({ kind }) => kind === 'resumed').length
    const law = 'what was said is heard once'
    tally.demand(resumed <= (said.get(id) ?? 0), law, () => `resumed ${resumed} times by ${said.get(id)} inputs`, id)
  }
}

/** Every answer under a key is given again, whatever has happened since. */
export async function replayAll(bench: Bench, parallel: number): Promise<number> {
  const { asked: all, tasks } = bench.acks
  const gone = ({ task }: { task: string | null }) => task !== null && tasks.get(task)?.deleting !== null
  const waiting = [...all].filter(([asked, first]) => asked.key !== null && first !== null && !gone(asked))
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

/** No tenant spends more than its total of a day on calls of this service. What was deleted is not seen any more. */
export function checkTotals(tally: Tally, stories: Iterable<Story>, daily_tokens: number): void {
  const days = new Set<string>()
  const spent = new Map<string, number>()
  for (const { known, own } of stories)
    for (const { started_at, phase, charged_tokens } of own) {
      days.add(started_at.slice(0, 10))
      const tokens = phase === null ? 0 : (charged_tokens ?? 0)
      spent.set(known.tenant, (spent.get(known.tenant) ?? 0) + tokens)
    }
  const most = daily_tokens * days.size
  for (const [tenant, tokens] of spent)
    tally.demand(tokens <= most, 'a daily total is not overspent', () => `${tenant}: ${tokens} of ${most}`)
}

/**
 * The journals under test/fixtures/journals, and the tasks from which `npm run fixture` makes them. `v4-waiting.json` is a waiting task of
 * version 4: its rows as `data`, and beside them the task as its release showed it. A file that ends with `.jsonl` has rows only.
 */
import { readdirSync } from 'node:fs'
import { withoutLinks } from '../../src/core/protocol/view/stored-task-view.ts'
import { LOST_TICKET, recordsOf } from './forks.ts'
import { act, ALL, ask, benchOf, CALLER, closed, createTask, done, planned, type Bench } from './scripted.ts'

export const JOURNALS = 'test/fixtures/journals'
export const journalNames = readdirSync(JOURNALS)
/** The schema version in which the journal of this name was stored. */
export const versionOf = (name: string) => Number(/^v(\d+)-/.exec(name)?.[1])

interface Played {
  bench: Bench
  id: string
}
const play = async (bench: Bench, settings = {}): Promise<Played> => {
  const { id } = await createTask(bench, settings, ALL)
  return { bench, id }
}

/** A task for each state that every version needs a fixture of. */
export const FIXTURE_TASKS: Readonly<Record<string, () => Promise<Played>>> = {
  completed: () => play(benchOf({ plan: [planned('A')], thought: [act(), 'broken', done()], replan: [closed()] })),
  waiting: () => play(benchOf({ plan: [planned('A')], thought: [act(), ask()] })),
  limit: () => play(benchOf({ plan: [planned('A')], thought: [act(), act('/todo add eggs')] }), { max_steps: 4 }),
  async 'in-flight'() {
    const bench = benchOf({ plan: [planned('A')], thought: [act()] })
    const { id } = await createTask(bench, {}, { rounds: 1, max_ms: 25_000 })
    await bench.store.of(CALLER.tenant, id).begin(LOST_TICKET)
    return { bench, id }
  },
}

/** The content of a fixture. */
export async function fixtureOf({ bench, id }: Played) {
  const view = await bench.store.of(CALLER.tenant, id).ask({ kind: 'view' })
  if (!view.ok) throw new Error(view.refusal.code)
  return { data: recordsOf(bench, id), task: withoutLinks(view.value) }
}

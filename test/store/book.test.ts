/** The book in SQLite answers every command as the one in memory does: todos and schedule, added, shown, changed and removed. */
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import * as z from 'zod'
import type { RemoteWorkspace } from '../../src/core/protocol/workspace-requests.ts'
import type { TaskStore } from '../../src/shell/ports.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import { FREE, UNBOUNDED } from '../support/scripted.ts'

const COMMANDS = [
  '/todo list',
  '/todo add milk --due 2026-11-22 10:00',
  '/todo add tea',
  '/todo add bread',
  '/todo done 2',
  '/todo get 2',
  '/todo get 9',
  '/todo delete 1',
  '/todo delete 1',
  '/todo list',
  // The highest id is not given again, whatever was removed below it since, and however often.
  '/todo delete 3',
  '/todo delete 3',
  '/todo get 3',
  '/todo delete 2',
  '/todo list',
  '/todo add jam',
  '/todo delete 4',
  '/todo add salt',
  '/todo add rice',
  '/todo list',
  '/schedule add 2026-11-22 10:00 breakfast',
  '/schedule add 2026-11-23 10:00 call --interval 1440',
  '/schedule add 2026-11-24 10:00 talk',
  '/schedule get 2',
  '/schedule get 9',
  '/schedule view day 2026-11-24',
  '/schedule update 1 2026-11-22 11:00 brunch',
  '/schedule delete 1',
  '/schedule delete 1',
  '/schedule list',
  '/schedule add 2026-11-25 15:00 walk',
  '/schedule delete 3',
  '/schedule add 2026-11-25 15:00 swim',
  '/schedule list',
]

async function answers(workspace: RemoteWorkspace) {
  const fixed = {
    key: null,
    request: null,
    reader: 'person' as const,
    locale: 'en' as const,
    timezone: 'UTC',
    caller_timezone: 'UTC',
  }
  const windows = { schedule_window_days: 31, conflict_preview_days: 31, wall_ms: Date.UTC(2026, 10, 21, 12, 0) }
  const told = []
  for (const command of COMMANDS) {
    const ran = await workspace.tell({ kind: 'run_command', command, ...fixed, ...windows })
    told.push([command, ran.ok ? ran.value.result : ran.refusal])
  }
  return told
}

const Added = z.object({ kind: z.string(), data: z.object({ id: z.int() }) })
function idsOf(kind: string, result: unknown): number[] {
  const added = Added.safeParse(result)
  return added.success && added.data.kind === kind ? [added.data.data.id] : []
}

it('the book in SQLite is the book in memory', async () => {
  const here = () => ({ now_ms: Date.now(), boot: 'boot', prices: FREE, daily: UNBOUNDED })
  const of = (store: TaskStore) => answers(store.workspace(`book-${crypto.randomUUID()}`))
  const kept = await of(durableStore(env.TASKS, env.WORKSPACES))
  expect(kept).toEqual(await of(memoryStore(here)))
  const kinds = kept.map(([, result]) => (typeof result === 'object' && 'kind' in result ? result.kind : null))
  expect(kinds.filter((kind) => kind === 'usage_error')).toEqual([])
  const ids = (added: string) => kept.flatMap(([, result]) => idsOf(added, result))
  expect([ids('todo_added'), ids('schedule_added')]).toEqual([
    [1, 2, 3, 4, 5, 6],
    [1, 2, 3, 4],
  ])
})

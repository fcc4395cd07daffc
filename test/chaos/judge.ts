/** Compares everything that was acknowledged, written and done. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { CommandResult } from '../../src/core/workspace/commands/result.ts'
import { apiKeyOf, getReply, type Bench } from './ask.ts'
import { checkForgotten, checkListed, restsForToday } from './calm.ts'
import type { Client } from './clients/asking.ts'
import { ALL_TENANTS, CLIENTS, TENANTS } from './clients/clients.ts'
import { checkFiles } from './clients/files.ts'
import { isThere } from './known.ts'
import { checkAgents } from './laws/agents.ts'
import { checkCommand } from './laws/commands.ts'
import { checkActs, checkCalls } from './laws/effects.ts'
import { checkFold, checkPast, checkUntold } from './laws/forks.ts'
import { checkGone } from './laws/gone.ts'
import { checkTold, untold } from './laws/hooks.ts'
import { checkJournal } from './laws/journal.ts'
import { checkLimits } from './laws/limits.ts'
import { hasEnded } from './laws/purses.ts'
import { checkSchedules } from './laws/ticks.ts'
import { checkResumes, checkTotals, checkWords, replayAll } from './laws/words.ts'
import type { World } from './outside/world.ts'
import { storyOf, type Story } from './story.ts'
import type { Tally } from './tally.ts'

export async function inParallel<T>(all: T[], clients: Client[], act: (client: Client, one: T) => Promise<void>) {
  const waiting = [...all]
  const worker = async (client: Client) => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) await act(client, one)
  }
  await Promise.all(clients.map(worker))
}

export async function judge(
  bench: Bench,
  world: World,
  clients: Client[],
  daily_tokens: number,
): Promise<Map<string, Story>> {
  const { acks, tally } = bench
  const known = [...acks.tasks.values()]
  tally.seen('replayed key', await replayAll(bench, CLIENTS))
  const stories = new Map<string, Story>()
  await inParallel(known.filter(isThere), clients, async (_, one) => {
    const story = await storyOf(bench, one)
    if (story !== null) stories.set(one.id, story)
  })
  await untilTold([...stories.values()], world)
  const todos = await todosOf(bench)
  for (const story of stories.values()) {
    checkJournal(tally, story)
    checkCalls(tally, story, world)
    checkPast(tally, story, stories)
    checkUntold(tally, story)
    checkTold(tally, story, world.receiver)
    checkData(tally, story)
    countKinds(tally, story)
  }
  checkActs(tally, stories, world, todos, acks)
  checkWords(bench, stories, todos)
  checkResumes(bench, stories)
  checkTotals(tally, stories.values(), daily_tokens)
  await checkListed(bench)
  await checkSchedules(bench)
  await checkAgents(bench, stories)
  await inParallel([...stories.values()], clients, async (client, story) => {
    await checkFold(bench, story)
    await checkFiles(client, story.known)
    await checkWritten(bench, story)
  })
  await inParallel(
    known.filter((one) => !isThere(one)),
    clients,
    (_, one) => checkGone(bench, one, world),
  )
  await inParallel([...acks.commands.values()], clients, (_, command) => checkCommand(bench, command, stories))
  await checkForgotten(bench)
  for (const tenant of TENANTS.filter((one) => !isSpent(bench, one))) await checkLimits(bench, world, tenant)
  return stories
}

/** A tenant that has used up its day starts no task. */
const isSpent = ({ acks }: Bench, tenant: string) =>
  [...acks.tasks.values()].some((known) => known.tenant === tenant && restsForToday(known))

/** A message whose try was lost with its process is sent again after half a minute. */
const TOLD_WITHIN_MS = 45_000

async function untilTold(stories: Story[], { receiver }: World): Promise<void> {
  const waiting = () => stories.some((story) => untold(story, receiver).length > 0)
  for (let waited = 0; waited < TOLD_WITHIN_MS && waiting(); waited += 250) await sleep(250)
}

/** How often each text stands in the workspaces. */
async function todosOf(bench: Bench): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const tenant of ALL_TENANTS) {
    const headers = { authorization: `Bearer ${apiKeyOf(tenant)}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ command: '/todo list' })
    const reply = await bench.service.send({ method: 'POST', path: '/commands', headers, body })
    const { rows, data } = CommandResult.parse(JSON.parse(reply?.text ?? 'null'))
    bench.tally.demand(
      data['more'] === undefined,
      'all todos are listed',
      () => `${tenant}: ${String(data['more'])} more`,
    )
    for (const { content } of rows) counts.set(String(content), (counts.get(String(content)) ?? 0) + 1)
  }
  return counts
}

const Written = z.object({ tool: z.literal('write_file'), input: z.string() })
const WrittenFile = z.object({ name: z.string(), content: z.string() })

/** A file that a tool has reported as written is there unchanged. */
async function checkWritten(bench: Bench, { id, known, own }: Story): Promise<void> {
  for (const { request, outcome, seq } of own) {
    const written = Written.safeParse(request)
    if (!written.success || outcome !== 'ok') continue
    const { name, content } = WrittenFile.parse(JSON.parse(written.data.input))
    const reply = await getReply(bench, known.tenant, `/tasks/${id}/files/${name}`)
    const shown = () => `row ${seq} ${name}: ${reply?.text.slice(0, 200)}`
    bench.tally.demand(reply?.text === content, 'what a tool has written is there', shown, id)
  }
}

/** A completed task with a schema has data that fits, and no other task has any. */
function checkData(tally: Tally, { id, view }: Story): void {
  const { output_schema, status, result } = view
  const data = Typed.safeParse(result?.data)
  const isDue = output_schema !== undefined && status === 'completed'
  const shown = () => `${status}: ${JSON.stringify(result)}`
  tally.demand(isDue ? data.success : (result?.data ?? null) === null, 'a typed result fits its schema', shown, id)
  if (isDue) tally.seen('typed result')
}
const Typed = z.looseObject({ row: z.int(), note: z.string().optional() })

/** Counts the *sometimes*-counters that are visible in journals. */
function countKinds(tally: Tally, { view, own, events }: Story): void {
  const kinds: Record<string, string> = {
    user_answered: 'question answered',
    user_remarked: 'remark heard',
    budget_added: 'top-up',
    plan_edited: 'plan edited',
    paused: 'paused',
    resumed: 'resumed',
    report_expired: 'report expired',
  }
  for (const { kind, outcome, attempt, started_at, finished_at } of own) {
    if (outcome === 'orphaned') tally.seen('orphaned call')
    if (outcome === 'abandoned') tally.seen('abandoned call')
    if (kind === 'run_tool' && attempt !== null && attempt > 1) tally.seen('resumed tool')
    const named = kinds[kind]
    if (named !== undefined) tally.seen(named)
    if (kind === 'file_arrived') tally.seen(`awaited file put: ${view.mode}`)
    const waited = (kind === 'user_remarked' || kind === 'budget_added') && started_at !== finished_at
    if (waited) tally.seen('queued behind a call')
  }
  if (events.some(({ type }) => type === 'budget_exhausted')) tally.seen('budget exhausted')
  if (view.stop_reason === 'budget_exhausted:tenant') tally.seen('daily total exhausted')
  if (view.status === 'canceled') tally.seen('canceled')
  if (hasEnded(view)) tally.seen(`ended: ${view.mode}`)
  if (hasEnded(view) && view.drive === 'background') tally.seen(`driven to its end: ${view.mode}`)
}

/** The account of a run after its faults: every task is driven to an end, and what is stored is held against what was said. */
import { inputAt } from '../../../src/core/replay/history.ts'
import { checkTasks, checkWhole, drive } from '../../sim/calm.ts'
import { finisherOf } from '../../sim/player.ts'
import { randomOf } from '../../sim/random.ts'
import type { Watched } from '../../sim/check-rows.ts'
import { demand } from '../../sim/violation.ts'
import { deskOfRun, strike, taskIn, type Bench } from './bench.ts'
import { mannerAt, open, type Run } from './faults.ts'
import { journalIn, type Desk } from './objects.ts'

/** `pages`: all pages and the index are read too, which takes long. */
export async function settle(run: Run, pages: boolean): Promise<void> {
  const { bench, clients, serial } = run
  const { world } = bench
  const { parked } = world.scheduler
  for (let gate = parked[0]; gate !== undefined; gate = parked[0]) {
    await open(bench, gate, mannerAt(gate, { manner: 'plain', n: serial() }), serial())
    if (clients.failure !== null) throw clients.failure.error
  }
  world.play.model = finisherOf(randomOf(1))
  for (const id of world.tasks.keys()) await drive(clients, id, () => 1_000 + serial())
  for (const id of bench.ids) await checkEnd(bench, id)
  if (pages) await checkWhole(clients, true)
  else checkTasks(clients)
  const desk = await strike(bench, deskOfRun(bench))
  if (desk === null) return
  checkTodos(run, desk)
  for (const watched of world.tasks.values()) checkActions(bench, watched, desk)
}

/** Once more through SQLite: a task is as it was last seen, a deleted one has nothing left. */
async function checkEnd(bench: Bench, id: string): Promise<void> {
  const { tasks } = bench.world
  if (!tasks.has(id)) {
    const left = await journalIn(taskIn(bench, id).stub())
    demand(left.length === 0, 'nothing resurrects', () => `${id} has ${left.length} rows`)
    return
  }
  await strike(bench, taskIn(bench, id))
  const last = tasks.get(id)?.rows.last()
  demand(last?.head.end !== null, 'every run ends', () => `${id} at row ${last?.seq}`)
}

const contentsOf = ({ todos }: Desk) =>
  // A row without fields keeps the id of one that was removed.
  todos.flatMap(({ fields }) =>
    fields === '' ? [] : [String(Reflect.get(JSON.parse(String(fields)) as object, 'content'))],
  )
const countOf = (texts: string[], text: string) => texts.filter((one) => one === text).length

/** What a client added itself: once when it was answered, at most once however often it was sent. */
function checkTodos({ todos }: Run, desk: Desk): void {
  const texts = contentsOf(desk)
  for (const [{ request, answered, last }, text] of todos) {
    const count = countOf(texts, text)
    demand(count <= 1, 'a command is done once', () => `${request.name} "${text}" is there ${count} times`)
    const told = answered && last?.ok === true
    demand(!told || count === 1, 'nothing acknowledged is lost', () => `"${text}" was answered and is not there`)
  }
}

const ADD = '/todo add '

/** What a task's tool did: exactly once when its row says so, else at most once, and under the key of a row of its own. */
function checkActions(bench: Bench, { id, rows }: Watched, desk: Desk): void {
  // Made again under its key a task has the same effect keys, which its DELETE may not have lived to remove (guarantees.md).
  if ((bench.world.lives.get(id) ?? 1) > 1) return
  const texts = contentsOf(desk)
  const acted = new Set<string>()
  for (let seq = 1; seq <= rows.records.size; seq++) {
    const row = rows.closed(seq)
    if (row?.effect?.kind !== 'run_tool') continue
    acted.add(`${id}:${seq}`)
    const before = rows.closed(seq - 1)?.head
    const text = before === undefined ? null : inputAt(before, rows.recall)
    if (row.effect.tool !== 'todo' || text?.startsWith(ADD) !== true) continue
    const count = countOf(texts, text.slice(ADD.length))
    const done = row.event.kind === 'tool_returned' && row.event.ok
    const fits = done ? count === 1 : count <= 1
    demand(fits, 'one row, one effect', () => `row ${seq} (${row.event.kind}): "${text}" is there ${count} times`)
    bench.seen(done ? 'todo by a tool' : 'lost todo')
  }
  const strange = desk.applied
    .map(({ key }) => String(key))
    .filter((key) => key.startsWith(`${id}:`) && !acted.has(key))
  demand(strange.length === 0, 'an effect has a row', () => strange.join())
}

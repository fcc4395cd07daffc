/** Advances a task until it ends. Its questions, its commands and its pauses are answered by the test. */
import type { Command } from '../../src/core/terms/delegation.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import { CALLER, say, step, taken, type Bench } from '../support/scripted.ts'
import { send, waitedFor } from '../core/orchestrator/support.ts'
import { UNSAID } from '../support/delegations.ts'

interface Outside {
  answer(question: string): string
  /** The results of a command. */
  work(command: Command, row: number): string
  /** The task is paused and resumed before each of these rounds. */
  pauses?: readonly number[]
}

/** More rounds than any task of these tests takes. */
const ROUNDS_MAX = 400

export async function drive(
  bench: Bench,
  created: TaskView,
  { answer, work, pauses = [] }: Outside,
): Promise<TaskView> {
  let task = created
  for (let round = 0; round < ROUNDS_MAX && task.status !== 'paused' && !hasEnded(task); round++) {
    if (pauses.includes(round)) await pauseAndResume(bench, task.id)
    const { pending } = task
    if (pending?.kind === 'question') task = await say(bench, task.id, answer(pending.question))
    else if (pending?.kind === 'report') task = await report(bench, task.id, work)
    else task = await step(bench, task.id)
  }
  return task
}

const hasEnded = ({ status }: TaskView): boolean =>
  status === 'completed' || status === 'failed' || status === 'canceled'

async function pauseAndResume(bench: Bench, id: string): Promise<void> {
  await bench.service.tellTask(CALLER, id, { kind: 'pause' })
  taken(await bench.service.tellTask(CALLER, id, { kind: 'resume' }))
}

async function report(bench: Bench, id: string, work: Outside['work']): Promise<TaskView> {
  const { seq, command } = await waitedFor(bench, id)
  const text = work(command, seq)
  await send(bench, id, seq, {
    report: { status: 'SUCCESS', ...UNSAID, session_id: 'worker-1', results: text, text },
  })
  return step(bench, id)
}

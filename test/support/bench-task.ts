/** The bench task (bench/task.ts) on a service whose calls of objects are counted, with a model in memory. */
import { BENCH_GOAL, replyOf, TOOL_NEEDS, type Kind } from '../../bench/task.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import type { Model, Ports, TaskStore } from '../../src/shell/ports.ts'
import type { Bounds } from '../../src/shell/caller.ts'
import { builtInTools } from '../../src/tools/index.ts'
import { counted, type Counted } from './counted.ts'
import { NO_RUNNERS, benchOf, CALLER, createTask, filesOver, taken, type Bench } from './scripted.ts'

export interface BenchTask extends Counted {
  bench: Bench
  id: string
  /** One POST /tasks/:id/step. */
  request(bounds: Bounds): Promise<TaskView>
  /** The calls of objects that were in progress when the model was asked, or when it answered. */
  open_at_model: number[]
}

/** A planned task without a step. Its calls are not counted unless the `whole` task is wanted; `store` replaces the store in memory. */
export async function benchTask(kind: Kind, store?: TaskStore, whole = false): Promise<BenchTask> {
  const memory = benchOf({}).store
  const watched = counted(store ?? memory)
  const open_at_model: number[] = []
  const ports: Partial<Ports> = {
    store: watched.store,
    model: modelOf(kind, () => open_at_model.push(watched.open())),
    tools: builtInTools(watched.store, filesOver(watched.store), NO_SEARCH, 'UTC', NO_RUNNERS),
    random_id: () => crypto.randomUUID().replaceAll('-', ''),
  }
  const bench = benchOf({}, ports)
  await bench.service.runCommand(CALLER, TOOL_NEEDS, null, 'en')
  watched.calls.length = 0
  const { id } = await createTask(bench, { max_steps: 10_000 }, undefined, { goal: BENCH_GOAL })
  if (!whole) watched.calls.length = 0
  const request = async (bounds: Bounds) => taken(await bench.service.stepTask(CALLER, id, bounds))
  return { ...watched, bench: { ...bench, store: memory }, id, open_at_model, request }
}

const NO_SEARCH = { name: 'none', search: () => Promise.reject(new Error('no network in tests')) }

function modelOf(kind: Kind, look: () => void): Model {
  return {
    async complete({ metadata: { phase, seq }, form }) {
      look()
      // Work that the shell did not wait for would run here.
      for (let turn = 0; turn < 10; turn++) await Promise.resolve()
      look()
      const usage = { input_tokens: 1_200, output_tokens: 60 }
      return { kind: 'model_replied', text: JSON.stringify(replyOf(kind, phase, seq)), usage, model: 'bench', form }
    },
  }
}

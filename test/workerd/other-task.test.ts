/** Files of one task from another one, by every way there is for tools and for code that a model has written (S1-17): over the real service and its storage. */
import { registryOf } from '../support/memory/memory-registry.ts'
import { env, exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '../../src/core/terms/settings.ts'
import { TaskView } from '../../src/core/terms/view.ts'
import { localCompute } from '../../src/compute/local.ts'
import { sandboxRunner } from '../../src/sandbox/runner.ts'
import { taskFiles } from '../../src/shell/files/files.ts'
import type { ToolContext } from '../../src/shell/tool-ports.ts'
import { r2Blobs } from '../../src/store/blobs.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import { readDataset } from '../../src/tools/read-dataset.ts'
import { runCode } from '../../src/tools/run-code/tool.ts'

const KEY = { authorization: 'Bearer dev-key' }
const SECRET = 'tangerine'
const bucket = env.FILES
if (bucket === undefined) throw new Error('no bucket is bound')

async function call(method: string, path: string, body: string): Promise<Response> {
  const response = await exports.default.fetch(new Request(`http://service${path}`, { method, body, headers: KEY }))
  expect(response.ok).toBe(true)
  return response
}
async function newTask(files: Record<string, string>): Promise<string> {
  const made = await call('POST', '/tasks', JSON.stringify({ goal: 'look', mode: 'autonomous', rounds: 0 }))
  const { id } = TaskView.parse(await made.json())
  for (const [name, content] of Object.entries(files))
    await (await call('PUT', `/tasks/${id}/files/${name}`, content)).text()
  return id
}

const store = durableStore(env.TASKS, env.WORKSPACES)
const keeping = {
  store,
  blobs: r2Blobs(bucket),
  random_id: () => crypto.randomUUID(),
  max_stored_bytes: 1e9,
  registry: registryOf(),
  clock: { now_ms: () => Date.now(), wall_ms: () => Date.now() },
}
const files = taskFiles(keeping)
const tools = {
  read_dataset: readDataset({ files, datasets: localCompute.datasets }),
  run_code: runCode({ files, javascript: sandboxRunner(), python: null }),
}

let [mine, other] = ['', '']
beforeAll(async () => {
  mine = await newTask({ 'mine.csv': 'word\nplum\n' })
  other = await newTask({ 'secret.csv': `word\n${SECRET}\n` })
})

async function asked(tool: keyof typeof tools, input: object, dataset?: string) {
  const of: ToolContext = {
    tenant: 'dev',
    task: mine,
    key: `${mine}:5`,
    now_ms: 0,
    timezone: 'UTC',
    locale: 'en',
    settings: dataset === undefined ? DEFAULT_SETTINGS : { ...DEFAULT_SETTINGS, dataset },
    timeout_ms: 30_000,
    traceparent: null,
  }
  return tools[tool].run(JSON.stringify(input), of)
}
const PRINT = 'print(data.name, data.rows())'

/** Each with the id of the other task, and as it lies in the bucket. */
const NAMES: [string, () => string][] = [
  ['its plain name', () => 'secret.csv'],
  ['the id of its task in front', () => `${other}/secret.csv`],
  ['a path out of this task', () => `../${other}/secret.csv`],
  ['a path from here', () => `./../${other}/secret.csv`],
  ['a path through a file of this one', () => `mine.csv/../../${other}/secret.csv`],
  ['a path from the root', () => `/dev/${other}/secret.csv`],
  ['backslashes', () => `..\\${other}\\secret.csv`],
  ['escapes of URLs', () => `..%2F${other}%2Fsecret.csv`],
  ['a NUL', () => `mine.csv\0/../${other}/secret.csv`],
  ['an address', () => `http://service/tasks/${other}/files/secret.csv`],
]

describe('S1-17 no tool of a task reaches a file of another one', () => {
  it('a task finds its own files, so that the other requests fail only because of their target', async () => {
    expect((await asked('read_dataset', { name: 'mine.csv' })).text).toContain('plum')
    expect((await asked('run_code', { code: PRINT, dataset: 'mine.csv' })).text).toContain('plum')
    const there = await exports.default.fetch(
      new Request(`http://service/tasks/${other}/files/secret.csv`, { headers: KEY }),
    )
    expect(await there.text()).toContain(SECRET)
  })

  it.each(NAMES)('is not possible by %s', async (_name, name) => {
    const answers = [
      await asked('read_dataset', { name: name() }),
      await asked('read_dataset', { path: name() }),
      await asked('read_dataset', {}, name()),
      await asked('run_code', { code: PRINT, dataset: name() }),
      await asked('run_code', { code: PRINT, file: name() }),
      await asked('run_code', { code: PRINT }, name()),
    ]
    for (const { ok, code, text } of answers) {
      expect([ok, ['usage_error', 'not_found', 'dataset_missing'].includes(code)], text).toEqual([false, true])
      expect(text).not.toContain(SECRET)
    }
  })

  it('is not possible by the number of the blob, nor by another task or tenant in the input', async () => {
    const { objects } = await bucket.list({ prefix: `dev/${other}/` })
    expect(objects.length).toBe(1)
    const blob = objects[0]?.key ?? ''
    for (const input of [
      { name: blob },
      { name: `${blob.slice(blob.lastIndexOf('/') + 1)}.csv` },
      { name: 'secret.csv', task: other, task_id: other, tenant: 'dev' },
    ]) {
      for (const answer of [
        await asked('read_dataset', input),
        await asked('run_code', { ...input, code: PRINT, dataset: input.name }),
      ]) {
        expect(answer.ok, answer.text).toBe(false)
        expect(answer.text).not.toContain(SECRET)
      }
    }
  })

  it('is not possible by anything that code can call', async () => {
    for (const code of [
      'print(data.rows("../secret.csv"), data.name)',
      `data.name = 'secret.csv'; ${PRINT}`,
      `data.constructor.name; print(data.values('../${other}/secret.csv'))`,
      `print(readResults('../${other}/secret.csv'), readResults())`,
      `saveResult('../${other}/secret.csv', 1); print(readResults())`,
      "print(readFile('secret.csv'))",
    ])
      expect((await asked('run_code', { code, dataset: 'mine.csv' })).text).not.toContain(SECRET)
    const left = await exports.default.fetch(
      new Request(`http://service/tasks/${other}/files/secret.csv`, { headers: KEY }),
    )
    expect(await left.text()).toBe(`word\n${SECRET}\n`)
  })
})

/** The built-in tools as the Worker has them: by their names, loaded by the first call. */
import { expect, it } from 'vitest'
import { memoryStore } from '../support/memory/memory-store.ts'
import { builtInTools } from '../../src/tools/index.ts'
import { lazyTools } from '../../src/tools/lazy-tools.ts'
import type { Tool, ToolContext } from '../../src/shell/tool-ports.ts'
import { FREE, NO_RUNNERS, UNBOUNDED } from '../support/scripted.ts'

const search = { name: 'none', search: () => Promise.resolve([]) }
const call = {} as ToolContext // the tool of the test reads nothing of it

it('each built-in tool has a runner, and no other name has one', () => {
  const store = memoryStore(() => ({ now_ms: 0, boot: 'boot', prices: FREE, daily: UNBOUNDED }))
  const files = { list: () => never(), open: () => never(), write: () => never() }
  const never = () => Promise.reject(new Error('no file is touched'))
  const all = builtInTools(store, files, search, 'UTC', NO_RUNNERS)
  expect([...lazyTools(() => Promise.resolve(all)).keys()].toSorted()).toEqual([...all.keys()].toSorted())
})

it('they are loaded once, by the first call of any of them', async () => {
  let loads = 0
  const think: Tool = { name: 'think', run: (text) => Promise.resolve({ ok: true, code: 'thought', text }) }
  const tools = lazyTools(() => {
    loads += 1
    return Promise.resolve(new Map([['think', think]]))
  })
  expect(loads).toBe(0)
  const [one, two] = await Promise.all([tools.get('think')?.run('a', call), tools.get('think')?.run('b', call)])
  expect([one?.text, two?.text, loads]).toEqual(['a', 'b', 1])
  await expect(tools.get('todo')?.run('a', call)).rejects.toThrow('no tool is called todo')
  expect(tools.get('nothing')).toBeUndefined()
})

it('a load that fails is tried again by the next call', async () => {
  const think: Tool = { name: 'think', run: (text) => Promise.resolve({ ok: true, code: 'thought', text }) }
  const loads = [Promise.reject(new Error('no chunk')), Promise.resolve(new Map([['think', think]]))]
  const tools = lazyTools(() => loads.shift() ?? Promise.reject(new Error('loaded too often')))
  await expect(tools.get('think')?.run('a', call)).rejects.toThrow('no chunk')
  expect(await tools.get('think')?.run('b', call)).toMatchObject({ text: 'b' })
})

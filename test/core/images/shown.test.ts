/** Which images a prompt shows, what its call reserves for them, and what its row keeps. */
import { describe, expect, it } from 'vitest'
import { rebuildPrompt, requestText } from '../../../src/core/engine/rebuild-prompt.ts'
import { worstCall } from '../../../src/core/engine/forecast/forecast-limits.ts'
import { modeOf } from '../../../src/core/modes/index.ts'
import { newestImages } from '../../../src/core/modes/files/shown-images.ts'
import { ImageRef, imageTokensMax } from '../../../src/core/terms/files/images.ts'
import { Settings } from '../../../src/core/terms/settings.ts'
import { utf8Bytes } from '../../../src/core/terms/text.ts'
import { sha256, toHex } from '../../../src/shell/hex.ts'
import { EQUAL, expectFold, place, recordsOf, replayOf, storedRows } from '../../support/forks.ts'
import { putImage, refsIn } from '../../support/image-bench.ts'
import { base64Of, png } from '../../support/pictures.ts'
import {
  act,
  ALL,
  benchOf,
  CALLER,
  calling,
  closed,
  createTask,
  done,
  journalOf,
  MANUAL,
  NONE,
  ONE,
  planned,
  say,
  step,
  taken,
  type Bench,
} from '../../support/scripted.ts'
import { steps } from '../dynamic/support.ts'
import { agentBench, begin as beginAgent, END, look } from '../autonomous/support.ts'
import {
  begin,
  end,
  FILE_MODES,
  fileBench,
  LINES,
  read,
  told,
  toolOf,
  use,
  withFiles,
  type FileMode,
  type Move,
} from '../file-waits/support.ts'

const NAMES = ['1.png', '2.png', '3.png', '4.png', '5.png', '6.png']
const digestOf = async (bytes: Uint8Array<ArrayBuffer>) => toHex(await sha256(bytes))
const refOf = async (name: string, bytes: Uint8Array<ArrayBuffer>) =>
  ImageRef.parse({
    name,
    media_type: 'image/png',
    width: 640,
    height: 480,
    bytes: bytes.length,
    digest: await digestOf(bytes),
  })

/** A task with images, before its first round. */
async function withImages(mode: FileMode, names: readonly string[], moves: Move[], settings: Partial<Settings> = {}) {
  const bench = fileBench(mode, ...moves)
  const { id } = await begin(bench, mode, 'Describe them', settings, NONE)
  for (const [index, name] of names.entries()) await putImage(bench, id, name, png(640, 480, index))
  return { bench, id }
}
const shown = (bench: Bench, index = -1) => refsIn(bench.requests.at(index)?.messages ?? []).map(({ name }) => name)

it('U46 of large images a request shows the newest that have room together, and one always', async () => {
  const MIB = 1024 * 1024
  const images = (...sizes: number[]) =>
    Promise.all(
      sizes.map(async (size, index) => ({ ...(await refOf(`${index}.png`, png(1, 1, index))), bytes: size * MIB })),
    )
  const sizesOf = async (...sizes: number[]) =>
    [...newestImages([await images(...sizes)])].map(({ bytes }) => bytes / MIB)
  expect(await sizesOf(1, 5, 3)).toEqual([5, 3])
  expect(await sizesOf(1, 5, 4)).toEqual([4])
  expect(await sizesOf(5)).toEqual([5])
  expect(await sizesOf(5, 2, 2, 2, 2)).toEqual([2, 2, 2, 2])
  const pair = await images(3, 3)
  // Two looks at the same image are one image, where it was seen last.
  expect([...newestImages([pair, pair.slice(0, 1)])]).toEqual(pair.toReversed())
})

describe.each(FILE_MODES)('in mode %s', (mode) => {
  it('U46 a look is one row, which keeps a reference and no bytes', async () => {
    const { bench, id } = await withImages(mode, ['1.png'], [read('1.png'), end('A cat.')])
    expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed' })
    const image = await refOf('1.png', png(640, 480, 0))
    const rows = (await journalOf(bench, id)).filter(({ kind }) => kind === 'run_tool')
    expect(rows).toMatchObject([
      {
        request: { tool: 'read_file', input: '{"name":"1.png"}' },
        reply: { ok: true, code: 'image_read', images: [image] },
      },
    ])
    expect(refsIn(bench.requests.at(-1)?.messages ?? [])).toEqual([image])
    expect(bench.requests.at(-1)?.images?.get(image.digest)).toBe(base64Of(png(640, 480, 0)))
    expect(bench.requests.at(0)?.images).toBeUndefined()
    expect(JSON.stringify(recordsOf(bench, id))).not.toContain(base64Of(png(640, 480, 0)).slice(0, 40))
    expect(JSON.stringify(await journalOf(bench, id))).not.toContain('base64')
  })

  it('U46 a request shows the four newest images, and tells how the others are seen again', async () => {
    const { bench, id } = await withImages(mode, NAMES, [...NAMES.map(read), end('Six.')])
    expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed' })
    const counts = bench.requests.map((_, index) => shown(bench, index).length)
    expect(counts.slice(-7)).toEqual([0, 1, 2, 3, 4, 4, 4])
    expect(shown(bench)).toEqual(['3.png', '4.png', '5.png', '6.png'])
    expect(told(bench).split('not shown again: read_file shows it again')).toHaveLength(3)
    expect(await replayOf(bench, id)).toEqual(EQUAL(taken(await bench.service.getTask(CALLER, id)).version))
    expectFold(bench, id)
  })

  it('U46 an image that was left out is shown again when it is read again', async () => {
    const { bench, id } = await withImages(mode, NAMES, [...NAMES.map(read), read('1.png'), end('Again.')])
    expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed' })
    expect(shown(bench)).toEqual(['4.png', '5.png', '6.png', '1.png'])
  })

  it('U46 an object without memory builds the same request from the rows', async () => {
    const { bench, id } = await withImages(mode, NAMES, [...NAMES.map(read), end('Six.')])
    await step(bench, id, { rounds: 6, max_ms: 25_000 })
    place(bench, id, recordsOf(bench, id))
    expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed' })
    expect((await journalOf(bench, id)).filter(({ request_exact }) => request_exact === false)).toEqual([])
  })

  it('U46 the reservation of a call covers its images, whatever their provider counts', async () => {
    const { bench, id } = await withImages(mode, NAMES, [...NAMES.map(read), end('Six.')])
    await step(bench, id, ALL)
    const rows = storedRows(bench, id)
    for (let seq = 2; seq <= (rows.last()?.seq ?? 0); seq++) {
      const row = rows.closed(seq)
      const head = rows.closed(seq - 1)?.head
      if (row?.effect?.kind !== 'call_model' || head === undefined) continue
      const prompt = rebuildPrompt(head, row.effect.phase, rows.recall, row.effect.wall_ms)
      const tokens = refsIn(prompt.messages).reduce((sum, image) => sum + imageTokensMax(image), 0)
      expect(row.reserved?.input_tokens).toBeGreaterThanOrEqual(utf8Bytes(requestText(prompt)) + tokens)
      const settings = Settings.parse({ ...modeOf(mode).presets })
      const { input_tokens } = worstCall({ mode, settings: { ...settings, max_tokens: null }, tools: [] })
      expect(row.reserved?.input_tokens).toBeLessThanOrEqual(input_tokens)
    }
  })

  it('U46 a call whose images have no room in the budget is not made', async () => {
    const { bench, id } = await withImages(mode, NAMES, [...NAMES.map(read), end('Six.')], { max_tokens: 60_000 })
    const task = await step(bench, id, ALL)
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:tokens' })
    // Three images of 14,167 tokens beside the text do not fit.
    expect(shown(bench).length).toBeLessThan(4)
  })

  it('U46 a file that is no image of its name is told, and shown nothing', async () => {
    const bench = fileBench(mode, use('write_file', { name: 'x.png', content: 'no image' }), read('x.png'), end('So.'))
    expect(await begin(bench, mode, 'a goal')).toMatchObject({ status: 'completed' })
    expect(told(bench)).toContain('is not shown: it is no image of the type that its name ends with')
    expect(shown(bench)).toEqual([])
  })

  it('U46 U36 a task that was made before images could be put waits for none', async () => {
    const bench = fileBench(mode, read('photo.png'), end('not there'))
    const settings = Settings.parse({ ...modeOf(mode).presets, merged_calls: true })
    const brief = { ...MANUAL, goal: 'see photo.png', mode, settings, locale: 'en' as const, timezone: 'UTC' }
    const made = await bench.service.createTask(CALLER, { ...brief, metadata: {}, made_in: 6 }, ALL)
    expect(taken(made)).toMatchObject({ status: 'completed', counters: { failed_actions: 1 } })
  })

  it('U46 U36 another image may take the place of the one that was asked for', async () => {
    const bench = fileBench(mode, read('photo.png'), read('other.png'), end('So.'))
    const { id } = await begin(bench, mode, 'see photo.png')
    await putImage(bench, id, 'other.png')
    const done = await say(bench, id, 'other.png', ALL)
    expect(done).toMatchObject({ status: 'completed', result: { text: expect.stringContaining('So.') } })
    expect(shown(bench)).toEqual(['other.png'])
    bench.spent()
  })

  it('U46 a storage that fails costs the call nothing, and the next attempt shows the image', async () => {
    const { bench, id } = await withImages(mode, ['1.png'], [read('1.png'), end('A cat.')])
    await step(bench, id, ONE)
    const { open } = bench.ports.files
    bench.ports.files.open = () => Promise.reject(new Error('the storage is away'))
    const before = taken(await bench.service.getTask(CALLER, id)).budget.tokens.used
    await step(bench, id, ONE)
    const failed = (await journalOf(bench, id)).at(-1)
    expect(failed).toMatchObject({ outcome: 'model_error', reply: { reason: 'an image could not be loaded' } })
    expect(taken(await bench.service.getTask(CALLER, id)).budget.tokens.used).toBe(before)
    bench.ports.files.open = open
    expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed' })
    expect(shown(bench)).toEqual(['1.png'])
  })
})

it('U46 a result of mode autonomous shows its images, too', async () => {
  const image = await refOf('chart-1.png', png())
  const bench = agentBench([look('first'), `It grew.${END}`])
  toolOf(bench, 'read_dataset').run = () => Promise.resolve({ ok: true, code: 'x', text: 'seen', images: [image] })
  const { id } = await beginAgent(bench)
  await putImage(bench, id, 'chart-1.png')
  expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed' })
  expect(refsIn(bench.requests.at(-1)?.messages ?? [])).toEqual([image])
  expect(bench.requests.at(-1)?.images?.size).toBe(1)
})

it('U48 in mode plan_execute an image that read_file shows is seen, the newest four of all', async () => {
  const acts = NAMES.map((name) => act(JSON.stringify({ name }), 'read_file'))
  const bench = withFiles(benchOf({ plan: [planned('A')], thought: [...acts, done('Cats.')], replan: [closed()] }))
  const { id } = await createTask(bench, { max_steps: 99 }, NONE)
  for (const [index, name] of NAMES.entries()) await putImage(bench, id, name, png(640, 480, index))
  expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed' })
  expect(bench.requests.map((_, index) => shown(bench, index).length)).toEqual([0, 0, 1, 2, 3, 4, 4, 4, 0])
  expect(shown(bench, -2)).toEqual(NAMES.slice(2))
  const { observations } = JSON.parse(bench.requests.at(-2)?.messages[1]?.content ?? '')
  expect(observations.map(({ images }: { images?: string }) => images)).toEqual([
    ...Array<string>(2).fill('not shown again: read_file shows it again'),
    ...Array<string>(4).fill('shown behind this text'),
  ])
})

it('U48 in mode autonomous read_file shows an image', async () => {
  const bench = withFiles(agentBench([calling('first', ['read_file', { name: '1.png' }]), `It is a cat.${END}`]))
  const { id } = await beginAgent(bench)
  await putImage(bench, id, '1.png')
  expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed' })
  expect(shown(bench)).toEqual(['1.png'])
})

it('U46 in mode dynamic an image is shown only while its action is shown as a whole', async () => {
  const long = Array.from({ length: 7 }, (_, n) => ({ ok: true, text: `${n}`.repeat(9_900) }))
  const acts = long.map((_, n) => use('todo', { command: `/todo add ${n}` }))
  const lines = [read('1.png'), ...acts, end('A cat.')].map((move) => LINES.dynamic(move))
  const bench = withFiles(benchOf({ plan: [steps('A')], step_decision: lines, tools: long }))
  const { id } = await begin(bench, 'dynamic', 'a goal', {}, NONE)
  await putImage(bench, id, '1.png')
  expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed' })
  const counts = bench.requests.map((_, index) => shown(bench, index).length)
  expect(counts.slice(0, 4)).toEqual([0, 0, 1, 1])
  expect(counts.at(-1)).toBe(0)
  expect(told(bench)).toContain('not shown again: read_file shows it again')
})

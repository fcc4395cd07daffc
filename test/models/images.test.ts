/** Images as input of models, over the strict stand-ins of all wires: what is sent, and what is learnt of a model that sees none. */
import { afterEach, describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../src/shell/ports.ts'
import { endpointModel, type EndpointModel } from '../../src/models/endpoint-model.ts'
import { chatWire } from '../../src/models/wires/chat/wire.ts'
import { messagesWire } from '../../src/models/wires/messages/wire.ts'
import { responsesWire } from '../../src/models/wires/responses/wire.ts'
import { workersAiWire } from '../../src/models/wires/workers-ai/wire.ts'
import { FIRST_DIALECT, type Dialect, type Endpoint } from '../../src/models/wires/wire.ts'
import { begin, end, FILE_MODES, LINES, read, withFiles, type FileMode, type Move } from '../core/file-waits/support.ts'
import { steps } from '../core/dynamic/support.ts'
import { EQUAL, expectFold, forkOf, replayOf } from '../support/forks.ts'
import { putImage, urlOf, urlsIn } from '../support/image-bench.ts'
import { gif, jpeg, png, webp } from '../support/pictures.ts'
import { ALL, benchOf, CALLER, journalOf, step, taken, type Bench } from '../support/scripted.ts'
import { startChatStandIn, type ProfileName } from '../support/stand-ins/chat.ts'
import { startMessagesStandIn } from '../support/stand-ins/messages.ts'
import { startResponses } from '../support/stand-ins/responses.ts'
import { NEWER, OLDER, SEEING, workersAiStandIn } from '../support/stand-ins/workers-ai.ts'
import { eventsOf } from './mode-scripts.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close()
})

type Replies = Record<string, (string | object)[]>
/** An endpoint of a wire with what it has seen: the bodies that it has answered, and the rules that requests have broken. */
interface World {
  model: EndpointModel
  answered(): unknown[]
  broken(): string[]
}
const modelOf = (endpoint: Pick<Endpoint, 'wire' | 'model'> & Partial<Endpoint>): EndpointModel =>
  endpointModel({ name: 'default', base_url: '', api_key: 'sk-x', binding: null, fetch: globalThis.fetch, ...endpoint })

async function overChat(name: ProfileName, script: Replies): Promise<World> {
  const server = await startChatStandIn(name, script)
  opened.push(server)
  return {
    model: modelOf({ wire: 'chat', ...server.config }),
    answered: () => server.answered.map(({ request }) => request),
    broken: () => server.broken,
  }
}
async function overResponses(sees: boolean, script: Replies): Promise<World> {
  const server = await startResponses(script, { sees })
  opened.push(server)
  return {
    model: modelOf({ wire: 'responses', base_url: server.base_url, model: 'gpt-x' }),
    answered: () => server.answered().map(({ body }) => body),
    broken: () => server.asked.flatMap(({ refused }) => (refused === null ? [] : [refused.message])),
  }
}
async function overMessages(model: string, script: Replies): Promise<World> {
  const server = await startMessagesStandIn(script)
  opened.push(server)
  return {
    model: modelOf({ wire: 'messages', base_url: server.base_url, model }),
    answered: () => server.calls.map(({ body }) => body),
    broken: () => server.refusals.map(({ rule }) => rule),
  }
}
async function overWorkersAi(model: string, script: Replies): Promise<World> {
  const binding = workersAiStandIn(script)
  return {
    model: modelOf({ wire: 'workers_ai', model, binding }),
    answered: () => binding.answered,
    broken: () => binding.broken,
  }
}

const SEEING_WORLDS: [name: string, over: (script: Replies) => Promise<World>][] = [
  ...(['openai', 'kimi', 'qwen', 'mistral'] as const).map((name): [string, (script: Replies) => Promise<World>] => [
    `chat at ${name}`,
    (script) => overChat(name, script),
  ]),
  ['responses', (script) => overResponses(true, script)],
  ['messages', (script) => overMessages('both', script)],
  ['messages where thinking is bound', (script) => overMessages('bound', script)],
  ['workers_ai', (script) => overWorkersAi(SEEING, script)],
]
const BLIND_WORLDS: [name: string, over: (script: Replies) => Promise<World>][] = [
  ...(['deepseek', 'groq', 'local'] as const).map((name): [string, (script: Replies) => Promise<World>] => [
    `chat at ${name}`,
    (script) => overChat(name, script),
  ]),
  ['responses', (script) => overResponses(false, script)],
  ['messages', (script) => overMessages('plain', script)],
  ['an older model of workers_ai', (script) => overWorkersAi(OLDER, script)],
  ['a newer model of workers_ai', (script) => overWorkersAi(NEWER, script)],
]

/** What the model does in a mode, as replies of an endpoint. */
function repliesOf(mode: FileMode, ...moves: Move[]): Replies {
  const lines = moves.map((move) => LINES[mode](move) as string | object) // no line of these is a function or an error
  return mode === 'dynamic' ? { plan: [steps('A'), steps('A')], step_decision: lines } : { turn: lines }
}
const WORDS = '(photo.png: this model sees no images)'

async function looked(mode: FileMode, over: (script: Replies) => Promise<World>, ...moves: Move[]) {
  const world = await over(repliesOf(mode, ...moves))
  const bench = withFiles(benchOf({}, { model: world.model }))
  const { id } = await begin(bench, mode, 'Describe photo.png')
  return { world, bench, id }
}
const allRows = async (bench: Bench, id: string) =>
  (await journalOf(bench, id)).filter(({ request_exact }) => request_exact === false)

describe.each(SEEING_WORLDS)('over %s', (_, over) => {
  it.each(FILE_MODES)(
    'U46 in mode %s a named image is waited for, put and shown, and a replay and a fork see the same',
    async (mode) => {
      const moves = [read('photo.png'), read('photo.png'), end('A cat.'), end('A cat again.')]
      const { world, bench, id } = await looked(mode, over, ...moves)
      const waiting = taken(await bench.service.getTask(CALLER, id))
      expect(waiting).toMatchObject({ status: 'input_required', pending: { kind: 'file', name: 'photo.png' } })
      expect(waiting.pending).toMatchObject({ content_types: ['image/png'] })
      expect(await putImage(bench, id)).toBeNull()
      const task = await step(bench, id, ALL)
      expect(task).toMatchObject({ status: 'completed', result: { text: expect.stringContaining('A cat.') } })
      const [last] = world.answered().slice(-1)
      expect(urlsIn(last)).toEqual([urlOf(png())])
      expect(JSON.stringify(last)).toContain(`photo.png: image/png, 640 × 480 pixels, ${png().length} bytes`)
      expect(world.broken().filter((rule) => /image|vision|parts/i.test(rule))).toEqual([])
      expectFold(bench, id)
      expect(await allRows(bench, id)).toEqual([])
      expect(await replayOf(bench, id)).toEqual(EQUAL(task.version))
      const at = eventsOf(bench, id).findLastIndex(({ kind }) => kind === 'tool_returned') + 1
      const fork = await forkOf(bench, id, { at })
      await step(bench, fork.id, ALL)
      expect(urlsIn(world.answered().at(-1))).toEqual([urlOf(png())])
      expect(await replayOf(bench, fork.id)).toMatchObject({ equal: true })
    },
  )
})

describe.each(BLIND_WORLDS)('over %s, whose model sees no images', (_, over) => {
  it.each(FILE_MODES)(
    'U46 in mode %s the words stand for an image, once it is refused, and it is not sent again',
    async (mode) => {
      const first = [read('photo.png'), read('photo.png'), end('Blind.')]
      const { world, bench, id } = await looked(mode, over, ...first, read('photo.png'), end('Still blind.'))
      await putImage(bench, id)
      const task = await step(bench, id, ALL)
      expect(task).toMatchObject({ status: 'completed' })
      expect(JSON.stringify(world.answered().at(-1))).toContain(WORDS)
      expect(urlsIn(world.answered().at(-1))).toEqual([])
      const refused = eventsOf(bench, id).flatMap((event) => ('refused' in event ? (event.refused ?? []) : []))
      expect(refused.filter((part) => part === 'images')).toEqual(['images'])
      expect(world.model.learned()).toMatchObject([{ refused: expect.arrayContaining(['images']) }])
      // The next task of the same model sends no image at all.
      const { length: broken } = world.broken()
      const again = withFiles(benchOf({}, { model: world.model }))
      const other = await begin(again, mode, 'a goal', {}, { rounds: 0, max_ms: 25_000 })
      await putImage(again, other.id)
      expect(await step(again, other.id, ALL)).toMatchObject({ status: 'completed' })
      expect(JSON.stringify(world.answered().at(-1))).toContain(WORDS)
      expect(world.broken()).toHaveLength(broken)
    },
  )
})

const REFERENCE = {
  name: 'photo.png',
  media_type: 'image/png' as const,
  width: 640,
  height: 480,
  bytes: 37,
  digest: 'a'.repeat(64),
}
const requestOf = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: null,
  temperature: 0,
  reasoning_effort: null,
  messages: [{ role: 'user', content: 'Look.', images: [REFERENCE] }],
  images: new Map([[REFERENCE.digest, 'iVBO']]),
  contract: null,
  tools: [],
  form: 'text',
  max_output_tokens: 100,
  metadata: { task: 'task_1', mode: 'session', phase: 'turn', seq: 2 },
  ...more,
})
const DIALECT: Dialect = { ...FIRST_DIALECT, wire: 'chat', form: 'text' }
const said = (message: string) => JSON.stringify({ error: { message, type: 'invalid_request_error', param: null } })

describe('a refusal that names images', () => {
  it.each([
    [400, 'Invalid content type. image_url is only supported by certain models.'],
    [400, 'this model does not support image input (ref: b8bd630e-4a39)'],
    [400, 'google/gemma-3-1b-it is not a multimodal model'],
    [400, 'At most 0 image(s) may be provided in one prompt.'],
    [404, 'No endpoints found that support image input'],
    [500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'],
    [400, 'Image input is not enabled for this model'],
    [400, "The model doesn't support vision"],
    [400, 'Image inputs are not supported by this model.'],
    [422, 'messages[1]: unknown variant `image_url`, expected `text` at line 1 column 99'],
    [
      400,
      "'messages.1' : for 'role:user' the following must be satisfied[('messages.1.content' : value must be a string)]",
    ],
    [400, "Error: Type mismatch of '/messages/1/content', 'array' not in 'string'"],
    [400, '此模型不支持图像输入。请尝试其他模型'],
    [400, "Invalid value: 'input_image'. Supported values are: 'input_text'."],
  ])('U46 %s %s teaches that the model sees none', (status, message) => {
    for (const wire of [chatWire, messagesWire, responsesWire, workersAiWire])
      expect(wire.next(DIALECT, { status, text: said(message) }, requestOf())).toEqual({ ...DIALECT, images: 'none' })
  })

  it.each([
    [400, 'You uploaded an unsupported image. Please make sure your image is valid.'],
    [400, 'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes'],
    [400, 'Could not process image'],
    [400, 'The model does not support image format image/gif'],
    [400, 'This model does not support images larger than 4 megapixels'],
    [413, 'Request Entity Too Large'],
  ])('U46 %s %s teaches only that these images are refused', (status, message) => {
    for (const wire of [chatWire, messagesWire, responsesWire])
      expect(wire.next(DIALECT, { status, text: said(message) }, requestOf())?.images).toBe('refused')
  })

  it.each([
    ['of another status', 503, 'image input is not supported', requestOf()],
    ['of a model that there is not', 404, 'No such model', requestOf()],
    ['that names no image', 400, 'You have no credit', requestOf()],
    ['of a request without images', 400, 'image input is not supported', requestOf({ messages: [] })],
    ['of a request whose images are gone', 400, 'image input is not supported', requestOf({ images: new Map() })],
  ])('U46 %s teaches nothing', (_, status, message, request) => {
    expect(chatWire.next(DIALECT, { status, text: said(message) }, request)).toBeNull()
  })

  it('U46 is no longer about images once none is sent', () => {
    const blind: Dialect = { ...DIALECT, images: 'none' }
    const text = said('this model does not support image input')
    expect(chatWire.next(blind, { status: 400, text }, requestOf())).toBeNull()
  })

  it('U46 of one image alone is not remembered of the model', async () => {
    const bodies: unknown[] = []
    const fetch: typeof globalThis.fetch = (_, init) => {
      const body = JSON.parse(String(init?.body)) as object
      bodies.push(body)
      const isRefused = urlsIn(body).length > 0 && bodies.length === 1
      const message = { role: 'assistant', content: 'So.' }
      const answer = isRefused
        ? { error: { message: 'Could not process image' } }
        : { choices: [{ message, finish_reason: 'stop' }] }
      return Promise.resolve(Response.json(answer, { status: isRefused ? 400 : 200 }))
    }
    const model = modelOf({ wire: 'chat', model: 'm', base_url: 'https://example.com/v1', fetch })
    const call = { timeout_ms: 5_000, traceparent: null }
    expect(await model.complete(requestOf(), call)).toMatchObject({ kind: 'model_replied', refused: ['images'] })
    expect(JSON.stringify(bodies[1])).toContain('(photo.png: the endpoint has refused the images of this request)')
    expect(model.learned()).toMatchObject([{ refused: [] }])
    await model.complete(requestOf(), call)
    expect(bodies.map((body) => urlsIn(body).length)).toEqual([1, 0, 1])
  })
})

describe('an image that is not there any more', () => {
  it.each(FILE_MODES)('U46 in mode %s becomes words, and the call goes on', async (mode) => {
    const over = (script: Replies) => overChat('openai', script)
    const { world, bench, id } = await looked(mode, over, read('photo.png'), read('photo.png'), end('Gone.'))
    await putImage(bench, id)
    await step(bench, id)
    await bench.service.deleteFile(CALLER, id, 'photo.png')
    const task = await step(bench, id, ALL)
    expect(task).toMatchObject({ status: 'completed' })
    expect(urlsIn(world.answered().at(-1))).toEqual([])
    expect(JSON.stringify(world.answered().at(-1))).toContain('(photo.png: the image is not there any more)')
    expect(await allRows(bench, id)).toEqual([])
  })

  it('U46 is one whose name another image has taken', async () => {
    const over = (script: Replies) => overChat('openai', script)
    const { world, bench, id } = await looked('session', over, read('photo.png'), read('photo.png'), end('Other.'))
    await putImage(bench, id)
    await step(bench, id)
    await putImage(bench, id, 'photo.png', png(640, 480, 7))
    await step(bench, id, ALL)
    expect(urlsIn(world.answered().at(-1))).toEqual([])
    expect(JSON.stringify(world.answered().at(-1))).toContain('the image is not there any more')
  })
})

it('U46 all types are sent as what they are, the results of one reply together', async () => {
  const files = { 'a.png': png(), 'b.jpg': jpeg(), 'c.gif': gif(), 'd.webp': webp() }
  const types = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
  for (const [, over] of SEEING_WORLDS) {
    const calls = Object.keys(files).map((name, index) => ({
      id: `call_${index + 1}`,
      name: 'read_file',
      arguments: JSON.stringify({ name }),
    }))
    const world = await over({ turn: [{ said: 'I look.', calls }, 'Four.\n[Goal reached]'] })
    const bench = withFiles(benchOf({}, { model: world.model }))
    const { id } = await begin(bench, 'session', 'Look', {}, { rounds: 0, max_ms: 25_000 })
    for (const [name, bytes] of Object.entries(files)) expect(await putImage(bench, id, name, bytes)).toBeNull()
    expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed' })
    const expected = Object.values(files).map((bytes, index) => urlOf(bytes, types[index]))
    expect(urlsIn(world.answered().at(-1))).toEqual(expected)
  }
})

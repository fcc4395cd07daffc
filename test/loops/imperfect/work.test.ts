/**
 * The work of reading a reply is bounded, whatever stands in it, and is done once while the reply is in memory (U32). The work is
 * counted: the characters that are parsed as JSON, and those that the library for repairs and the readers look at one by one.
 */
import { describe, expect, it } from 'vitest'
import { jsonReader, objectReader } from '../../../src/core/mode/reply.ts'
import { benchOf, calling, CALLER, createTask, NONE, planned, type Bench, type Line } from '../../support/scripted.ts'
import { drive } from '../drive.ts'
import { JSON_SLOTS } from './json-slots.ts'
import { modelOf, type Slot } from './judge.ts'

interface Work {
  parsed: string[]
  /** How many characters were asked for one by one. */
  reads: number
}

/** Does something with the methods replaced that the readers of JSON use. */
async function workOf(act: () => unknown): Promise<Work> {
  const work: Work = { parsed: [], reads: 0 }
  const { parse } = JSON
  const methods: Record<string, PropertyDescriptor> = Object.getOwnPropertyDescriptors(String.prototype)
  const [charAt, charCodeAt] = [methods['charAt']?.value, methods['charCodeAt']?.value]
  const reading = (method: (index: number) => unknown) =>
    function (this: string, index: number): unknown {
      work.reads += 1
      return Reflect.apply(method, this, [index])
    }
  const replace = (replaced: { parse: unknown; charAt: unknown; charCodeAt: unknown }) => {
    Object.assign(JSON, { parse: replaced.parse })
    Object.assign(String.prototype, { charAt: replaced.charAt, charCodeAt: replaced.charCodeAt })
  }
  replace({
    parse(text: string, reviver?: Parameters<typeof parse>[1]): unknown {
      work.parsed.push(text)
      return parse(text, reviver)
    },
    charAt: reading(charAt),
    charCodeAt: reading(charCodeAt),
  })
  try {
    await act()
  } finally {
    replace({ parse, charAt, charCodeAt })
  }
  return work
}
const charsOf = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0)

const again = (piece: string, chars: number) => piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars)
/** Texts that a careless reader reads again and again, at any length. */
const HOSTILE: Record<string, (chars: number) => string> = {
  'marks that may end each text': (chars) => `{"t":['a${again(",x'y", chars)},z]}`,
  'smart marks that may end each text': (chars) => `{"t":[‘a${again(',x‘y', chars)},z]}`,
  'marks in a text': (chars) => `{"t":"${again('x"y ', chars)}"}`,
  'texts that do not end': (chars) => `{"t":[${again('‘a,', chars)}]}`,
  'texts that are joined': (chars) => `{"t":${again('"a"+', chars)}"a"}`,
  'values without commas': (chars) => `{"t":[${again('1 ', chars)}]}`,
  'expressions between slashes': (chars) => `{"t":[${again('/a ', chars)}]}`,
  'names without colons': (chars) => `{${again('a b\n', chars)}}`,
  'calls in calls': (chars) => `{"t":${again('f(', chars)}}`,
  'commas too many': (chars) => `{"t":[${again('{"a":1,},', chars)}]}`,
  'entities of HTML': (chars) => `{"t":&quot;${again('x&quot;y ', chars)}&quot;}`,
  'signs of full width': (chars) => `{"t"："${again('他说"好"，"坏"：对', chars)}"}`,
  'texts that may end in full width': (chars) => `{"t"：[${again('"a"，', chars)}"b" //]}`,
  'objects side by side': (chars) => again('{"a":1}\n', chars),
  'broken objects side by side': (chars) => again('{"a":"x"y 1} ', chars),
  'objects that do not end': (chars) => again('{"a" ', chars),
  'braces in braces': (chars) => again('{"a":', chars),
  'two broken objects': (chars) => `{"t":"${again('x"y ', chars / 2)}"} {"u":"${again('x"y ', chars / 2)}"}`,
  'two objects with many parts': (chars) =>
    ['', ',"b":1'].map((more) => `{"t":[${again('{"x":1},', chars / 2 - 8)}{"x":1}]${more}}`).join('\n'),
  fences: (chars) => again('```json\n{"a":1}\n```\n', chars),
}

/** How often each character of a text may be parsed: as a whole, in a fence, as one of an object, and once mended. */
const PARSED_MAX = 8
/** How often each may be looked at. The library may look at any short text this often. */
const READS_MAX = 9
const READS_OF_SHORT = 10_000
const READERS = {
  object: objectReader({ strict_replies: false }),
  'object or list': jsonReader({ strict_replies: false }),
}

describe.each(Object.entries(READERS))('U32 the work of reading an %s', (_name, read) => {
  it.each(Object.entries(HOSTILE))('is in proportion to the length of the reply: %s', async (_what, of) => {
    for (const chars of [1_000, 16_000, 65_000, 131_000]) {
      const text = of(chars)
      const { parsed, reads } = await workOf(() => read(text))
      expect(charsOf(parsed)).toBeLessThanOrEqual(PARSED_MAX * text.length)
      expect(reads).toBeLessThanOrEqual(READS_OF_SHORT + READS_MAX * text.length)
    }
  })

  it.each(Object.entries(HOSTILE))('is to parse it as a whole where it is far too long: %s', async (_what, of) => {
    const text = of(1_048_576)
    const { parsed, reads } = await workOf(() =>
      expect(read(text)).toEqual({ ok: false, reason: expect.stringContaining('characters are too many') }),
    )
    expect(charsOf(parsed.filter((one) => one === text))).toBeLessThanOrEqual(2 * text.length)
    expect(reads).toBeLessThan(READS_OF_SHORT)
  })
})

/** The texts that are parsed while a slot is played to its end with another reply, and the task is looked at in every way, twice. */
async function parsedIn({ mode, goal, settings, replies, at }: Slot, reply: Line): Promise<string[]> {
  const bench = benchOf({ numbered_results: true }, { model: modelOf(replies.with(at, reply), []) })
  const { parsed } = await workOf(async () => {
    const created = await createTask(bench, { max_steps: 50, ...settings }, NONE, { mode, goal })
    const task = await drive(bench, created, { answer: () => 'blue', work: () => 'It was done' })
    expect(task.status).toBe('completed')
    await look(bench, task.id)
    await look(bench, task.id)
  })
  return parsed
}

async function look({ service }: Bench, id: string): Promise<void> {
  expect((await service.getTask(CALLER, id)).ok).toBe(true)
  expect((await service.listEvents(CALLER, id, { after: 0, limit: 100 })).ok).toBe(true)
  expect((await service.listJournal(CALLER, id, { after: 0, limit: 100 })).ok).toBe(true)
}

/** Longer than what the rows of a task remember of each other. */
const MARK = 'm'.repeat(9_000)
/** A text that the library mends, with what it makes of it. The member makes it another text than any other reply. */
function withComma(reply: object) {
  const mended = JSON.stringify({ ...reply, mark: MARK }).replace('"mark":', '"mark": ')
  return { written: mended.replace(/\}$/, ',}'), mended }
}
/** A text that only the library mends. */
function withComment(args: object) {
  const { mended } = withComma(args)
  return { written: mended.replace('{', '{/* so */'), mended }
}
/** A reply with signs of full width is mended without the library, and without its blanks. */
const mendedIn = (parsed: readonly string[], mended: string) =>
  [mended, mended.replace('"mark": ', '"mark":')].map((text) => parsed.filter((one) => one === text).length)

/** The rows of these tests pass through JSON. So a reply is read where it is decided, and once more when its row is first read. */
const READINGS = 2

const DONE = { status: 'done', current_step: null, next_action: null, question: null, response: 'so' }
const FEW: [Slot['mode'], Slot['settings'], number, Line[]][] = [
  [
    'plan_execute',
    { calls: 'few' },
    1,
    [{ status: 'planned', plan: ['A'] }, '', DONE, { status: 'done', plan: [], response: 'so' }],
  ],
  ['session', {}, 0, ['', 'It is done.']],
]

describe('U32 a reply is mended once for each time that it is loaded', () => {
  const JSON_REPLIES = JSON_SLOTS.map((slot): [string, Slot] => [slot.name, slot])
  it.each(JSON_REPLIES)('however often it is shown: %s', async (_name, slot) => {
    const { written, mended } = withComma(Object(slot.replies[slot.at]))
    const parsed = await parsedIn(slot, written)
    expect(mendedIn(parsed, mended).toSorted()).toEqual([0, READINGS])
  })

  it.each(FEW)('and so are the arguments of a call: %s', async (mode, settings, at, replies) => {
    const { written, mended } = withComment({ command: '/todo add milk' })
    const slot = { name: mode, mode, settings, goal: 'g', replies, at }
    const parsed = await parsedIn(slot, calling('', ['todo', written]))
    expect(mendedIn(parsed, mended)[0]).toBe(READINGS)
  })

  it('and so is a summary of orchestrator', async () => {
    const { written, mended } = withComma({ summary: 'All is noted.' })
    const slot = JSON_SLOTS.find(({ name }) => name === 'orchestrator evaluation: next')
    if (slot === undefined) throw new Error('there is no such slot')
    const parsed = await parsedIn({ ...slot, at: slot.replies.length - 1 }, `It was so: ${written}`)
    expect(mendedIn(parsed, mended).toSorted()).toEqual([0, READINGS])
  })

  it('and so is a reply that is refused', async () => {
    const hostile = HOSTILE['marks that may end each text']?.(12_000) ?? ''
    const bench = benchOf({ plan: [hostile, planned('A')] })
    const { parsed } = await workOf(async () => {
      const { id } = await createTask(bench)
      await look(bench, id)
      await look(bench, id)
    })
    // As a whole, and as the one object in it.
    expect(parsed.filter((text) => text === hostile)).toHaveLength(2 * READINGS)
  })
})

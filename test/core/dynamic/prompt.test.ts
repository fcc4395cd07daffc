/** Prompts of dynamic: one system message for a whole task, and what each phase is given; templates and examples stand in it (S3-39). */
import { describe, expect, it } from 'vitest'
import { CONTRACTS } from '../../../src/core/modes/dynamic/contract.ts'
import { wholeFrom } from '../../../src/core/modes/dynamic/prompt-history.ts'
import { withAskUser } from '../../../src/core/mode/ask-user.ts'
import { readReply } from '../../../src/core/mode/reply.ts'
import { functionsSection, toolsSection } from '../../../src/core/mode/tools-context.ts'
import type { Settings } from '../../../src/core/terms/settings.ts'
import type { ModelRequest } from '../../../src/shell/ports.ts'
import { LENIENT } from '../../support/readers.ts'
import { benchOf, context, createTask, ALL } from '../../support/scripted.ts'
import { cardsOf } from '../../support/tool-texts.ts'
import { action, complete, goOn, played, steps, told, type Round } from './support.ts'

const WAYS: [string, Partial<Settings>][] = [
  ['three calls', {}],
  ['merged calls', { merged_calls: true }],
  ['few calls', { calls: 'few' }],
]
const isMerged = ({ merged_calls, calls }: Partial<Settings>) => merged_calls === true || calls === 'few'

async function prompts(locale: 'en' | 'zh', settings: Partial<Settings>) {
  const rounds = told(
    [steps('A', 'B')],
    [[goOn({ add: ['C'] }), action()], [complete()], [complete()], [complete()]],
    isMerged(settings),
  )
  const bench = benchOf({ ...rounds, tools: [{ ok: true, text: 'added #1' }] })
  await createTask(bench, settings, ALL, {
    mode: 'dynamic',
    locale,
    goal: locale === 'zh' ? '安排周五' : 'Plan my Friday',
  })
  bench.spent()
  return bench.requests
}

const systemOf = (request: ModelRequest | undefined): string => request?.messages[0]?.content ?? ''
const TEMPLATES = /^(?:Template: |Example: |模板：|示例：)(\{.*\})$/gm

describe.each(['en', 'zh'] as const)('prompts in %s', (locale) => {
  it.each(WAYS)(
    'S3-39 with %s the system message is in the language of the goal, and always the same',
    async (_, way) => {
      const requests = await prompts(locale, way)
      const [system = ''] = requests.map(systemOf)
      expect(new Set(requests.map(systemOf))).toEqual(new Set([system]))
      const section = way.calls === 'few' ? functionsSection : toolsSection
      const tools = section(withAskUser(cardsOf('dynamic')), locale)
      expect(system.endsWith(tools)).toBe(true)
      expect(system.replace(tools, '')).toMatchSnapshot()
    },
  )

  it.each(WAYS)('S3-39 with %s each phase is given what it needs', async (_, way) => {
    const requests = await prompts(locale, way)
    const contexts = requests.slice(0, 7).map((request) => context(request))
    expect(contexts).toMatchSnapshot()
  })

  it.each(WAYS)('S3-39 with %s template and example of each phase keep its contract', async (_, way) => {
    const [request] = await prompts(locale, way)
    const sections = systemOf(request).split('## phase ').slice(1)
    expect(sections).toHaveLength(isMerged(way) ? 2 : 4)
    for (const section of sections) {
      const phase = section.slice(0, section.indexOf('\n'))
      const name = phase === 'move' && way.calls === 'few' ? 'few' : (phase as keyof typeof CONTRACTS)
      const shown = [...section.matchAll(TEMPLATES)]
      expect(shown).toHaveLength(2)
      for (const [, reply = ''] of shown) {
        const read = readReply<unknown>(CONTRACTS[name], reply, LENIENT)
        expect(read).toEqual({ ok: true, value: JSON.parse(reply) })
      }
    }
  })
})

it('S3-18 every member of a user message is explained in the system message', async () => {
  const requests = [...(await prompts('en', {})), ...(await prompts('en', { calls: 'few' }))]
  for (const request of requests)
    for (const member of Object.keys(context(request)))
      expect(systemOf(request), member).toMatch(new RegExp(`\\b${member}\\b`))
})

it('S3-23 few calls offer the tools natively in every request, with two arguments for the program', async () => {
  const requests = await prompts('en', { calls: 'few' })
  const names = [...cardsOf('dynamic').map(({ name }) => name), 'ask_user']
  expect(requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual(Array.from({ length: 5 }, () => names))
  expect(requests[1]?.tools.find(({ name }) => name === 'add_todo')?.parameters).toMatchObject({
    properties: { why: { type: 'string' }, ends_item: { type: 'boolean' }, text: { type: 'string' } },
    required: ['text'],
  })
})

it('S3-17 with few calls the functions alone say what a tool does, and one sentence says what a reply is', async () => {
  const [request] = await prompts('en', { calls: 'few' })
  const system = systemOf(request)
  for (const { name, description } of cardsOf('dynamic')) {
    expect(system).toContain(name)
    expect(system).not.toContain(description.en)
  }
  expect(system.match(/nothing else/g)).toHaveLength(1)
  expect(system).toContain('A reply is either one JSON object')
  const [exact] = await prompts('en', {})
  expect(systemOf(exact)).toContain('Reply with exactly one JSON object and nothing else')
})

/** The share of each request that is the beginning of the one before, as endpoints see them: tools, then messages. */
function prefixShares(requests: readonly ModelRequest[]): number[] {
  const texts = requests.map(({ tools, messages }) =>
    [...tools.map((tool) => JSON.stringify(tool)), ...messages.map(({ content }) => content)].join('\n'),
  )
  return texts.slice(1).map((text, index) => {
    const before = texts[index] ?? ''
    let at = 0
    while (at < text.length && text[at] === before[at]) at += 1
    return at / text.length
  })
}

it.each(WAYS)('S3-18 with %s most of a request is the beginning of the one before', async (_, way) => {
  const titles = Array.from({ length: 12 }, (_unused, index) => `Look up part ${index}`)
  const rounds = titles.flatMap((title): Round[] => [
    [goOn({}, `${title} is not known yet`), action(`what is ${title}`, 'internet_search')],
    [complete(`${title} is a thing with a name and a date`)],
  ])
  const script = told([steps(...titles)], rounds, isMerged(way))
  const tools = titles.map((title) => ({ ok: true, text: `${title}: ${'a page about it. '.repeat(20)}` }))
  const { bench, task } = await played({ ...script, tools }, way)
  expect(task.status).toBe('completed')
  const shares = prefixShares(bench.requests)
  expect(shares.length).toBeGreaterThan(12)
  expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThan(0.7)
})

describe('what is shown as a whole', () => {
  it('O0-14 entries that fit together are all shown', () => {
    expect(wholeFrom([10, 20, 30], 60)).toBe(0)
  })

  it('O0-14 when they do not fit, the oldest become short until there is room for some time', () => {
    expect(wholeFrom([30, 30, 30, 10, 10], 90)).toBe(2)
    expect(wholeFrom([30, 30, 30, 10, 10, 10], 90)).toBe(2)
  })

  it('O0-14 the newest entry is shown, however long it is', () => {
    expect(wholeFrom([10, 500], 90)).toBe(1)
  })
})

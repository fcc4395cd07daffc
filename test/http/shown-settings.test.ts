/** Which settings an answer shows, and the dry run under its own path and its old name (U56). */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { modeOf } from '../../src/core/modes/index.ts'
import { MODE_NAMES } from '../../src/core/terms/mode-names.ts'
import { ok } from '../../src/core/terms/refusal.ts'
import { DEFAULT_SETTINGS, MODE_SETTINGS } from '../../src/core/terms/settings.ts'
import { DRY_RUN_EXAMPLE, TASK_EXAMPLE, TASK_PAGE_EXAMPLE } from '../../src/http/document/examples.ts'
import text from '../../openapi.yaml?raw'
import { fixture, ID, problemOf } from '../support/http-fixture.ts'

const Shown = z.object({ settings: z.record(z.string(), z.unknown()) })
const settingsIn = async (response: Response) => Shown.parse(await response.json()).settings
const ALL = Object.keys(DEFAULT_SETTINGS).toSorted()
const names = (settings: object) => Object.keys(settings).toSorted()

/** Every route whose answer is a task. */
const ROUTES: [string, string, object | null][] = [
  ['POST', '/tasks', { goal: 'x' }],
  ['POST', '/tasks/dry-run', { goal: 'x' }],
  ['GET', `/tasks/${ID}`, null],
  ['POST', `/tasks/${ID}/step`, {}],
  ['POST', `/tasks/${ID}/input`, { input: 'x' }],
  ['POST', `/tasks/${ID}/budget`, { add: { steps: 1 } }],
  ['PATCH', `/tasks/${ID}/plan`, { items: [] }],
  ['POST', `/tasks/${ID}/pause`, {}],
  ['POST', `/tasks/${ID}/resume`, {}],
  ['POST', `/tasks/${ID}/cancel`, {}],
  ['POST', `/tasks/${ID}/fork`, { at: 1 }],
]

/** A service whose tasks are of that mode, with all settings, as they are stored. */
function serviceOf(mode: (typeof MODE_NAMES)[number]) {
  const task = { ...TASK_EXAMPLE, mode, settings: DEFAULT_SETTINGS }
  const answer = async () => ok({ task, link_epoch: 0 })
  const entries = TASK_PAGE_EXAMPLE.data.map((entry) => ({ ...entry, mode, settings: DEFAULT_SETTINGS }))
  return fixture({
    sleep: () => new Promise<void>(() => {}),
    answers: {
      createTask: answer,
      getTask: answer,
      stepTask: answer,
      inputTask: answer,
      tellTask: answer,
      editPlan: answer,
      forkTask: answer,
      dryRun: async () => ok({ planned: { ...DRY_RUN_EXAMPLE, mode, settings: DEFAULT_SETTINGS } }),
      listTasks: async () => ok({ ...TASK_PAGE_EXAMPLE, data: entries }),
    },
  })
}

describe('the settings of an answer', () => {
  it.each(MODE_NAMES)('U56 of a task in mode %s are those that the mode heeds', async (mode) => {
    const own: readonly string[] = modeOf(mode).own_settings
    const foreign: readonly string[] = MODE_SETTINGS.filter((name) => !own.includes(name))
    const settings = await settingsIn(await serviceOf(mode).send('GET', `/tasks/${ID}`))
    expect(names(settings)).toEqual(ALL.filter((name) => !foreign.includes(name)))
    expect(foreign).toHaveLength(MODE_SETTINGS.length - own.length)
  })

  it('U56 each setting that only some modes heed is published by one of them, and not by all', () => {
    for (const name of MODE_SETTINGS) {
      const modes = MODE_NAMES.filter((mode) => modeOf(mode).own_settings.includes(name))
      expect(modes.length, name).toBeGreaterThan(0)
      expect(modes.length, name).toBeLessThan(MODE_NAMES.length)
    }
  })

  it.each(ROUTES)('U56 %s %s shows all of them under ?include=settings', async (method, path, body) => {
    const { send } = serviceOf('session')
    const json = body === null ? null : JSON.stringify(body)
    const headers = { 'content-type': 'application/json', 'if-match': '*' }
    expect(names(await settingsIn(await send(method, path, json, headers)))).not.toContain('max_adjustments')
    expect(names(await settingsIn(await send(method, `${path}?include=settings`, json, headers)))).toEqual(ALL)
  })

  it('U56 a list and the end of a stream show them in the same way', async () => {
    const { send } = serviceOf('session')
    const Page = z.object({ data: z.array(Shown) })
    const listed = async (query: string) =>
      Page.parse(await (await send('GET', `/tasks${query}`)).json()).data.map(({ settings }) => names(settings).length)
    expect(await listed('?include=settings')).toEqual([ALL.length])
    expect((await listed(''))[0]).toBeLessThan(ALL.length)
    const headers = { accept: 'text/event-stream', 'content-type': 'application/json' }
    const stream = async (query: string) => (await send('POST', `/tasks/${ID}/step${query}`, '{}', headers)).text()
    expect(await stream('?include=settings')).toContain('"max_adjustments"')
    expect(await stream('')).not.toContain('"max_adjustments"')
  })

  it('U56 anything else to include is refused by name', async () => {
    const response = await serviceOf('session').send('GET', `/tasks/${ID}?include=plan`)
    expect(response.status).toBe(422)
    expect((await problemOf(response)).detail).toContain('include')
  })
})

describe('the dry run', () => {
  it('U56 answers under its own path as under its old name, and makes no task', async () => {
    const { post, asked } = fixture()
    const [own, old] = [await post('/tasks/dry-run', { goal: 'x' }), await post('/tasks?dry_run=true', { goal: 'x' })]
    expect([own.status, old.status]).toEqual([200, 200])
    expect(await own.json()).toEqual(await old.json())
    const calls = asked.filter(({ method }) => method !== 'unknownSecrets')
    expect(calls.map(({ method }) => method)).toEqual(['dryRun', 'dryRun'])
    expect(calls[0]?.args[1]).toEqual(calls[1]?.args[1])
  })

  it('U56 takes no dry_run, and refuses what a create refuses', async () => {
    const { post, asked } = fixture()
    expect((await post('/tasks/dry-run?dry_run=true', { goal: 'x' })).status).toBe(422)
    expect((await post('/tasks/dry-run', { goal: '' })).status).toBe(422)
    expect(asked).toEqual([])
  })
})

const Content = z.object({ content: z.record(z.string(), z.unknown()).default({}) })
const Operation = z.object({ responses: z.record(z.string(), z.unknown()) })
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ responses: z.record(z.string(), Content), schemas: z.record(z.string(), z.unknown()) }),
})
const document = Document.parse(parse(text))
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { responses }]) => [`${method} ${path}`, responses] as const),
)

describe('openapi.yaml for generators', () => {
  it('U56 an answer that is JSON is nothing else, and a problem is a problem document', () => {
    const answers = operations.flatMap(([, responses]) => Object.values(responses))
    const all = [...answers, ...Object.values(document.components.responses)].map((one) => Content.parse(one).content)
    const isJson = (types: string[]) => types.some((type) => type.endsWith('json'))
    const json = all.map(Object.keys).filter(isJson)
    expect(json.length).toBeGreaterThan(40)
    expect(json.filter(({ length }) => length !== 1)).toEqual([])
  })

  it('U56 POST /tasks has one answer, which is the task', () => {
    const responses = document.paths['/tasks']?.['post']?.responses ?? {}
    expect(Object.keys(responses).filter((status) => status.startsWith('2'))).toEqual(['201'])
  })

  it('U56 no member of a named schema has a default, by which a generator would have callers send it', () => {
    expect(JSON.stringify(document.components.schemas)).not.toMatch(/"default":(?:[^{]|\{\})/)
  })
})

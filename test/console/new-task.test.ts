/** What a new task is made from: the document's settings, what was entered, the files. */
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Settings } from '../../src/core/terms/settings.ts'
import { isFileName } from '../../src/core/terms/files/files.ts'
import { CreateTask, SettingsInput } from '../../src/http/shapes/task-requests.ts'
import { SETTING_TEXTS } from '../../src/http/document/setting-texts.ts'
import { taskBodyOf, EMPTY_TASK, isChanged, goalLength } from '../../src/console/views/new/task-draft.ts'
import { fileNamesFor } from '../../src/console/api/file-names.ts'
import { serviceErrorAt } from '../../src/console/parts/problem/field-errors.ts'
import { uploadFiles, newUpload } from '../../src/console/api/upload-files.ts'
import { groupSettings, specsOf, type SettingSpec } from '../../src/console/views/new/setting-specs.ts'

/** As scripts/openapi.mjs puts the document together. */
const { properties = {} } = z.toJSONSchema(SettingsInput, { io: 'input' })
const described = Object.entries(properties).map(([name, schema]) => [
  name,
  { ...(typeof schema === 'object' ? schema : {}), description: SETTING_TEXTS.get(name) },
])
const document = { components: { schemas: { SettingsInput: { properties: Object.fromEntries(described) } } } }
const SPECS = specsOf(document)
const written = (change: Partial<typeof EMPTY_TASK>) => ({ ...EMPTY_TASK, goal: 'Buy milk', ...change })
const problem = { code: 'validation_failed', status: 422, title: '', detail: '', retry_after_s: null }

describe('the settings of the form', () => {
  it('are all settings of the service, each with its help', () => {
    expect(SPECS.map(({ name }) => name)).toEqual(Object.keys(Settings.shape))
    for (const { description } of SPECS)
      expect(description).toMatch(/^.{15,}; default .+, unless configured otherwise$/)
  })

  it.each([
    ['max_steps', { kind: 'integer', min: 1, max: 10_000, nullable: false }],
    ['max_cost_usd', { kind: 'text', nullable: true }],
    ['max_seconds', { kind: 'integer', min: 1, nullable: true }],
    ['temperature', { kind: 'number', min: 0, max: 2 }],
    ['approve', { kind: 'choice', choices: ['none', 'plan', 'actions'] }],
    ['continue_grants', { kind: 'boolean' }],
    ['models', { kind: 'json', nullable: false }],
    ['plan_templates', { kind: 'json' }],
    ['command_budget', { kind: 'json', nullable: true }],
  ])('%s is %o', (name, spec) => {
    expect(SPECS.find((one) => one.name === name)).toMatchObject(spec)
  })

  it('are empty for a document that is not the contract', () => {
    expect([specsOf(null), specsOf('x'), specsOf({ components: [] })]).toEqual([[], [], []])
  })

  it('are in the order of the mode: its budget first, its own settings next, those of other modes last', () => {
    const names = (mode: 'session' | 'plan_execute') =>
      Object.fromEntries(
        Object.entries(groupSettings(SPECS, mode)).map(([group, all]) => [
          group,
          all.map((one: SettingSpec) => one.name),
        ]),
      )
    expect(names('plan_execute')).toMatchObject({
      budget: ['max_steps', 'max_tokens', 'max_cost_usd', 'max_seconds'],
      mode: [],
    })
    const { budget, mode, general, others } = names('session')
    expect(budget).toEqual(['max_iterations', 'max_tokens', 'max_cost_usd', 'max_seconds'])
    expect(mode).toContain('transcript_token_limit')
    expect(general).toContain('max_steps')
    expect(others).toContain('dataset')
    expect([budget, mode, general, others].flat()).toHaveLength(SPECS.length)
  })
})

describe('the body of a new task', () => {
  it('has only the settings that were changed, as values of their types', () => {
    const settings = {
      max_steps: '5',
      max_tokens: null,
      max_cost_usd: '0.50',
      temperature: ' ',
      continue_grants: 'false',
      approve: 'plan',
      models: '{"plan":"m"}',
    }
    const { body, errors } = taskBodyOf(written({ settings }), SPECS, [], false)
    expect(errors).toEqual({})
    expect(body).toEqual({
      goal: 'Buy milk',
      mode: 'plan_execute',
      drive: 'manual',
      rounds: 1,
      settings: {
        max_steps: 5,
        max_tokens: null,
        max_cost_usd: '0.50',
        continue_grants: false,
        approve: 'plan',
        models: { plan: 'm' },
      },
    })
    expect(CreateTask.safeParse(body).success).toBe(true)
    expect(SPECS.filter((spec) => isChanged(written({ settings }), spec))).toHaveLength(6)
  })

  it('is not made while settings are entered and the service has not listed its settings yet', () => {
    const draft = written({ settings: { max_cost_usd: '0.50' } })
    expect(taskBodyOf(draft, [], [], false).errors).toEqual({ '/settings': 'unread' })
    expect(taskBodyOf(written({ settings: { max_tokens: null } }), [], [], false).errors).toEqual({
      '/settings': 'unread',
    })
    expect(taskBodyOf(written({ settings: { max_steps: ' ' } }), [], [], false).errors).toEqual({})
  })

  it('names each field whose text is neither a number nor JSON', () => {
    const draft = written({ rounds: 'two', tools: '[', settings: { max_steps: 'many', models: '{', dataset: 'x' } })
    expect(taskBodyOf(draft, SPECS, [], false).errors).toEqual({
      '/rounds': 'number',
      '/tools': 'json',
      '/settings/max_steps': 'number',
      '/settings/models': 'json',
    })
  })

  it('has the labels with a name, and leaves out empty ones', () => {
    const labels = [
      { key: 'team', value: 'red' },
      { key: '', value: '' },
    ]
    const draft = written({ metadata: labels, locale: 'zh', timezone: ' Asia/Shanghai ', callback_url: '', rounds: '' })
    expect(taskBodyOf(draft, SPECS, [], false).body).toEqual({
      goal: 'Buy milk',
      mode: 'plan_execute',
      drive: 'manual',
      locale: 'zh',
      timezone: 'Asia/Shanghai',
      metadata: { team: 'red' },
    })
  })

  it('is refused when two labels have one name, because one of them would be lost', () => {
    const metadata = ['red', 'blue'].map((value) => ({ key: 'team', value }))
    expect(taskBodyOf(written({ metadata }), SPECS, [], false).errors).toEqual({ '/metadata': 'twice' })
  })

  it('delays the first round until its files are uploaded, and asks for manual drive', () => {
    const draft = written({ mode: 'autonomous', rounds: '9' })
    const made = { drive: 'manual', rounds: 0 }
    expect(taskBodyOf(draft, SPECS, ['a.csv'], true).body).toMatchObject({ ...made, settings: { dataset: 'a.csv' } })
    for (const name of ['photo.png', 'a.JPEG', 'a.md'])
      expect(taskBodyOf(draft, SPECS, [name], true).body).not.toMatchObject({ settings: { dataset: name } })
    expect(taskBodyOf(draft, SPECS, ['a.csv'], false).body).not.toHaveProperty('settings')
    expect(taskBodyOf(draft, SPECS, ['a.csv', 'b.csv'], true).body).not.toHaveProperty('settings')
    expect(taskBodyOf(written({ rounds: '9' }), SPECS, ['a.csv'], true).body).not.toHaveProperty('settings')
    const named = { ...draft, settings: { dataset: 'mine.csv' } }
    expect(taskBodyOf(named, SPECS, ['a.csv'], true).body).toMatchObject({ settings: { dataset: 'mine.csv' } })
    expect(taskBodyOf(written({ drive: 'background', rounds: '9' }), SPECS, [], false).body).not.toHaveProperty(
      'rounds',
    )
  })

  it('counts the length of a goal as the service does', () => {
    expect(goalLength(' 𠮷野家\n')).toBe(3)
  })

  it('is refused at the field that the service names, or at the field around it', () => {
    const errors = [
      { pointer: '/settings/max_steps', message: 'must be at least 1' },
      { pointer: '/tools/0/url', message: 'must be https' },
    ]
    const refused = { ...problem, errors }
    expect(serviceErrorAt(refused, '/settings/max_steps')).toBe('must be at least 1')
    expect(serviceErrorAt(refused, '/tools')).toBe('0/url must be https')
    expect(serviceErrorAt(refused, '/settings/max_step')).toBeNull()
    expect(serviceErrorAt(null, '/goal')).toBeNull()
  })
})

describe('the names of files', () => {
  it.each([
    [['sales.csv'], ['sales.csv']],
    [['x.数据'], ['x']],
    [['Umsätze März 2026.csv'], ['Umsatze-Marz-2026.csv']],
    [
      ['销售.csv', '数据.csv', 'file.csv'],
      ['file.csv', 'file-2.csv', 'file-3.csv'],
    ],
    [
      ['a b.csv', 'a-b.csv', 'a b.tsv'],
      ['a-b.csv', 'a-b-2.csv', 'a-b.tsv'],
    ],
    [
      ['..', '.', '.env', 'noend'],
      ['file', 'file-2', 'env', 'noend'],
    ],
    [
      [`${'x'.repeat(200)}.csv`, `${'x'.repeat(201)}.csv`],
      [`${'x'.repeat(124)}.csv`, `${'x'.repeat(122)}-2.csv`],
    ],
  ])('%o are uploaded as %o', (names, fitting) => {
    expect(fileNamesFor(names)).toEqual(fitting)
    for (const name of fitting) expect(isFileName(name)).toBe(true)
  })
})

it('files are uploaded one after the other, and a second try uploads only the refused ones', async () => {
  const chosen = ['a.csv', 'b.csv', 'c.csv'].map((name) => newUpload({ name, file: new File(['x'], name) }))
  const paths: string[] = []
  let [under, refuses] = [0, true]
  const client = {
    async sendFile<T>({ path }: { path: string }, sent: (share: number) => void) {
      under += 1
      expect(under).toBe(1)
      paths.push(path)
      sent(0.5)
      await Promise.resolve()
      under -= 1
      const refused = { ok: false as const, problem: { ...problem, errors: [] } }
      // Nobody reads the value of a file that was put.
      return path.endsWith('b.csv') && refuses
        ? refused
        : { ok: true as const, status: 201, value: null as T, headers: new Headers() }
    },
  }
  const told: string[] = []
  const shares = new Set<number>()
  const first = await uploadFiles(client, 'task_1', chosen, (all) => {
    const states = all.map(({ state }) => state[0]).join('')
    if (told.at(-1) !== states) told.push(states)
    for (const { share } of all) shares.add(share)
  })
  expect(told).toEqual(['sww', 'tww', 'tsw', 'trw', 'trs', 'trt'])
  expect([...shares]).toEqual([0, 0.5])
  expect(first[1]).toMatchObject({ state: 'refused', problem: { code: 'validation_failed' } })
  refuses = false
  paths.length = 0
  const second = await uploadFiles(client, 'task_1', first, () => undefined)
  expect(paths).toEqual(['/tasks/task_1/files/b.csv'])
  expect(second.map(({ state, problem: error }) => [state, error])).toEqual([
    ['there', null],
    ['there', null],
    ['there', null],
  ])
})

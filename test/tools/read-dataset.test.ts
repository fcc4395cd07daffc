/** Tool read_dataset: which dataset it reads, and what it says in how much room. */
import { describe, expect, it } from 'vitest'
import { Settings } from '../../src/core/terms/settings.ts'
import type { Locale } from '../../src/core/terms/locale.ts'
import type { Files } from '../../src/shell/ports.ts'
import type { ToolContext } from '../../src/shell/tool-ports.ts'
import { readDataset } from '../../src/tools/read-dataset.ts'
import { localCompute } from '../../src/compute/local.ts'
import { filesOf, type Content } from '../support/datasets.ts'

const SALES = 'date,amount,region\n2024-03-01,1.5,North\n2024-03-02,2.25,South\n2024-03-03,,North\n'

interface Asked {
  dataset?: string
  room?: number
  tokens?: number
  locale?: Locale
}
async function run(
  files: Record<string, Content> | Files,
  input: unknown,
  { dataset, room, tokens, locale = 'en' }: Asked = {},
) {
  const settings = {
    ...Settings.parse({
      ...(room === undefined ? {} : { observation_char_limit: room }),
      ...(tokens === undefined ? {} : { transcript_token_limit: tokens }),
    }),
    ...(dataset === undefined ? {} : { dataset }),
  }
  const call: ToolContext = {
    tenant: 'acme',
    task: 'task_1',
    key: 'task_1:3',
    now_ms: 0,
    timezone: 'UTC',
    locale,
    settings,
    timeout_ms: 1_000,
    traceparent: null,
  }
  const port =
    'list' in files && typeof files.list === 'function' ? (files as Files) : filesOf(files as Record<string, Content>)
  const { ok, code, text } = await readDataset({ files: port, datasets: localCompute.datasets }).run(
    typeof input === 'string' ? input : JSON.stringify(input),
    call,
  )
  const told: { error?: string; name?: string } & Record<string, unknown> = JSON.parse(text)
  return { ok, code, text, told }
}

describe('the answer of read_dataset', () => {
  it('O1-07, O1-08 is the structure of the table with totals and a preview, as JSON', async () => {
    const { ok, code, told } = await run({ 'sales.csv': SALES }, {})
    expect([ok, code]).toEqual([true, 'dataset_read'])
    expect(told).toEqual({
      tool: 'read_dataset',
      status: 'success',
      name: 'sales.csv',
      sheet: null,
      sheets: [],
      rows: 3,
      columns: 3,
      size_mb: 0.00008,
      missing_cells: 1,
      missing_percent: 11.111111,
      schema: [
        { name: 'date', dtype: 'date', non_null: 3, null: 0, unique: 3, min: '2024-03-01', max: '2024-03-03' },
        { name: 'amount', dtype: 'number', non_null: 2, null: 1, unique: 2, min: 1.5, max: 2.25, mean: 1.875 },
        { name: 'region', dtype: 'text', non_null: 3, null: 0, unique: 2, samples: ['North', 'South'] },
      ],
      preview: [
        { date: '2024-03-01', amount: 1.5, region: 'North' },
        { date: '2024-03-02', amount: 2.25, region: 'South' },
        { date: '2024-03-03', amount: null, region: 'North' },
      ],
      notes: [],
    })
  })

  it('has notes on how the file was read, in the language of the task', async () => {
    const file = { 'a.csv': 'a;a\n1,5;x\n2;y;z\n' }
    expect((await run(file, {})).told.notes).toEqual([
      'Cells are separated by ";".',
      'Column names that were empty, not distinct or too long, and were changed: 1.',
      'Rows with more cells than the header, what is beyond it left out: 1.',
      '"a": commas are decimal points',
    ])
    expect((await run(file, {}, { locale: 'zh' })).told.notes).toContain('"a": 逗号为小数点')
  })

  it('names a column unchanged, whatever its name is', async () => {
    const { told } = await run({ 'a.csv': '__proto__,constructor\n1,2\n' }, {})
    expect(JSON.stringify(told.preview)).toBe('[{"__proto__":1,"constructor":2}]')
  })
})

describe('the length of the answer', () => {
  const wide = (columns: number, rows: number) => {
    const names = Array.from({ length: columns }, (_, at) => `column number ${at}`).join(',')
    return `${names}\n${`${Array.from({ length: columns }, (_, at) => at * 1.5).join(',')}\n`.repeat(rows)}`
  }
  it.each([
    [500, 5, 10_000],
    [500, 5, 100_000],
    [30, 20, 5_000],
    [3, 20, 1_000],
    [16_000, 2, 2_000],
    [1, 1, 250],
  ])(
    '%i columns and %i rows fit into %i characters completely, and parts that do not fit are counted',
    async (columns, rows, room) => {
      const { text, told } = await run({ 'a.csv': wide(columns, rows) }, { preview_rows: 20 }, { room })
      expect(text.length).toBeLessThanOrEqual(room)
      const {
        schema,
        preview,
        columns_omitted = 0,
        preview_omitted = 0,
      } = told as { schema: unknown[]; preview: unknown[]; columns_omitted?: number; preview_omitted?: number }
      expect(told).toMatchObject({ status: 'success', columns, rows })
      expect(schema.length + columns_omitted).toBe(columns)
      expect(preview.length + preview_omitted).toBe(rows)
      // Rows go first.
      expect(columns_omitted > 0 ? preview.length : 0).toBe(0)
    },
  )

  it('the answer shows as much as fits', async () => {
    // A short conversation shows less of it than an observation may have.
    const short = await run({ 'a.csv': wide(500, 5) }, {}, { tokens: 1_000 })
    expect(short.text.length).toBeLessThanOrEqual(2_000)
    const { text, told } = await run({ 'a.csv': wide(500, 5) }, {}, { room: 10_000 })
    expect(text.length).toBeGreaterThan(9_800)
    expect(told).toMatchObject({ preview: [], preview_omitted: 5 })
    const few = await run({ 'a.csv': wide(20, 5) }, {}, { room: 3_500 })
    expect(few.told).toMatchObject({ preview_omitted: expect.any(Number) })
    expect(few.told).not.toHaveProperty('columns_omitted')
  })

  it('cells and samples are cut to a readable length', async () => {
    const { text, told } = await run({ 'a.csv': `a\n${'😀'.repeat(1_000_000)}\n` }, {})
    expect(text.length).toBeLessThan(1_000)
    expect(text.isWellFormed()).toBe(true)
    expect(told.preview).toEqual([{ a: `${'😀'.repeat(48)}...` }])
  })
})

describe('the dataset that is read', () => {
  const two = { 'a.csv': 'a\n1\n', 'b.csv': 'b\n1\n', 'notes.md': '#' }
  it.each<[string, Record<string, Content>, unknown, string | undefined, string]>([
    ['the one that is named', two, { name: 'b.csv' }, undefined, 'b.csv'],
    ['one named by a path', two, '{"path":"./b.csv"}', undefined, 'b.csv'],
    ['one named by its plain name', two, 'b.csv', undefined, 'b.csv'],
    ['the one of the settings', two, {}, 'a.csv', 'a.csv'],
    ['the one that is named before the one of the settings', two, { name: 'b.csv' }, 'a.csv', 'b.csv'],
    ['the only one', { 'x.md': '', 'b.csv': 'b\n1\n' }, '', undefined, 'b.csv'],
    [
      'the only one but for results',
      { 'b.csv': 'b\n1\n', 'result.json': '{"a":1}' },
      { name: null },
      undefined,
      'b.csv',
    ],
    ['results that are named', { 'result.json': '{"a":1}' }, { name: 'result.json' }, undefined, 'result.json'],
  ])('%s', async (_, files, input, dataset, name) => {
    expect((await run(files, input, { dataset })).told).toMatchObject({ status: 'success', name })
  })

  it.each<[string, Record<string, Content>, unknown, string, string]>([
    [
      'no dataset',
      { 'a.md': '' },
      {},
      'dataset_missing',
      'This task has no dataset. Ask for one to be uploaded (.csv, .tsv, .json, .xlsx, .xls): curl -T sales.csv …/tasks/task_1/files/sales.csv',
    ],
    ['nothing but results', { 'result.json': '{"a":1}' }, {}, 'dataset_missing', 'This task has no dataset.'],
    ['several', two, {}, 'dataset_unnamed', 'Say which dataset by its name: "a.csv", "b.csv".'],
    ['none of that name', two, { name: 'c.csv' }, 'not_found', 'There is no file "c.csv". Datasets: "a.csv", "b.csv".'],
    [
      'none of that name, and no other',
      {},
      { name: 'c.csv' },
      'dataset_missing',
      'There is no file "c.csv", and no other dataset. Ask for it to be uploaded: curl -T c.csv …/tasks/task_1/files/c.csv',
    ],
    [
      'a file of another kind',
      two,
      { name: 'notes.md' },
      'usage_error',
      '"notes.md" is no dataset: those are .csv, .tsv, .json, .xlsx and .xls files.',
    ],
    ['a name that is none', two, { name: '../b.csv' }, 'usage_error', 'Usage: read_dataset takes'],
    [
      'rows that are no number',
      two,
      { name: 'b.csv', preview_rows: 'many' },
      'usage_error',
      'Usage: read_dataset takes',
    ],
    ['a sheet that is no name', two, { name: 'b.csv', sheet_name: {} }, 'usage_error', 'Usage: read_dataset takes'],
    ['a file that is no table', { 'a.csv': '' }, {}, 'unreadable', 'a.csv: The file is empty. Upload it again.'],
  ])('with %s the answer says what to do', async (_, files, input, code, error) => {
    const { ok, told, ...result } = await run(files, input)
    expect([ok, result.code]).toEqual([false, code])
    expect(told).toEqual({ tool: 'read_dataset', status: 'error', error: told.error })
    expect(told.error).toContain(error)
    const chinese = await run(files, input, { locale: 'zh' })
    expect([chinese.code, chinese.told.error]).toEqual([code, expect.stringMatching(/[一-龥]/)])
  })

  it('the preview has as many rows as requested, at most 20, for any form of the number', async () => {
    const files = { 'a.csv': `n\n${'1\n'.repeat(50)}` }
    const shown = async (preview_rows: unknown) => (await run(files, { preview_rows })).told.preview
    for (const [asked, count] of [
      [undefined, 5],
      [null, 5],
      [0, 0],
      ['7', 7],
      [3.9, 3],
      [1_000, 20],
      [-1, 0],
    ]) {
      expect(await shown(asked)).toHaveLength(count as number)
    }
  })

  it('a deleted task gives no result', async () => {
    const gone: Files = {
      ...filesOf({}),
      list: () => Promise.resolve({ ok: false, refusal: { code: 'task_not_found' } }),
    }
    await expect(run(gone, {})).rejects.toThrow('task_not_found')
  })
})

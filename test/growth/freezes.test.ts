/** Texts that once kept every tenant waiting for seconds, each with the reader that it was made for. */
import { describe, expect, it } from 'vitest'
import { readFencedJson } from '../../src/core/mode/reply.ts'
import { readTags } from '../../src/core/mode/tags.ts'
import { appliedSchema } from '../../src/core/terms/schema/tool-parameters.ts'
import { countValues } from '../../src/datasets/formats/workbook/biff.ts'
import type { DatasetError } from '../../src/datasets/table.ts'
import { readSheetRows } from '../../src/datasets/formats/workbook/sheets.ts'
import { datasetErrorText } from '../../src/datasets/texts.ts'
import type { WorkbookBounds } from '../../src/datasets/formats/workbook/bounds.ts'
import { parseBody } from '../../src/http/gate/body.ts'
import { intentsOf } from '../../src/models/offline/goal/goal.ts'
import { fits } from '../../src/store/fits.ts'
import { readCodeInput } from '../../src/tools/run-code/input.ts'
import { boundOf, cpuWithin } from './measure.ts'
import { PLACES, workbookOf } from './workbook.ts'

const BOUND_MS = boundOf(100)
const FORM = 'application/x-www-form-urlencoded'
const NOW = { date: '2026-11-23', time: '09:00' }
const choice = (count: number) => ({
  type: 'object',
  properties: {
    list: { type: 'array', items: { anyOf: Array.from({ length: count }, (_, at) => ({ const: `p${at}` })) } },
  },
})

const FREEZES: [string, () => unknown][] = [
  ['a reply of 65,000 backticks', () => readFencedJson('`'.repeat(65_000))],
  ['a tag and 65,000 spaces', () => readTags(`<${' '.repeat(65_000)}`)],
  ['a task and 65,000 spaces', () => readTags(`<tasks>\n- [${' '.repeat(65_000)}y`)],
  ['code of 60,000 empty lines', () => readCodeInput(`x${'\n'.repeat(60_000)}y`)],
  ['code of 15,000 opening fences', () => readCodeInput('```a\n'.repeat(15_000))],
  ['a goal of 7,900 full-width commas', () => intentsOf(`买${'，'.repeat(7_900)}a`, NOW)],
  ['a goal that begins with the same two words 4,000 times', () => intentsOf(`${'我的'.repeat(4_000)}:x`, NOW)],
  ['a prefix of the same two words 29 times', () => intentsOf(`明天${'我的'.repeat(29)}?: x`, NOW)],
  ['a choice of 480 schemas for 30,000 items', () => fits(choice(480), { list: Array(30_000).fill('p479') })],
]

describe('no text freezes the service', () => {
  it.each(FREEZES)('%s is read in a moment', async (_, act) =>
    expect(await cpuWithin(BOUND_MS, act)).toBeLessThanOrEqual(BOUND_MS),
  )

  it.each<[string, () => Uint8Array, object]>([
    [
      'of 60,000 empty entries is refused by the name of the limit',
      () => entriesAgain(workbookOf(), 60_000),
      { ok: false, error: { kind: 'too_many_entries', max: 2_000 } },
    ],
    ['of a link that covers a sheet is read', () => hostileIn('the end of a sheet', LINK), READ],
    ['of links with a prefix, among its rows, is read', () => hostileIn('a row', `<x:${LINK.slice(1)}`), READ],
    ['of a cell in row four billion is read', () => hostileIn('a row', FAR), { ok: true }],
    ['of a cell in column NNNNNNN is read', () => hostileIn('a row', FAR.replace('A', 'NNNNNN')), { ok: true }],
  ])('a workbook %s, in a moment', async (_, made, outcome) => {
    const bytes = made()
    const read = () => readSheetRows(streamOf(bytes.slice()), null, () => true)
    expect(await read()).toMatchObject(outcome)
    expect(await cpuWithin(BOUND_MS, read)).toBeLessThanOrEqual(BOUND_MS)
  })
})

/** The directory says `count` entries, each of which is the first one again. */
function entriesAgain(zip: Uint8Array, count: number): Uint8Array {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  const end = zip.length - 22
  const start = view.getUint32(end + 16, true)
  const entry = zip.subarray(start, start + 46 + view.getUint16(start + 28, true) + view.getUint16(start + 30, true))
  const whole = new Uint8Array(start + count * entry.length + 22)
  whole.set(zip.subarray(0, start))
  for (let at = 0; at < count; at++) whole.set(entry, start + at * entry.length)
  whole.set(zip.subarray(end), whole.length - 22)
  new DataView(whole.buffer).setUint16(whole.length - 12, count, true)
  return whole
}
const LINK = '<hyperlink ref="A1:XFD1048576" r:id="rId1"/>'
const FAR = '<row r="4000000000"><c r="A4000000000"><v>1</v></c></row>'
const READ = { ok: true, value: { header: ['name', 'amount'] } }
const hostileIn = (place: string, text: string) => PLACES[place]?.(text) ?? new Uint8Array()

describe('a workbook', () => {
  const read = async (bytes: Uint8Array, bounds?: WorkbookBounds) => {
    const rows: unknown[] = []
    const take = (some: readonly unknown[]) => rows.push(...some) > 0
    return { outcome: await readSheetRows(streamOf(bytes), null, take, bounds), rows }
  }
  it('that is ordinary is read, and so is what is measured of the growth of its readers', async () => {
    const ROWS = [
      ['milk', '1'],
      ['eggs', '2'],
    ]
    expect(await read(workbookOf())).toMatchObject({ outcome: READ, rows: ROWS })
    for (const make of Object.values(PLACES)) expect((await read(make('1'))).outcome).toMatchObject({ ok: true })
    expect((await read(hostileIn('a shared text', 'a <b>'))).rows[0]).toEqual(['a <b>', '1'])
  })
  it('of more cells or sheets than its limits is refused by the name of the limit, empty ones counted', async () => {
    const bounds = { unfolded_bytes_max: 1_000_000, cells_max: 100 }
    const cells = (count: number) => hostileIn('a row', `<row>${'<x:c/>'.repeat(count)}</row>`)
    // Six cells are those of the ordinary workbook.
    expect((await read(cells(94), bounds)).outcome.ok).toBe(true)
    const error: DatasetError = { kind: 'too_many_cells', max: 100, with_compute_worker: 1_000_000 }
    expect((await read(cells(95), bounds)).outcome).toEqual({ ok: false, error })
    expect(datasetErrorText(error, 'en')).toMatch(/more than 100 cells, .*compute Worker \(with one: 1000000\)/)
    expect(datasetErrorText({ ...error, max: 1_000_000 }, 'zh')).toMatch(/超过 1000000 个。/)
    const sheets = (count: number) => hostileIn('the end of sheets', '<sheet name="A" sheetId="7"/>'.repeat(count))
    expect((await read(sheets(999))).outcome).toMatchObject({ ok: true })
    const many: DatasetError = { kind: 'too_many_sheets', max: 1_000 }
    expect((await read(sheets(1_000))).outcome).toEqual({ ok: false, error: many })
    expect([datasetErrorText(many, 'en'), datasetErrorText(many, 'zh')].join()).toMatch(/1000 sheets.*超过 1000 个/)
  })
  it('of Excel 97 counts its cells by their records', () => {
    const record = (kind: number, length: number) => [
      kind & 255,
      kind >> 8,
      length,
      0,
      ...Array<number>(length).fill(0),
    ]
    const records = [
      [0x85, 8],
      [0x203, 14],
      [0xbd, 18],
      [0xbe, 12],
      [0x0a, 0],
    ] as const
    const stream = Uint8Array.from(records.flatMap(([kind, length]) => record(kind, length)))
    expect(countValues(stream)).toEqual({ sheets: 1, cells: 1 + 3 + 6 })
  })
})

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })
}

describe('a form', () => {
  const sent = (fields: number) =>
    parseBody(new TextEncoder().encode(Array(fields).fill('a=1').join('&')), new Headers({ 'content-type': FORM }), {
      kinds: ['form'],
      empty: false,
      field: null,
    })
  it('of more than a thousand fields is refused by the name of the limit', () => {
    expect(sent(1_000).ok).toBe(true)
    expect(sent(1_001)).toEqual({
      ok: false,
      refusal: { code: 'unreadable_body', detail: 'The form has more than 1000 fields.' },
    })
  })
})

describe('a value and its schema', () => {
  it('are held against each other as long as that takes a few steps', () => {
    expect(fits(choice(5), { list: Array(2_000).fill('p4') })).toBeNull()
    expect(fits(choice(5), { list: ['p4', 'p5'] })).toBe('/list/1: Instance does not match "p4".')
  })
  it('are refused with the limit when it takes too many, whatever the outcome would be', () => {
    const refused = /^it is too large for its schema: checking it takes more than 60000 steps/
    for (const word of ['p479', 'none']) expect(fits(choice(480), { list: Array(30_000).fill(word) })).toMatch(refused)
  })
  it('count by the length of what is quoted or walked: long lists of values, long names', () => {
    const long = 'x'.repeat(20_000)
    const quoted = { items: { anyOf: [{ enum: [long] }, { type: 'string' }] } }
    expect(fits(quoted, Array(10_000).fill('a'))).toMatch(/^it is too large/)
    const named = { anyOf: Array.from({ length: 400 }, () => ({ properties: {}, minProperties: 2 })) }
    expect(fits(named, { [long]: 1 })).toMatch(/^it is too large/)
  })
  it('that are as large as a call may be are taken with the schemas that are made of types', () => {
    const { schema } = appliedSchema({
      type: 'object',
      properties: {
        rows: {
          type: 'array',
          items: {
            type: 'object',
            properties: { id: { type: 'integer' }, name: { type: 'string', minLength: 1 } },
            required: ['id'],
          },
        },
      },
    }) as { schema: Record<string, unknown> }
    const rows = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `n${id}` }))
    expect(JSON.stringify(rows).length).toBeGreaterThan(64_000)
    expect(fits(schema, { rows })).toBeNull()
  })
})

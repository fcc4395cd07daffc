/** Files of attackers: whatever comes is read, however long it is, into what a report may be and no more (F53, ASI07). */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EXTERNAL_ID, Report } from '../../src/core/terms/delegation.ts'
import { readCommandFile, writeCommandFile } from '../../src/delegations/command-file.ts'
import { readReportFile, writeReportFile } from '../../src/delegations/report-file.ts'
import { anyText, anyUnits } from './texts.ts'

const UNSAFE = /\0|\p{Surrogate}/u

function expectReport(text: string) {
  const { command_id, report, spent } = readReportFile(text)
  expect(Report.strict().parse(report)).toEqual(report)
  for (const id of [command_id, report.session_id]) expect(id === null || EXTERNAL_ID.test(id)).toBe(true)
  for (const value of [command_id, ...Object.values(report)]) expect(UNSAFE.test(value ?? '')).toBe(false)
  for (const amount of Object.values(spent ?? {})) expect(Number.isSafeInteger(amount) && amount >= 0).toBe(true)
}

describe('any text is a report', () => {
  const fronted = fc.tuple(anyText, anyUnits).map(([front, body]) => `---\n${front}\n---\n${body}`)
  const valued = fc
    .tuple(fc.constantFrom('id', 'status', 'session_id', 'tokens', 'cost_usd', 'seconds'), anyUnits, anyText)
    .map(([key, value, text]) => `---\n${key}: ${value}\n${key}: ${text}\n---\n`)
  const bytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => new TextDecoder().decode(bytes))

  it('F53 whatever it is, of characters or of bytes', () => {
    fc.assert(fc.property(fc.oneof(anyText, anyUnits, fronted, valued, bytes), expectReport), { numRuns: 3_000 })
  })
  it('S2-12 and what is no file of a command is none', () => {
    const texts = fc.oneof(anyText, anyUnits, fronted, valued, bytes)
    fc.assert(
      fc.property(texts, (text) => {
        expect(readCommandFile(text)).toBeNull()
      }),
    )
  })
})

describe('a front matter of an attacker', () => {
  const LAUGHS = [...'bcdefghi'].map((name, at) => `${name}: &${name} [${`*${'abcdefgh'[at]},`.repeat(9)}]`)
  it.each([
    ['aliases of aliases', `a: &a [x]\n${LAUGHS.join('\n')}\nstatus: *i\nid: *i`],
    ['lists in lists', `status: ${'['.repeat(900)}\nid: ${'['.repeat(500_000)}`],
    ['maps in maps', `status: ${'{a: '.repeat(200)}\nid: ${'? '.repeat(450)}`],
    ['merge keys', 'x: &x {status: done}\n<<: *x\nstatus: *x'],
    ['a constructor', "status: !!js/function 'x'\nid: !!python/object/apply:os.system [ls]"],
    ['a directive', '%TAG ! tag:x,2026:\nstatus: !done done'],
    ['a second document', '...\n--- !!str\nstatus: &a done'],
  ])('ASI07 of %s says nothing', (_, front) => {
    expect(readReportFile(`---\n${front}\n---\nbody`)).toMatchObject({
      command_id: null,
      report: { status: 'UNKNOWN' },
    })
  })
  it('ASI07 changes no prototype, and takes nothing from one', () => {
    const front = ['__proto__', 'constructor', 'prototype', 'toString'].map(
      (key) => `${key}: polluted\n${key}.x: polluted`,
    )
    const text = `---\n${front.join('\n')}\n---\n## __proto__\nx\n- constructor: y`
    for (const sent of [text, text.slice(4)]) {
      const { report, ...rest } = readReportFile(sent)
      expect(rest).toEqual({ command_id: null, spent: null })
      expect(report).toMatchObject({ status: 'UNKNOWN', session_id: null, results: null })
      expect(Object.getPrototypeOf(report)).toBe(Object.prototype)
    }
    expect(Object.keys(Object.prototype)).toEqual([])
    expect({}).not.toHaveProperty('x')
  })
})

/** Of the same kind at any length. */
const ATTACKS: [string, (chars: number) => string][] = [
  ['rules', (n) => '---\n'.repeat(n / 4)],
  ['a front matter that is never closed', (n) => `---\n${'status: done\n'.repeat(n / 13)}`],
  ['keys', (n) => `---\n${'status: "done" # x\nid: &a *a\n'.repeat(n / 30)}---\n`],
  ['a key without end', (n) => `---\n${'s'.repeat(n)}\n---\n`],
  ['a value in brackets', (n) => `---\nstatus: ${'['.repeat(n / 2)}${']'.repeat(n / 2)}\n---\n`],
  ['anchors', (n) => `---\nstatus: ${'&a *a '.repeat(n / 6)}\n---\n`],
  ['a quoted value', (n) => `---\nid: "${'\\\\'.repeat(n / 2)}"\n---\n`],
  ['digits', (n) => `---\ntokens: ${'9'.repeat(n)}\n---\n`],
  ['hashes in a line', (n) => '#'.repeat(n)],
  ['hashes in lines', (n) => '#\n'.repeat(n / 2)],
  ['headings of parts', (n) => '## 核心成果\n'.repeat(n / 8)],
  ['headings of levels', (n) => '###### Results\n##### Results\n# Issues\n'.repeat(n / 38)],
  ['bold lines', (n) => '**Results**\n'.repeat(n / 12)],
  ['stars', (n) => '*'.repeat(n)],
  ['a heading without end', (n) => `# ${'（ #'.repeat(n / 3)}`],
  ['backticks in a line', (n) => '`'.repeat(n)],
  ['fences', (n) => '```\n'.repeat(n / 4)],
  ['fences that open', (n) => '```js\n'.repeat(n / 6)],
  ['fences that grow', (n) => Array.from({ length: Math.sqrt(2 * n) }, (_, at) => '`'.repeat(at)).join('\n')],
  ['fences of two kinds', (n) => '```js\n~~~\n'.repeat(n / 10)],
  ['backslashes', (n) => `# Results\n${'\\'.repeat(n / 2)}#\n${'\\# a\n'.repeat(n / 10)}`],
  ['spaces', (n) => `a${' '.repeat(n)}b`],
  ['blank lines', (n) => '\n'.repeat(n)],
  ['carriage returns', (n) => '\r'.repeat(n)],
  ['colons', (n) => '- a: '.repeat(n / 5)],
  ['labels', (n) => '- Status: x\n**Completed**: \n'.repeat(n / 28)],
  ['ids in a title', (n) => 'task-'.repeat(n / 5)],
  ['words around nothing', (n) => `- Status: ${'"'.repeat(n)}x`],
]
/** As long as a body may be: what takes the square of it would not be over before the test is given up. */
const CHARS = 1_000_000

describe('a megabyte', () => {
  it.each(ATTACKS)('F53 a report of %s is read and written', (_, textOf) => {
    const text = textOf(CHARS)
    expect(text.length).toBeGreaterThan(CHARS / 2)
    const written = writeReportFile(readReportFile(text))
    expect(readReportFile(written).report.status).toBe(readReportFile(text).report.status)
  })
  it.each(ATTACKS)('S2-12 a command of %s is written and read', (_, textOf) => {
    const command = {
      id: 'task-1',
      created_at: '2026-03-01T08:00:00Z',
      session_id: 'auto',
      command_type: 'new' as const,
      report_url: null,
      budget: null,
      constraints: '',
      expected_output: '',
    }
    expect(readCommandFile(writeCommandFile({ ...command, task: textOf(CHARS) }))?.id).toBe('task-1')
  })
  it('F53 parts that are written below a text are written whole', () => {
    const part = '```js\n# a\n\\# b\n'.repeat(CHARS / 14)
    const report = {
      status: 'SUCCESS' as const,
      session_id: null,
      results: part,
      pitfalls: part,
      next_steps: null,
      text: part,
    }
    expect(writeReportFile({ command_id: null, report, spent: null }).length).toBeGreaterThan(3 * CHARS)
  })
})

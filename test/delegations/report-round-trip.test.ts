/** What is written of a report is read again as it was (S2-13). */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Report } from '../../src/core/terms/delegation.ts'
import { readReportFile, writeReportFile, type ReportFile } from '../../src/delegations/report-file.ts'
import { amounts, anyText, anyUnits, externalId, storedText } from './texts.ts'

const ID = 'task-0e984725-c51c-8bf4-8960-e1c80e27aba0'
const REPORT: Report = {
  status: 'SUCCESS',
  session_id: 's-1',
  results: '登录接口已完成',
  pitfalls: null,
  next_steps: '补充文档',
  text: '',
}
const FILE: ReportFile = { command_id: ID, report: REPORT, spent: { tokens: 1200, cost: 12_300, working_ms: 90_057 } }

const NONE = new Set(['auto', 'none', 'null', '~', ''])
const session = externalId.filter((id) => !NONE.has(id.trim().toLowerCase()))
const part = fc.option(
  storedText.filter((text) => text !== ''),
  { nil: null },
)
const file = fc.record({
  // The name of a report is that of its command with something before it, which is taken off.
  command_id: fc.option(
    externalId.filter((id) => !id.startsWith('report-task-')),
    { nil: null },
  ),
  report: fc.record({
    status: fc.constantFrom('SUCCESS' as const, 'FAILED' as const, 'PARTIAL_SUCCESS' as const, 'UNKNOWN' as const),
    session_id: fc.option(session, { nil: null }),
    results: part,
    pitfalls: part,
    next_steps: part,
    text: storedText,
  }),
  spent: amounts,
})

describe('a report that is written', () => {
  it('S2-13 has the keys and headings of the seed', () => {
    expect(writeReportFile(FILE)).toBe(`---
command_id: ${ID}
status: SUCCESS
session_id: s-1
tokens: 1200
cost_usd: 0.012300
seconds: 90.057
---

## 核心成果

登录接口已完成

## 下一步建议

补充文档
`)
  })
  it('S2-13 says nothing of what is not known', () => {
    const nothing = { ...REPORT, status: 'UNKNOWN' as const, session_id: null, results: null, next_steps: null }
    expect(writeReportFile({ command_id: null, report: nothing, spent: null })).toBe('---\nstatus: UNKNOWN\n---\n')
  })
  it('S2-13 has its text as it is when that has its parts, else its parts below it', () => {
    const text = '# Report\n## Results\nA\n## More\n---\nB'
    const report = { ...REPORT, results: 'A', next_steps: null, text }
    expect(writeReportFile({ ...FILE, report })).toContain(`\n---\n\n${text}\n`)
    expect(writeReportFile({ ...FILE, report: { ...report, results: 'C\n# D\n```\n# E\n```' } })).toContain(
      '\n---\n\n# Report\n\\## Results\nA\n## More\n---\nB\n\n## 核心成果\n\nC\n\\# D\n```\n# E\n```\n',
    )
  })
  it('S2-13 has its text as it is whichever ends its lines have', () => {
    const report = { ...REPORT, results: 'A\nB', next_steps: null, text: '\r\n## Results\r\nA\r\nB\r\n' }
    expect(writeReportFile({ ...FILE, report })).toContain('\n---\n\n## Results\nA\nB\n')
  })
})

describe('a report that is read again', () => {
  it('S2-13 has all that was written; its text is the body, which is that of the report when it has the parts', () => {
    fc.assert(
      fc.property(file, (file) => {
        const again = readReportFile(writeReportFile(file))
        expect(again).toEqual({ ...file, report: { ...file.report, text: again.report.text } })
        expect(readReportFile(writeReportFile(again))).toEqual(again)
      }),
      { numRuns: 1_500 },
    )
  })
  it('S2-13 is the same, wherever it came from', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          anyUnits,
          fc.tuple(anyText, anyText).map(([front, body]) => `---\n${front}\n---\n${body}`),
        ),
        (text) => {
          const once = readReportFile(text)
          expect(readReportFile(writeReportFile(once))).toEqual(once)
        },
      ),
      { numRuns: 1_500 },
    )
  })
})

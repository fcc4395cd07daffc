/** Files of commands and reports in the real runtime, which has another build of the YAML parser than Node and less stack (S2-12, S2-13). */
import { describe, expect, it } from 'vitest'
import { readCommandFile, writeCommandFile, type CommandFile } from '../../src/delegations/command-file.ts'
import { readReportFile, writeReportFile } from '../../src/delegations/report-file.ts'

const ID = 'task-0e984725-c51c-8bf4-8960-e1c80e27aba0'

describe('files of delegations in workerd', () => {
  it('S2-12 a command is read exactly as it was written', () => {
    const command: CommandFile = {
      id: ID,
      created_at: '2026-03-01T08:00:00.000Z',
      session_id: '"a": #b\n漢字😀',
      command_type: 'continue',
      report_url: 'https://a.example/reports/v1.x',
      budget: { tokens: 1200, cost: 500_000, working_ms: 90_500 },
      task: '实现登录接口\n## 约束条件',
      constraints: '',
      expected_output: '---\nstatus: done',
    }
    expect(readCommandFile(writeCommandFile(command))).toEqual(command)
  })
  it('S2-13 a report is read and written again', () => {
    const text = `---\nid: "${ID}" # mine\nstatus: 'completed'\nsession_id: &a s-1\n---\n## 核心成果\nA\n\n**Issues**\nB`
    const file = readReportFile(text)
    expect(file).toMatchObject({
      command_id: ID,
      report: { status: 'SUCCESS', session_id: null, results: 'A\n\n**Issues**\nB', pitfalls: 'B' },
    })
    expect(readReportFile(writeReportFile(file))).toEqual(file)
  })
  it.each(['[', '{a: ', '- ', '? ', '&a ', '"', '!!a '])(
    'ASI07 %j, nested as deep as a value may be, counts as empty',
    (sign) => {
      const value = sign.repeat(Math.floor(999 / sign.length))
      expect(readReportFile(`---\nstatus: ${value}\nid: ${value}\n---\n`)).toMatchObject({
        command_id: null,
        report: { status: 'UNKNOWN' },
      })
    },
  )
})

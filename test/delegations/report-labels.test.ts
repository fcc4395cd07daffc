/** Reports without a front matter: a title with the task's id, and lines such as "Status: completed" (O2-07). */
import { describe, expect, it } from 'vitest'
import { readReportFile } from '../../src/delegations/report-file.ts'

const ID = 'task-0e984725-c51c-8bf4-8960-e1c80e27aba0'
const statusIn = (text: string) => readReportFile(text).report.status

describe('a report without front matter', () => {
  it('O2-07 is read by its title and its lines', () => {
    const text = `# Report: ${ID}\n\n- Completed: 2026-03-01 10:00\n- Status: completed\n- **Session ID**: \`s-1\`\n\n## Results\nIt works.`
    expect(readReportFile(text)).toEqual({
      command_id: ID,
      report: {
        status: 'SUCCESS',
        session_id: 's-1',
        results: 'It works.',
        pitfalls: null,
        next_steps: null,
        text,
      },
      spent: null,
    })
  })

  it.each([
    ['- Status: completed', 'SUCCESS'],
    ['* status: FAILED', 'FAILED'],
    ['+ Status : partial', 'PARTIAL_SUCCESS'],
    ['1. Status: done', 'SUCCESS'],
    ['**Status**: completed', 'SUCCESS'],
    ['**Status:** failed', 'FAILED'],
    ['- **Status: ok**', 'SUCCESS'],
    ['__Task status__: "partial_success"', 'PARTIAL_SUCCESS'],
    ['Status: ✅ Completed.', 'SUCCESS'],
    ['状态：失败', 'FAILED'],
    ['- **状态**：部分完成', 'PARTIAL_SUCCESS'],
    ['  - 任务状态: 已完成', 'SUCCESS'],
    ['- Status: waiting_input', 'UNKNOWN'],
    ['- Status: SUCCESS / FAILED / PARTIAL_SUCCESS', 'UNKNOWN'],
    ['- Status: failed, then completed', 'UNKNOWN'],
    ['- Status:', 'UNKNOWN'],
    ['The status: completed', 'UNKNOWN'],
    ['> Status: completed', 'UNKNOWN'],
    ['Status completed', 'UNKNOWN'],
    [`${'x'.repeat(60)} Status: completed`, 'UNKNOWN'],
    ['```\nStatus: completed\n```', 'UNKNOWN'],
  ])('O2-07 %j says %s', (line, status) => expect(statusIn(`# Report\n\n${line}\n`)).toBe(status))

  it.each([
    ['2026-03-01T10:00:00Z', 'SUCCESS'],
    ['01/03/2026', 'SUCCESS'],
    ['08:30', 'SUCCESS'],
    ['yes', 'SUCCESS'],
    ['the login endpoint', 'SUCCESS'],
    ['nothing', 'SUCCESS'],
    ['5/5 steps', 'SUCCESS'],
    ['100%', 'SUCCESS'],
    ['3/5 steps', 'PARTIAL_SUCCESS'],
    ['3 of 5', 'PARTIAL_SUCCESS'],
    ['80 %', 'PARTIAL_SUCCESS'],
    ['partially', 'PARTIAL_SUCCESS'],
    ['partial_success', 'PARTIAL_SUCCESS'],
    ['部分', 'PARTIAL_SUCCESS'],
    ['failed', 'FAILED'],
    ['no', 'UNKNOWN'],
    ['not yet', 'UNKNOWN'],
    ['None', 'UNKNOWN'],
    ['0%', 'UNKNOWN'],
    ['0 of 5', 'UNKNOWN'],
    ['n/a', 'UNKNOWN'],
    ['-', 'UNKNOWN'],
    ['否', 'UNKNOWN'],
    ['未完成', 'UNKNOWN'],
    ['', 'UNKNOWN'],
  ])('O2-07 a line "Completed: %s" says %s', (said, status) =>
    expect(statusIn(`# T\n- Completed: ${said}`)).toBe(status),
  )

  it('O2-07 a line with the status decides, wherever it stands', () => {
    expect(statusIn('- Completed: 2026-03-01\n- Status: failed\n- Status: completed')).toBe('FAILED')
    expect(statusIn('- Completed: 2026-03-01\n- Status: see below')).toBe('UNKNOWN')
    expect(statusIn('Completed: yes')).toBe('UNKNOWN')
  })

  it.each([
    [`# ${ID}`, ID],
    [`\n\n# Task Report: ${ID} - login\n`, ID],
    [`Report of ${ID}.`, ID],
    [`# report-${ID}.md`, ID],
    [`Hello\n\n## 任务报告（${ID}）`, ID],
    [`# Report\n- Task ID: \`${ID}\``, ID],
    ['# task-001', 'task-001'],
    ['# A task-based design', null],
    ['# The multi-task-2 queue', null],
    [`# Report\n\nAbout ${ID}`, null],
    [`# Report\n\`\`\`\n# ${ID}\n\`\`\``, null],
    [`# ${'x'.repeat(1_000)} ${ID}`, null],
  ])('O2-07 the title %j names %j', (text, id) => expect(readReportFile(text).command_id).toBe(id))

  it.each([
    ['- Session: s-1', 's-1'],
    ['- session_id: "s-1"', 's-1'],
    ['**会话**：s-1', 's-1'],
    ['- Session: auto', null],
    ['- Session:', null],
    ['Session: s-1', null],
  ])('O2-07 %j names the session %j', (line, session) =>
    expect(readReportFile(`# Report\n${line}`).report.session_id).toBe(session),
  )
})

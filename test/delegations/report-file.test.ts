/** What the front matter of a report says, in every form that occurs (S2-13, O2-07, O2-08), and what it cannot say (F53, ASI07). */
import { describe, expect, it } from 'vitest'
import { readReportFile, reportFileName, statusOf } from '../../src/delegations/report-file.ts'

const ID = 'task-0e984725-c51c-8bf4-8960-e1c80e27aba0'
const reportWith = (front: string, body = 'Done.') => readReportFile(`---\n${front}\n---\n\n${body}\n`)
const statusWith = (written: string) => reportWith(`status: ${written}`).report.status
const sessionWith = (written: string) => reportWith(`session_id: ${written}`).report.session_id
const commandWith = (front: string) => reportWith(front).command_id
const spentWith = (front: string) => reportWith(front).spent

const SEED = `---
id: ${ID}
status: SUCCESS
session_id: 6f1c2f9e-0a51-4c57-9d0e-0d2e6a3b9c11
---

## 核心成果
登录接口已完成

## 填坑记录
端口冲突

## 下一步建议
补充文档
`

describe('the file of a report', () => {
  it('S2-13 has a status, a session and three parts; its text is all of the body', () => {
    expect(readReportFile(SEED)).toEqual({
      command_id: ID,
      report: {
        status: 'SUCCESS',
        session_id: '6f1c2f9e-0a51-4c57-9d0e-0d2e6a3b9c11',
        results: '登录接口已完成',
        pitfalls: '端口冲突',
        next_steps: '补充文档',
        text: '## 核心成果\n登录接口已完成\n\n## 填坑记录\n端口冲突\n\n## 下一步建议\n补充文档',
      },
      spent: null,
    })
  })
  it('S2-13 is named after its command', () => expect(reportFileName(ID)).toBe(`report-${ID}.md`))
  it.each([
    ['a byte order mark', `\ufeff${SEED}`],
    ['blank lines before it', `\n \t\n${SEED}`],
    ['ends of lines of Windows', SEED.replaceAll('\n', '\r\n')],
    ['ends of lines of old Macs', SEED.replaceAll('\n', '\r')],
    ['spaces behind its rules', SEED.replaceAll('---\n', '--- \t\n')],
    ['keys in capitals', SEED.replace('status:', 'STATUS :').replace('session_id', 'Session_ID')],
    ['quotes and comments', SEED.replace('SUCCESS', '"SUCCESS"   # SUCCESS | FAILED | PARTIAL_SUCCESS')],
    ['keys nobody knows', SEED.replace('status', '__proto__: x\nconstructor: y\ncreated_at: [\nstatus')],
  ])('O2-08 reads the same with %s', (_, text) => {
    expect(text).not.toBe(SEED)
    expect(readReportFile(text)).toEqual(readReportFile(SEED))
  })
  it('F53 what cannot be stored is replaced', () => {
    expect(readReportFile('---\nstatus: done\n---\na\0b \ud800 c').report.text).toBe('a\ufffdb \ufffd c')
  })
})

describe('the status', () => {
  const SUCCESS = ['success', 'completed', 'complete', 'done', 'ok', '成功', '已完成', '完成']
  const FAILED = ['failed', 'failure', 'error', '失败']
  const PARTIAL = ['partial', 'partial_success', 'partial success', 'partially completed', '部分成功', '部分完成']
  const rows = [
    ...SUCCESS.map((word) => [word, 'SUCCESS']),
    ...FAILED.map((word) => [word, 'FAILED']),
    ...PARTIAL.map((word) => [word, 'PARTIAL_SUCCESS']),
  ]
  it.each(rows)('O2-07 %j is %s in any case, with quotes and comments', (word = '', status) => {
    for (const written of [word, word.toUpperCase(), ` "${word}" `, `'${word}' # or not`, `${word}\t# ${word}`]) {
      expect(statusWith(written)).toBe(status)
      expect(statusOf(written)).toBe(status)
    }
  })
  it.each([
    ['the template nobody filled in', 'SUCCESS / FAILED / PARTIAL_SUCCESS'],
    ['that template in another spelling', 'SUCCESS | FAILED'],
    ['waiting for input', 'waiting_input'],
    ['a negation', 'not done'],
    ['a sentence', 'done with the first half'],
    ['a question', 'done?'],
    ['a comment', '# SUCCESS'],
    ['no comment', 'done#1'],
    ['an open box', '[ ] done'],
    ['nothing', ''],
    ['a very long word', `${' '.repeat(999)}success`],
  ])('O2-07 %s is UNKNOWN', (_, written) => {
    expect(statusWith(written)).toBe('UNKNOWN')
    expect(statusOf(written)).toBe('UNKNOWN')
  })
  it('O2-07 a missing one is UNKNOWN, whatever the body says', () => {
    expect(statusOf(null)).toBe('UNKNOWN')
    expect(reportWith(`id: ${ID}`, '- Status: completed\nstatus: SUCCESS').report.status).toBe('UNKNOWN')
  })
  it.each(['__proto__', 'constructor', 'toString'])('O2-07 %s is no word of it', (word) =>
    expect(statusOf(word)).toBe('UNKNOWN'),
  )
})

describe('the front matter', () => {
  it('O2-08 lies between the first two rules; further ones are body', () => {
    const { report } = readReportFile('---\nstatus: done\n---\nOne\n---\nstatus: failed\n---\nTwo')
    expect(report).toMatchObject({ status: 'SUCCESS', text: 'One\n---\nstatus: failed\n---\nTwo' })
  })
  it('O2-08 is none below other text', () => {
    const text = 'Hello\n---\nstatus: done\nid: task-1\n---\nOne'
    expect(readReportFile(text).report).toMatchObject({ status: 'SUCCESS', text })
    expect(readReportFile(text.replace('status', 'x')).report.status).toBe('UNKNOWN')
    expect(readReportFile(text).command_id).toBeNull()
  })
  it.each(['----', '--- x', ' ---', '***', '...'])('O2-08 does not lie between lines of %j', (rule) => {
    const text = `${rule}\nid: task-1\nstatus=done\n${rule}\nOne`
    expect(readReportFile(text)).toMatchObject({ command_id: null, report: { status: 'UNKNOWN', text: text.trim() } })
  })
  it('F53 one that is never closed names nothing: a half-written report is UNKNOWN, and all of it is text', () => {
    for (let length = 4; length < SEED.indexOf('\n---\n\n') + 4; length++) {
      const text = SEED.slice(0, length)
      expect(readReportFile(text)).toMatchObject({
        command_id: null,
        report: { status: 'UNKNOWN', session_id: null, text: text.trim() },
      })
    }
  })
  it('O2-08 a key counts at the start of its line, the first time', () => {
    expect(reportWith(' status: done').report.status).toBe('UNKNOWN')
    expect(reportWith('- status: done').report.status).toBe('UNKNOWN')
    expect(reportWith('status: failed\nSTATUS: done').report.status).toBe('FAILED')
    expect(reportWith('status: &a done\nstatus: done').report.status).toBe('UNKNOWN')
    expect(reportWith('mystatus: done\nstatus:failed').report.status).toBe('FAILED')
  })
  it.each([
    ['an anchor', '&a done'],
    ['an alias', '*a'],
    ['a tag', '!!str done'],
    ['a tag of somebody', '!done done'],
    ['the tag of none', '! done'],
    ['a tag without anything', '!!js/function'],
    ['a list', '[done]'],
    ['a map', '{done: done}'],
    ['a map on the line', 'done: done'],
    ['a block', '|'],
    ['a folded block', '>-'],
    ['a key of a map', '? done'],
    ['a quote that is never closed', '"done'],
    ['more than a scalar', '"done" done'],
    ['an escape that is none', '"done\\U00110000"'],
  ])('ASI07 a value that is %s counts as missing', (_, written) => {
    expect(reportWith(`x: &a done\nstatus: ${written}\n  done`).report.status).toBe('UNKNOWN')
    expect(sessionWith(written)).toBeNull()
    expect(commandWith(`id: ${written}`)).toBeNull()
  })
})

describe('whose report it is', () => {
  it.each([
    ['id', `id: ${ID}`],
    ['task_id', `task_id: '${ID}'`],
    ['command_id', `command_id: "${ID}" # mine`],
    ['report_id', `report_id: ${ID}`],
    ['report_id with the name of the report', `report_id: report-${ID}`],
    ['id with the name of the report', `id: report-${ID}`],
    ['what names the command, before what may be the number of the report', `report_id: 7\nid: 42\ntask_id: ${ID}`],
    ['command_id before task_id', `task_id: task-2\ncommand_id: ${ID}`],
    ['task_id where command_id is empty', `command_id:\ntask_id: ${ID}`],
  ])('O2-07 is said by %s', (_, front) => expect(commandWith(front)).toBe(ID))

  it.each([
    ['nothing', 'status: done'],
    ['a number of the report', 'report_id: 7'],
    ['an empty id', 'id: ""'],
    ['one with a line break in it', `id: "${ID}\\n"`],
    ['one with half a character in it', `id: "${ID}\\ud800"`],
    ['one that is too long', `id: ${'x'.repeat(201)}`],
    ['one that is far too long', `id: ${'x'.repeat(2_000)}`],
  ])('F53 %s does not say it', (_, front) => expect(commandWith(front)).toBeNull())

  it('F53 the id of another command is told as it is', () => expect(commandWith('id: task-2')).toBe('task-2'))
})

describe('the session', () => {
  it.each([
    'auto',
    'AUTO',
    'none',
    'null',
    'Null',
    '~',
    '',
    '""',
    '" "',
    '# none yet',
    '"a\\nb"',
    '"\\0"',
    '"\\ud800"',
  ])('S2-13 %j is none', (written) => expect(sessionWith(written)).toBeNull())
  it.each([
    ['6f1c2f9e', '6f1c2f9e'],
    ['"s-1"  # to continue', 's-1'],
    ["'it''s'", "it's"],
    ['007', '007'],
    ['会话 1', '会话 1'],
    ['a#b', 'a#b'],
  ])('S2-13 %j is %j', (written, session) => expect(sessionWith(written)).toBe(session))
})

describe('what was spent', () => {
  it('S2-13 is in micro-dollars and ms, by either names', () => {
    const expected = { tokens: 1200, cost: 12_300, working_ms: 90_057 }
    expect(spentWith('tokens: 1200\ncost_usd: 0.0123\nseconds: 90.057')).toEqual(expected)
    expect(spentWith('spent_tokens: "1200"\nspent_cost_usd: 0.0123 # so far\nspent_seconds: 90.057')).toEqual(expected)
  })
  it('S2-13 has what is said, and is null when nothing is', () => {
    expect(spentWith('tokens: 0')).toEqual({ tokens: 0 })
    expect(spentWith('tokens: many\nspent_tokens: 7')).toEqual({ tokens: 7 })
    expect(spentWith('status: done')).toBeNull()
  })
  it('S2-13 a fraction below the unit is rounded up', () => {
    expect(spentWith('cost_usd: 0.01234567\nseconds: 0.0571')).toEqual({ cost: 12_346, working_ms: 58 })
    expect(spentWith('cost_usd: 0.01230000000\nseconds: 0.0570')).toEqual({ cost: 12_300, working_ms: 57 })
    expect(spentWith('tokens: 7.1')).toEqual({ tokens: 8 })
  })
  it.each([
    '-1',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '',
    '1,000',
    '.5',
    '9'.repeat(17),
    '9'.repeat(900),
    '[1]',
    '&a 1',
    '$1',
  ])('S2-13 %j is no amount', (written) =>
    expect(spentWith(`tokens: ${written}\ncost_usd: ${written}\nseconds: ${written}`)).toBeNull(),
  )
})

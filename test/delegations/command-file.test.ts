/** The files of commands: the seed's template to the byte, and whatever is put into it comes out again (S2-12). */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandId } from '../../src/core/terms/delegation-id.ts'
import {
  commandFileName,
  HEADINGS_NOTE,
  readCommandFile,
  writeCommandFile,
  type CommandFile,
} from '../../src/delegations/command-file.ts'
import { amounts, anyText, anyUnits, externalId } from './texts.ts'

const ID = 'task-0e984725-c51c-8bf4-8960-e1c80e27aba0'
const COMMAND: CommandFile = {
  id: ID,
  created_at: '2026-03-01T08:00:00.000Z',
  session_id: 'auto',
  command_type: 'new',
  report_url: null,
  budget: null,
  task: '实现登录接口',
  constraints: '不要改动数据库',
  expected_output: '通过的测试',
}
const TEMPLATE = `---
id: ${ID}
created_at: 2026-03-01T08:00:00.000Z
session_id: auto
command_type: new
---

## 任务描述
实现登录接口

## 约束条件
不要改动数据库

## 预期输出
通过的测试
`
const read = (part: Partial<CommandFile>) => readCommandFile(writeCommandFile({ ...COMMAND, ...part }))
const frontOf = (part: Partial<CommandFile>) => writeCommandFile({ ...COMMAND, ...part }).split('---\n')[1]

describe('the file of a command', () => {
  it('S2-12 is the template of the seed to the byte', () => expect(writeCommandFile(COMMAND)).toBe(TEMPLATE))

  it('S2-12 is named by its id, which is `task-<uuid>`', () => {
    expect(commandFileName(ID)).toBe(`${ID}.md`)
    expect(read({ id: commandId('task_x', 7) })?.id).toBe(commandId('task_x', 7))
  })

  it('S2-12 what the template does not have comes behind its four keys, each only where there is something to say', () => {
    const budget = { tokens: 1200, cost: 500_000, working_ms: 90_500 }
    expect(frontOf({ report_url: 'https://a.example/reports/v1.x_y-z', budget })).toBe(
      `id: ${ID}
created_at: 2026-03-01T08:00:00.000Z
session_id: auto
command_type: new
report_url: https://a.example/reports/v1.x_y-z
budget_tokens: 1200
budget_cost_usd: 0.500000
budget_seconds: 90.5
`,
    )
    expect(frontOf({ budget: { tokens: 0 } })).toContain('command_type: new\nbudget_tokens: 0\n')
    expect(frontOf({ budget: {} })).toBe(frontOf({}))
  })

  it.each([
    ['a uuid', '0e984725-c51c-8bf4-8960-e1c80e27aba0', '0e984725-c51c-8bf4-8960-e1c80e27aba0'],
    ['a number', '007', '"007"'],
    ['a word that YAML 1.1 takes for a truth', 'yes', '"yes"'],
    ['what YAML 1.1 takes for a number of seconds', '1:20', '"1:20"'],
    ['a date', '2026-03-01', '"2026-03-01"'],
    ['a comment', 'a #b', '"a #b"'],
    ['quotes', '"a"', '"\\"a\\""'],
    ['an alias', '*a', '"*a"'],
    ['a word with a mark of order at its end', 'a\ufeff', 'a\ufeff'],
    ['several lines', `${'a line\n'.repeat(20)}`, `"${'a line\\n'.repeat(20)}"`],
  ])('S2-12 a session id that is %s stands on one line, quoted where it has to be', (_, session_id, written) => {
    expect(frontOf({ session_id })?.split('\n')[2]).toBe(`session_id: ${written}`)
    expect(read({ session_id })?.session_id).toBe(session_id)
  })

  it('S2-12 a part without text is its heading', () => {
    const written = writeCommandFile({ ...COMMAND, task: '', constraints: '\n \n', expected_output: '' })
    expect(written.split('---\n\n')[1]).toBe('## 任务描述\n\n## 约束条件\n\n## 预期输出\n')
    expect(read({ task: '', constraints: '\n \n', expected_output: '' })).toMatchObject({ task: '', constraints: '' })
  })

  it('S2-12 a line that is one of its headings gets a backslash, and loses it again', () => {
    const task = '## 约束条件\n\\## 任务描述\n ## 预期输出\n### 约束条件\n\\# a'
    const written = writeCommandFile({ ...COMMAND, task })
    expect(written).toContain('\n\\## 约束条件\n\\\\## 任务描述\n ## 预期输出\n### 约束条件\n\\# a\n')
    expect(readCommandFile(written)).toEqual({ ...COMMAND, task })
  })
})

describe('the note on the headings', () => {
  const ENGLISH = { ...COMMAND, task: 'Add a health check\n\n约束条件 is a word here.' }

  it('U63 stands once in a file in English, above the headings, and names each of them', () => {
    const [, , body = ''] = writeCommandFile(ENGLISH).split('---\n')
    expect(body.trimStart().startsWith(`${HEADINGS_NOTE}\n\n## 任务描述\nAdd a health check\n`)).toBe(true)
    expect(body.split(HEADINGS_NOTE)).toHaveLength(2)
    for (const [heading] of body.matchAll(/(?<=^## ).+$/gmu)) expect(HEADINGS_NOTE).toContain(heading)
    expect(HEADINGS_NOTE.match(/\./g)).toHaveLength(1)
  })

  it('U63 is no part of the command that is read', () =>
    expect(readCommandFile(writeCommandFile(ENGLISH))).toEqual(ENGLISH))

  it('U63 is not in a file in Chinese', () => {
    expect(writeCommandFile(COMMAND)).not.toContain('headings')
    expect(writeCommandFile({ ...COMMAND, task: '实现 login 接口\nfor all' })).not.toContain('headings')
  })
})

describe('what is read of a command', () => {
  it('S2-12 is what was written, for all texts; ends of lines are `\\n`, blank lines at the ends are left out', () => {
    const kept = (text: string) =>
      text
        .replace(/\r\n?/g, '\n')
        .split('\n')
        .reduce<string[]>((lines, line) => (lines.length === 0 && line.trim() === '' ? [] : [...lines, line]), [])
        .reduceRight<string[]>((lines, line) => (lines.length === 0 && line.trim() === '' ? [] : [line, ...lines]), [])
        .join('\n')
    const text = fc.oneof(anyText, anyText, anyUnits)
    const command = fc.record({
      id: fc.uuid().map((uuid) => `task-${uuid}`),
      created_at: fc.oneof(
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        externalId,
      ),
      session_id: fc.oneof(
        externalId,
        anyText.map((text) => text.slice(0, 100)),
        anyUnits,
      ),
      command_type: fc.constantFrom('new' as const, 'continue' as const, 'end' as const),
      report_url: fc.option(fc.oneof(fc.webUrl(), externalId), { nil: null }),
      budget: amounts,
      task: text,
      constraints: text,
      expected_output: text,
    })
    fc.assert(
      fc.property(command, (command) => {
        const { task, constraints, expected_output } = command
        expect(readCommandFile(writeCommandFile(command))).toEqual({
          ...command,
          task: kept(task),
          constraints: kept(constraints),
          expected_output: kept(expected_output),
        })
      }),
      { numRuns: 1_500 },
    )
  })

  it('S2-12 does not depend on a byte order mark, ends of lines, quotes or comments', () => {
    const [, front = '', body = ''] = TEMPLATE.split('---\n')
    const quoted = front.replace(ID, `"${ID}"`).replace('new', "'new' # or continue")
    expect(readCommandFile(`\ufeff${`---\n${quoted}---\n${body}`.replaceAll('\n', '\r\n')}`)).toEqual(COMMAND)
  })

  it('S2-12 a heading that comes again is text', () => {
    const text = TEMPLATE.replace('不要', '## 任务描述\n不要')
    expect(readCommandFile(text)).toEqual({ ...COMMAND, constraints: '## 任务描述\n不要改动数据库' })
  })
  it('O2-06 without a heading of the task all below the front matter is the task', () => {
    const text = TEMPLATE.replace(/## 任务描述[^]*/, 'Build it.\n\n---\n# As you like\n')
    expect(readCommandFile(text)).toEqual({
      ...COMMAND,
      task: 'Build it.\n\n---\n# As you like',
      constraints: '',
      expected_output: '',
    })
  })

  it.each([
    ['empty', ''],
    ['without front matter', TEMPLATE.slice(4)],
    ['with one that is never closed', TEMPLATE.replace('---\n\n', '\n')],
    ['without an id', TEMPLATE.replace(/id: task-.*\n/, '')],
    ['with an id that is a path', TEMPLATE.replace(ID, 'task-../../etc')],
    ['with an id that is none', TEMPLATE.replace(ID, ID.slice(5))],
    ['without a time', TEMPLATE.replace(/created_at.*\n/, '')],
    ['without a session', TEMPLATE.replace(/session_id.*\n/, '')],
    ['with a session in a block', TEMPLATE.replace('session_id: auto', 'session_id: |\n  auto')],
    ['of an unknown type', TEMPLATE.replace('type: new', 'type: restart')],
    ['of a type with an anchor', TEMPLATE.replace('type: new', 'type: &a new')],
    ['of a type with a tag', TEMPLATE.replace('type: new', 'type: !!str new')],
  ])('S2-12 is nothing of a file that is %s', (_, text) => {
    expect(text).not.toBe(TEMPLATE)
    expect(readCommandFile(text)).toBeNull()
  })
})

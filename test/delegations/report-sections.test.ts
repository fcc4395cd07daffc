/** The parts of a report: under whichever heading, up to the next one, never by what stands in code (S2-13, O2-07). */
import { describe, expect, it } from 'vitest'
import { SECTION_CHARS_MAX } from '../../src/core/terms/delegation.ts'
import { readReportFile } from '../../src/delegations/report-file.ts'

function partsOf(body: string) {
  const { results, pitfalls, next_steps } = readReportFile(`---\nstatus: done\n---\n${body}`).report
  return [results, pitfalls, next_steps]
}

describe('the parts of a report', () => {
  it.each([
    '# 核心成果',
    '## 核心成果',
    '###### 核心成果',
    '##核心成果',
    '  ## 核心成果 ##',
    '## results',
    '## Core Results',
    '## 成果',
    '## RESULTS:',
    '## 核心成果：',
    '## 1. 核心成果',
    '## 一、核心成果',
    '## ✅ 核心成果',
    '## **核心成果**',
    '## 核心成果 (Results)',
    '## Results（核心成果）:',
    '**核心成果**',
    '**核心成果：**',
    '**Results**:',
    '__results__ ',
  ])('S2-13 %j is the heading of the results', (heading) =>
    expect(partsOf(`before\n${heading}\n\n A \nB\n`)).toEqual(['A \nB', null, null]),
  )
  it.each([
    '## 填坑记录',
    '# Pitfalls',
    '### 踩坑记录',
    '**Issues**',
    '## 4. 填坑记录与风险预警 (Pitfalls & Lessons)',
    '## Pitfalls & lessons learned',
    '## 风险 (Pitfalls)',
  ])('S2-13 %j is that of the pitfalls', (heading) => expect(partsOf(`${heading}\nA`)).toEqual([null, 'A', null]))
  it.each(['## 下一步建议', '# Next  steps', '### 下一步', '**下一步**', '## next_steps'])(
    'S2-13 %j is that of the next steps',
    (heading) => expect(partsOf(`${heading}\nA`)).toEqual([null, null, 'A']),
  )
  it.each([
    '核心成果',
    '####### 核心成果',
    '    ## 核心成果',
    '\\## 核心成果',
    '- 核心成果',
    '> ## 核心成果',
    '#### 问题与核心成果',
    '## Resultset',
    '**核心成果** and more',
    '## Test results',
    '#results-1',
    '## __proto__',
    `## ${' '.repeat(100)}核心成果`,
  ])('S2-13 %j is no heading of theirs', (line) => expect(partsOf(`before\n${line}\nA`)).toEqual([null, null, null]))

  it('S2-13 a part ends at the next heading of its level or above, not at one below or at a rule', () => {
    expect(partsOf('## Results\nA\n### Details\nB\n---\nC\n**D**\n#tag\n## Other\nE\n# Issues\nF\n## G\nH')).toEqual([
      'A\n### Details\nB\n---\nC\n**D**\n#tag',
      'F\n## G\nH',
      null,
    ])
  })
  it('S2-13 a bold heading ends at any heading', () => {
    expect(partsOf('**Results**\nA\n**Other:**\nB\n**Issues**\nC **c**\n###### D\nE')).toEqual(['A', 'C **c**', null])
  })
  it('S2-13 a long bold line is no heading', () => {
    const long = `**${'Note that this is a whole sentence. '.repeat(3)}**`
    expect(partsOf(`**Results**\nA\n${long}\nB`)).toEqual([`A\n${long}\nB`, null, null])
  })
  it('S2-13 of two with the same name the first one counts that says something', () => {
    expect(partsOf('## Results\n\n## 核心成果\nA\n## Results\nB')).toEqual(['A', null, null])
  })
  it('S2-13 an empty part is none', () => expect(partsOf('## 核心成果\n \n## 填坑记录')).toEqual([null, null, null]))

  it.each([
    ['```', '```'],
    ['```markdown', '```  '],
    ['~~~ a `b`', '~~~~'],
    ['````md\n## 填坑记录\n```', '`````'],
    ['```\n~~~\n``` js', '```'],
    ['   ```', '  ```'],
  ])('S2-13 headings in code between %j and %j are code', (open, close) => {
    const code = `${open}\n## 填坑记录\n# Next steps\n${close}`
    expect(partsOf(`## 核心成果\nA\n${code}\nB`)).toEqual([`A\n${code}\nB`, null, null])
  })
  it.each([
    ['```', ''],
    ['```js', '``` js'],
    ['````', '```'],
    ['```', '~~~'],
    ['``` a`b', '```'],
    ['    ```', '```'],
    ['```', '    ```'],
  ])('S2-13 a fence %j that %j does not close hides nothing', (open, other) => {
    const pitfalls = `B\n${other}`.trim()
    expect(partsOf(`## 核心成果\nA\n${open}\n## 填坑记录\n${pitfalls}`)).toEqual([`A\n${open}`, pitfalls, null])
  })
  it('S2-13 behind a fence that is never closed others are fences', () => {
    const code = '```js\n``` js\n~~~\n## 填坑记录\n~~~'
    expect(partsOf(`## 核心成果\n${code}`)).toEqual([code, null, null])
  })

  it('S2-13 a long part is cut, the text is whole', () => {
    const { results, text } = readReportFile(`---\n---\n# Results\n${'字'.repeat(SECTION_CHARS_MAX + 1)}`).report
    expect(results).toBe(`${'字'.repeat(SECTION_CHARS_MAX - 3)}...`)
    expect(text).toHaveLength(SECTION_CHARS_MAX + 11)
    expect(partsOf(`# Results\n${'字'.repeat(SECTION_CHARS_MAX)}`)[0]).toBe('字'.repeat(SECTION_CHARS_MAX))
  })
})

/** Texts as people, models and attackers write them, for the round trips of files. */
import * as fc from 'fast-check'
import { SPENT_MAX } from '../../src/core/terms/delegation.ts'

/** What means something to one of the readers. */
const SIGNS = [
  '## 任务描述',
  '## 约束条件',
  '\\## 约束条件',
  '\\\\## 预期输出',
  '## 预期输出 ',
  '  ## 任务描述',
  '# Report',
  '## 核心成果',
  '### 填坑记录',
  '##下一步建议',
  '**核心成果**',
  '__Issues__:',
  '#### next steps',
  '\\## 核心成果',
  '---',
  '--- ',
  '----',
  '...',
  '```',
  '```js',
  '````',
  '~~~',
  '\\```',
  '  ```',
  '    ```',
  '    # code',
  '#',
  '#tag',
  'id: task-1',
  'status: FAILED',
  '- Status: completed',
  '**Status**: failed',
  'a: &b [*c]',
  '!!binary x',
  '"',
  "'",
  '\\',
  '',
  ' ',
  '\t',
  '😀',
  '漢字',
  '\u202eRTL',
  'e\u0301',
  '\u2028',
  '\u0085',
  '\ufeff',
  '__proto__: x',
  '<!-- # -->',
  '|',
  '>',
]
const line = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...SIGNS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('', ' ', '   ', '\\'), fc.constantFrom(...SIGNS))
      .map((parts) => parts.join('')),
  },
)
const joined = (ends: string[]) =>
  fc
    .array(fc.tuple(line, fc.constantFrom(...ends)), { maxLength: 12 })
    .map((lines) => lines.map((parts) => parts.join('')).join(''))

/** With any ends of lines. */
export const anyText = joined(['\n', '\n', '\n\n', '\r\n', '\r'])

/** Also halves of surrogate pairs. */
export const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
  .map((units) => String.fromCharCode(...units))

/** As it is stored: ends of lines are `\n`, nothing that cannot be stored, no space at the ends. */
export const storedText = joined(['\n', '\n', '\n\n']).map((text) =>
  text.replaceAll('\0', '0').replaceAll('\r', 'r').toWellFormed().trim(),
)

/** Any that is written in one line (EXTERNAL_ID). */
export const externalId = fc
  .oneof(
    fc.uuid(),
    fc.constantFrom(
      'yes',
      '1:20',
      '007',
      '1e3',
      '"quoted"',
      "it's",
      'a: b',
      'a #b',
      '#a',
      '--- x',
      '---',
      '*a',
      '&a',
      '!a',
      '[a]',
      '%a',
      ' a ',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  )
  .filter((id) => /^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u.test(id) && id.isWellFormed())

/** Of a share or of what was spent; without any of them there is none. */
export const amounts = fc.option(
  fc
    .record(
      {
        tokens: fc.nat({ max: SPENT_MAX.tokens }),
        cost: fc.double({ min: 0, max: SPENT_MAX.cost, noNaN: true }).map(Math.floor),
        working_ms: fc.double({ min: 0, max: SPENT_MAX.working_ms, noNaN: true }).map(Math.floor),
      },
      { requiredKeys: [] },
    )
    .filter((said) => Object.keys(said).length > 0),
  { nil: null },
)

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COMMAND_FORMS } from '../../../src/core/workspace/commands/forms.ts'
import { workspace } from './desk.ts'

describe('the grammar takes anything', () => {
  const words = fc.constantFrom(
    ...COMMAND_FORMS.map(({ words: head }) => head),
    '--tag',
    '--priority',
    '--due',
    '--remind',
    '--interval',
    '--times',
    '--duration',
    '--remind-start',
    '--view',
    '2026-03-20 10:00',
    '2026-02-30 10:00',
    '0000-00-00 99:99',
    '1',
    '0',
    '-1',
    '007',
    '9'.repeat(400),
    'on',
    'off',
    'day',
    'month',
    '2026-03',
    'today',
    '#',
    '__proto__',
    'constructor',
    '😀',
    '\ud83d',
    '|',
    '\n',
    '买牛奶',
  )
  const inputs = fc.oneof(
    fc
      .array(fc.oneof(words, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 12 })
      .map((parts) => parts.join(' ')),
    fc.string({ unit: 'binary' }).map((text) => `/${text}`),
  )
  it('2.1 no input makes a command throw, and a failed one changes nothing', () =>
    fc.assert(
      fc.property(fc.array(inputs, { maxLength: 6 }), (commands) => {
        const space = workspace()
        for (const command of commands) {
          const before = space.stored()
          if (!space.run(command).ok) expect(space.stored()).toEqual(before)
        }
      }),
      { numRuns: 500 },
    ))
  it.each([
    ['white space', `/todo add x${' '.repeat(15_980)}`],
    ['a tag without value many times', `/todo add ${'--tag '.repeat(2_600)}`],
    ['spaces behind an option', `/todo add x --due${' '.repeat(15_900)}y`],
    ['digits', `/schedule add 2026-03-20 10:00 x --interval ${'9'.repeat(15_900)}`],
    ['one long word', `/todo search ${'a'.repeat(15_900)}`],
    ['dates', `/todo add ${'--due 2026-01-01 '.repeat(900)}`],
  ])('16 000 characters of %s are answered at once', (_, input) => {
    const started = performance.now()
    expect(workspace().run(input).text.length).toBeGreaterThan(0)
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

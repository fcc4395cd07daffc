/** The command line of `loop`: what is read, and what is said of a mistake. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { Drive } from '../../src/core/terms/status.ts'
import { DRIVES, MODES, readArguments, STATUSES, UsageError } from '../../clients/typescript/src/cli/arguments.ts'

const mistakeOf = (...argv: string[]) => {
  try {
    readArguments(argv)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return 'no mistake'
}

it('U60 knows the modes, drives and statuses of the contract', () => {
  const { components } = z
    .object({
      components: z.object({ schemas: z.record(z.string(), z.looseObject({ enum: z.array(z.string()).optional() })) }),
    })
    .parse(parse(readFileSync('openapi.yaml', 'utf8')))
  const namesOf = (name: string) => components.schemas[name]?.enum?.toSorted()
  expect([MODES.toSorted(), STATUSES.toSorted()]).toEqual([namesOf('Mode'), namesOf('Status')])
  expect(DRIVES.toSorted()).toEqual([...Drive.options].toSorted())
})

describe('U60 the command line', () => {
  const RUN = {
    command: 'run',
    texts: ['Buy milk'],
    mode: 'session',
    files: ['a.csv', 'b.md'],
    json: true,
    step: false,
  }
  it.each([
    [['run', 'Buy milk', '--mode', 'session', '--file', 'a.csv', '--file=b.md', '--json']],
    [['--mode=session', '--json', '--file', 'a.csv', '--file', 'b.md', 'run', 'Buy milk']],
    [['--file', 'a.csv', 'run', '--json', 'Buy milk', '--mode', 'session', '--file', 'b.md']],
    [['--json', '--mode', 'session', '--file', 'a.csv', '--file', 'b.md', '--', 'run', 'Buy milk']],
  ])('U60 takes options before and behind the command: %j', (argv) => {
    expect(readArguments(argv)).toEqual(RUN)
  })

  it.each([
    [['answer', 'task_1', '-5 degrees'], '-5 degrees'],
    [['answer', 'task_1', '-5'], '-5'],
    [['answer', 'task_1', '--json is what I want'], '--json is what I want'],
    [['answer', 'task_1', '- a\n- b'], '- a\n- b'],
    [['answer', 'task_1', '--', '-x'], '-x'],
    [['answer', 'task_1', '--', '--json'], '--json'],
    [['answer', '--', 'task_1', '-- --'], '-- --'],
    [['answer', 'task_1', '-'], '-'],
    [['answer', 'task_1', ''], ''],
  ])('U60 takes a text that begins with "-": %j', (argv, text) => {
    expect(readArguments(argv)).toMatchObject({ texts: ['task_1', text], json: false })
  })

  it('U60 takes a value that begins with "-" and has blanks', () => {
    expect(readArguments(['run', 'a', '--file', '-a b.csv'])).toMatchObject({ files: ['-a b.csv'] })
  })

  it.each([[['--help']], [['run', '--help']], [['-h']], [['show', 'task_1', '-h']]])('U60 helps with %j', (argv) => {
    expect(readArguments(argv)).toBeNull()
  })

  it.each<[string[], string]>([
    [[], 'Which command?'],
    [['--json'], 'Which command?'],
    [['rum', 'a'], 'There is no command "rum". Did you mean "run"?'],
    [['anser', 'task_1', 'a'], 'There is no command "anser". Did you mean "answer"?'],
    [['rnu'], 'There is no command "rnu". Did you mean "run"?'],
    [['quux'], 'There is no command "quux".'],
    [['__proto__'], 'There is no command "__proto__".'],
    [['x'.repeat(1000)], `There is no command "${'x'.repeat(1000)}".`],
    [
      ['run', 'a', '--jsn'],
      'There is no option --jsn. Did you mean "--json"? A text that begins with "-" stands behind "--".',
    ],
    [
      ['run', 'a', '--max_steps=3'],
      'There is no option --max_steps. Did you mean "--max-steps"? A text that begins with "-" stands behind "--".',
    ],
    [['answer', 'task_1', '-x'], 'There is no option -x. A text that begins with "-" stands behind "--".'],
    [['show', 'task_1', '--mode', 'session'], 'loop show takes no --mode.'],
    [['run'], 'loop run needs the goal.'],
    [['show'], 'loop show needs the id of a task.'],
    [['answer', 'task_1'], 'loop answer needs the text.'],
    [['show', '..'], '".." is not the id of a task. loop list shows those that there are.'],
    [['run', 'Buy', 'milk'], 'loop run takes goal, and got "milk" too. Put a text with blanks in quotes.'],
    [['list', 'x'], 'loop list takes no text, and got "x" too.'],
    [
      ['run', 'a', '--mode', 'sesion'],
      '--mode is one of plan_execute, dynamic, session, autonomous, orchestrator, not "sesion". Did you mean "session"?',
    ],
    [['run', 'a', '--drive', 'auto'], '--drive is one of background, manual, not "auto".'],
    [['run', 'a', '--max-steps', 'ten'], '--max-steps must be a whole number from 1 on, not "ten".'],
    [['run', 'a', '--max-steps', '0'], '--max-steps must be a whole number from 1 on, not "0".'],
    [['run', 'a', '--max-steps', '-5'], '--max-steps must be a whole number from 1 on, not "-5".'],
    [['tail', 'task_1', '--after', '1e3'], '--after must be a whole number from 0 on, not "1e3".'],
  ])('U60 says of %j what is wrong', (argv, message) => {
    expect(mistakeOf(...argv)).toBe(message)
  })

  it.each([[['run', 'a', '--mode']], [['run', 'a', '--json=yes']], [['run', 'a', '--mode', '--json']]])(
    'U60 says of %j that a value is missing or too much',
    (argv) => {
      expect(mistakeOf(...argv)).toMatch(/^Option '.*--(?:mode|json)/)
    },
  )
})

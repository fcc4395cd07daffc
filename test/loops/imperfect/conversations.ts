/** Tasks in the modes that are one conversation, and the imperfect replies of their models. */
import { calling, cutReply, type Calling, type Line } from '../../support/scripted.ts'
import type { Expected } from './forms.ts'
import type { Slot } from './judge.ts'

type Row = [category: string, name: string, expected: Expected, line: Line]
interface Table {
  slot: Slot
  rows: readonly Row[]
}

const MILK = '/todo add milk'
const BREAD = '/todo add bread'
const CALL = JSON.stringify({ command: MILK })
const FENCED = `\`\`\`json\n{"name":"todo","arguments":${CALL}}\n\`\`\``
const OTHER_CALL = JSON.stringify({ command: BREAD })
/** With quotation marks and signs of full width in its text. */
const MARKED = '/todo add 说"好"，走：对'
const MARKED_CALL = JSON.stringify({ command: MARKED })
const note = (said: string, command: string): Calling => calling(said, ['todo', { command }])
const STEPS = '[Step] Note the milk\n[Step] Note the bread'
const ANSWER = 'Milk and bread are on the list.'
const cutCalling = (reply: Calling): object => ({ ...reply, cut: reply.said })

const session = (name: string, replies: Line[], at: number): Slot => ({
  name: `session ${name}`,
  mode: 'session',
  settings: {},
  goal: 'Buy milk and bread',
  replies,
  at,
})
const PLANNED: Line[] = [note(STEPS, MILK), note('[Done]', BREAD), `[Done]\n${ANSWER}`]
const THREE: Line[] = [
  note(`${STEPS}\n[Step] Tell the user`, MILK),
  note('[Done]', BREAD),
  `[Done]\n${ANSWER}\n[Goal reached]`,
]
const PLAIN: Line[] = [note('', MILK), note('', BREAD), ANSWER]

const stepsAs = (form: (title: string, index: number) => string): Line =>
  note(['Note the milk', 'Note the bread'].map(form).join('\n'), MILK)

const STEP_ROWS: Row[] = [
  ['forms of steps', 'numbers', 'understood', stepsAs((title, index) => `${index + 1}. [Step] ${title}`)],
  ['forms of steps', 'dashes', 'understood', stepsAs((title) => `- [Step] ${title}`)],
  ['forms of steps', 'stars', 'understood', stepsAs((title) => `* [step] ${title}`)],
  ['forms of steps', 'bold marks', 'understood', stepsAs((title) => `**[Step]** ${title}`)],
  ['forms of steps', 'bold lines', 'understood', stepsAs((title) => `**[Step] ${title}**`)],
  ['forms of steps', 'capitals', 'understood', stepsAs((title) => `[STEP] ${title}`)],
  ['forms of steps', 'a colon behind the mark', 'understood', stepsAs((title) => `[Step]: ${title}`)],
  ['forms of steps', 'prose around them', 'understood', note(`Sure, I plan first.\n\n${STEPS}\n\nI begin.`, MILK)],
  ['think blocks', 'a think block before them', 'understood', note(`<think>What first?</think>\n${STEPS}`, MILK)],
  ['forms of steps', 'lines of Windows', 'understood', note(STEPS.replaceAll('\n', '\r\n'), MILK)],
  ['calls', 'steps without a call', 'told', STEPS],
  ['calls as text', 'a fence below them', 'either', `${STEPS}\n${FENCED}`],
  ['calls as text', 'a fence below numbered ones', 'either', `1. ${STEPS.replace('\n', '\n2. ')}\n${FENCED}`],
  ['cut replies', 'cut by the endpoint', 'told', cutCalling(note(STEPS.slice(0, -6), MILK))],
]

const called = (name: string, args: string): Line => calling('', [name, args])
const CALL_ROWS: Row[] = [
  ['names of tools', 'capitals', 'understood', called('ToDo', CALL)],
  ['names of tools', 'the prefix "functions."', 'understood', called('functions.todo', CALL)],
  ['names of tools', 'a tool that does not exist', 'told', called('todos_list', CALL)],
  ['arguments', 'a comma behind the last one', 'understood', called('todo', `{"command":"${MILK}",}`)],
  ['arguments', 'single quotes', 'understood', called('todo', `{'command':'${MILK}'}`)],
  ['arguments', 'a fence', 'understood', called('todo', `\`\`\`json\n${CALL}\n\`\`\``)],
  ['arguments', 'the object once more as a text', 'understood', called('todo', JSON.stringify(CALL))],
  ['arguments', 'the text alone', 'understood', called('todo', MILK)],
  ['arguments', 'the text with quotation marks', 'understood', called('todo', JSON.stringify(MILK))],
  ['arguments', 'another name of the one argument', 'understood', called('todo', JSON.stringify({ input: MILK }))],
  ['arguments', 'an argument more', 'understood', called('todo', JSON.stringify({ command: MILK, note: 'first' }))],
  [
    'arguments',
    'no slash before the command',
    'understood',
    called('todo', JSON.stringify({ command: MILK.slice(1) })),
  ],
  ['arguments', 'cut in the middle', 'told', called('todo', '{"command":"/todo add mi')],
  ['arguments', 'none', 'told', called('todo', '{}')],
  ['arguments', 'a colon of full width', 'understood', called('todo', CALL.replace('":', '"：'))],
  ['two objects', 'two in the arguments', 'told', called('todo', `${CALL}\n${OTHER_CALL}`)],
  ['two objects', 'a broken one behind it', 'told', called('todo', `${CALL} {"command" "${BREAD}`)],
  ['two objects', 'a broken one before it', 'told', called('todo', `{"command"::"${BREAD}"} ${CALL}`)],
  ['the same object', 'twice in the arguments', 'understood', called('todo', `${CALL}\n${CALL}`)],
  ['the same object', 'once with a comma too many', 'understood', called('todo', `${CALL.slice(0, -1)},} ${CALL}`)],
  ['too much to mend', 'marks that are doubted', 'told', called('todo', `{"command":['a${",x'y".repeat(3_000)},z]}`)],
  ['too much to mend', 'a long comment', 'told', called('todo', `{/* ${'so '.repeat(6_000)}*/"command":"${MILK}"}`)],
  ['calls as text', 'a fence', 'either', `\`\`\`json\n{"name":"todo","arguments":${CALL}}\n\`\`\``],
  ['calls as text', 'a tag', 'either', `<tool_call>\n{"name":"todo","arguments":${CALL}}\n</tool_call>`],
  ['calls as text', 'the object alone', 'either', `{"name":"todo","arguments":${CALL}}`],
  ['calls as text', 'tool and input', 'either', JSON.stringify({ tool: 'todo', input: MILK })],
  ['calls as text', 'in the form of a function', 'either', `todo(${CALL})`],
  ['calls as text', 'beside a line with a number in brackets', 'told', `[1] Milk is missing.\n${FENCED}`],
  ['calls as text', 'beside a link', 'told', `${FENCED}\n[Shop](https://example.com)`],
  ['calls as text', 'beside a mark in quotes', 'told', `"[Done]" ends a step.\n${FENCED}`],
  ['empty replies', 'nothing', 'told', ''],
  ['empty replies', 'nothing but a think block', 'told', '<think>What now?</think>'],
  ['cut replies', 'cut with its call', 'told', cutCalling(note('I note the milk, which', MILK))],
]

const MARKED_ROWS: Row[] = [
  ['quotation marks', 'without a backslash', 'understood', called('todo', MARKED_CALL.replaceAll('\\"', '"'))],
  [
    'quotation marks',
    'and a colon of full width',
    'understood',
    called('todo', MARKED_CALL.replaceAll('\\"', '"').replace('":', '"：')),
  ],
  ['quotation marks', 'in a text that may end early', 'told', called('todo', `{"command"："说"好"，"b"："c"，对"}`)],
]

const doneAs = (mark: string): Line => note(mark, BREAD)
const DONE_ROWS: Row[] = [
  ['marks of an end', 'small letters', 'understood', doneAs('[done]')],
  ['marks of an end', 'bold', 'understood', doneAs('**[Done]**')],
  ['marks of an end', 'a dot behind it', 'understood', doneAs('[Done].')],
  ['marks of an end', 'a sentence before it', 'understood', doneAs('The milk is on the list. [Done]')],
  ['marks of an end', 'in Chinese', 'understood', doneAs('[完成]')],
  ['marks of an end', 'a sentence without a dot before it', 'understood', doneAs('The milk is on the list [Done]')],
  ['marks of an end', 'a number before it', 'understood', doneAs('1. [Done] The milk is on the list.')],
  ['marks of an end', 'a colon behind it', 'understood', doneAs('[Done]: the milk is on the list')],
  ['calls as text', 'below the mark', 'either', `**[Done]**\n${FENCED.replace(MILK, BREAD)}`],
]
/** Replies that speak of a mark, while two steps are open. None of these ends. */
const SPOKEN_ROWS: Row[] = [
  ['marks that are spoken of', 'in a sentence', 'told', 'I will write [Done] when the bread is on the list.'],
  ['marks that are spoken of', 'at the end of a sentence', 'told', 'When the bread is on the list, I write [Done].'],
  ['marks that are spoken of', 'in quotation marks', 'told', 'The bread comes next.\n"[Done]"'],
  ['marks that are spoken of', 'in backticks', 'told', 'My last line will be `[Goal reached]`'],
  [
    'marks that are spoken of',
    'in a list',
    'told',
    'My marks:\n- [Done]: a step is finished\n- [Goal reached]: all are',
  ],
  ['marks that are spoken of', 'in a list of finished steps', 'told', 'So far:\n- [Done] Note the milk'],
  ['marks that are spoken of', 'as a subject', 'told', '[Done] means that a step is finished.'],
  ['marks that are spoken of', 'in Chinese', 'told', '面包记下后我会写 [完成]'],
]
const ANSWER_ROWS: Row[] = [
  ['think blocks', 'the end of a think block before it', 'understood', `All [Done].\n</think>\n[Done]\n${ANSWER}`],
  ['marks of an end', 'behind the answer', 'understood', `${ANSWER}\n[Done]`],
  ['think blocks', 'a think block before the answer', 'understood', `<think>All done.</think>[Done]\n${ANSWER}`],
  ['marks of an end', 'the mark alone', 'told', '[Done]'],
  ['cut replies', 'cut by the endpoint', 'told', cutReply(`[Done]\n${ANSWER.slice(0, 15)}`)],
  ['empty replies', 'blanks', 'told', ' \n'],
]

const THOUGHT = '<thinking>It is clear what comes next.</thinking>'
const tasks = (first: string, second: string) =>
  `<tasks>\n- [${first}] Look at the rows\n- [${second}] Sum them up\n</tasks>`
const run = (said: string, code = 'print(1)'): Calling => calling(said, ['run_code', { code }])
const MARKED_CODE = 'print("一，二：三")'
const REPORT = '# Report\nThe sum is 1.'
const END = '---\n[ANALYSIS_COMPLETE]'
const AUTONOMOUS: Line[] = [
  calling(`${THOUGHT}\n${tasks(' ', ' ')}`, ['read_dataset', {}]),
  run(`${THOUGHT}\n${tasks('x', ' ')}`),
  `${THOUGHT}\n${tasks('x', 'x')}\n${REPORT}\n${END}`,
]
const autonomous = (name: string, at: number, replies = AUTONOMOUS): Slot => ({
  name: `autonomous ${name}`,
  mode: 'autonomous',
  settings: {},
  goal: 'Sum the rows up',
  replies,
  at,
})
const runAs = (name: string, args: string): Line => calling(`${THOUGHT}\n${tasks('x', ' ')}`, [name, args])
const LIST = tasks('x', ' ')
const BLOCK_ROWS: Row[] = [
  ['forms of tasks', 'a capital as the mark', 'understood', run(`${THOUGHT}\n${tasks('X', ' ')}`)],
  ['forms of tasks', 'no end of the list', 'understood', run(`${THOUGHT}\n${LIST.replace('</tasks>', '')}`)],
  ['forms of tasks', 'tags in capitals', 'understood', run(`${THOUGHT}\n${LIST.replaceAll('tasks>', 'TASKS>')}`)],
  ['forms of tasks', 'blanks in the tags', 'understood', run(`${THOUGHT}\n${LIST.replace('<tasks>', '< tasks >')}`)],
  [
    'forms of tasks',
    'a fence in the list',
    'understood',
    run(`${THOUGHT}\n${LIST.replace('<tasks>', '<tasks>\n```').replace('</tasks>', '```\n</tasks>')}`),
  ],
  ['forms of tasks', 'a fence around it', 'understood', run(`${THOUGHT}\n\`\`\`\n${LIST}\n\`\`\``)],
  ['forms of tasks', 'the list first', 'understood', run(`${LIST}\n${THOUGHT}`)],
  [
    'forms of tasks',
    'notes in brackets',
    'understood',
    run(`${THOUGHT}\n${LIST.replace('the rows', 'the rows (12 rows)')}`),
  ],
  ['missing members', 'no thought', 'understood', run(LIST)],
  ['missing members', 'an unclosed thought', 'understood', run(`<thinking>It is clear.\n\n${LIST}`)],
  ['think blocks', 'a think block before all', 'understood', run(`<think>Hm.</think>${THOUGHT}\n${LIST}`)],
  ['names of tools', 'the prefix "functions."', 'understood', runAs('functions.run_code', '{"code":"print(1)"}')],
  ['names of tools', 'a tool that does not exist', 'told', runAs('python', '{"code":"print(1)"}')],
  ['arguments', 'a comma behind the last one', 'understood', runAs('run_code', '{"code":"print(1)",}')],
  [
    'arguments',
    'the object once more as a text',
    'understood',
    runAs('run_code', JSON.stringify('{"code":"print(1)"}')),
  ],
  ['two objects', 'two in the arguments', 'told', runAs('run_code', '{"code":"print(1)"}\n{"code":"print(2)"}')],
  ['two objects', 'a broken one before it', 'told', runAs('run_code', '{"code"::"print(2)"} {"code":"print(1)"}')],
  ['the same object', 'twice', 'understood', runAs('run_code', '{"code":"print(1)"}\n{"code":"print(1)"}')],
  ['too much to mend', 'marks that are doubted', 'told', runAs('run_code', `{"code":['a${",x'y".repeat(3_000)},z]}`)],
  [
    'calls as text',
    'a fence',
    'either',
    `${THOUGHT}\n${LIST}\n\`\`\`json\n{"name":"run_code","arguments":{"code":"print(1)"}}\n\`\`\``,
  ],
  [
    'calls as text',
    'a tag',
    'either',
    `${THOUGHT}\n${LIST}\n<tool_call>{"name":"run_code","arguments":{"code":"print(1)"}}</tool_call>`,
  ],
  [
    'calls as text',
    'beside a line with a number in brackets',
    'told',
    `${LIST}\n[1] The rows.\n<tool_call>{"name":"run_code","arguments":{"code":"print(1)"}}</tool_call>`,
  ],
  ['think blocks', 'the end of a think block before all', 'understood', run(`I think.\n</think>\n${THOUGHT}\n${LIST}`)],
  ['calls', 'no call', 'told', `${THOUGHT}\n${LIST}\nI will now sum the rows up.`],
  ['empty replies', 'nothing', 'told', ''],
  ['cut replies', 'cut with its call', 'told', cutCalling(run(`${THOUGHT}\n<tasks>\n- [x] Look at`))],
]
const MARKED_CODE_ROWS: Row[] = [
  ['quotation marks', 'without a backslash', 'understood', runAs('run_code', `{"code":"${MARKED_CODE}"}`)],
  ['quotation marks', 'and a colon of full width', 'understood', runAs('run_code', `{"code"："${MARKED_CODE}"}`)],
]
const ended = (end: string): Line => `${THOUGHT}\n${tasks('x', 'x')}\n${REPORT}\n${end}`
const END_ROWS: Row[] = [
  ['marks of an end', 'small letters', 'understood', ended('---\n[analysis_complete]')],
  ['marks of an end', 'bold', 'understood', ended('**[ANALYSIS_COMPLETE]**')],
  ['marks of an end', 'no rule before it', 'understood', ended('[ANALYSIS_COMPLETE]')],
  ['marks of an end', 'a dot behind it', 'understood', ended('[ANALYSIS_COMPLETE].')],
  ['marks of an end', 'none, but all tasks are ticked', 'understood', ended('')],
  ['marks of an end', 'no report', 'told', `${THOUGHT}\n${tasks('x', 'x')}\n${END}`],
  ['marks of an end', 'an open task', 'told', `${THOUGHT}\n${LIST}\n${REPORT}\n${END}`],
  ['cut replies', 'cut by the endpoint', 'told', cutReply(`${THOUGHT}\n${tasks('x', 'x')}\n# Report\nThe`)],
  ['empty replies', 'blanks', 'told', ' \n '],
]

const STAGED_LIST = '<tasks>\n- [ ] Look at the rows\n- [ ] Sum them up\n</tasks>'
const FOUND = 'There are 12 rows.'
const STAGED: Line[] = [STAGED_LIST, run(''), FOUND, run(''), 'The sum is 1.', REPORT]
const staged = (name: string, at: number): Slot => ({
  ...autonomous(name, at),
  name: `autonomous in stages, ${name}`,
  settings: { agent_mode: 'staged' },
  replies: STAGED,
})
const PLAN_ROWS: Row[] = [
  ['forms of tasks', 'a thought before the list', 'understood', `${THOUGHT}\n${STAGED_LIST}`],
  ['think blocks', 'a think block before the list', 'understood', `<think>Hm.</think>\n${STAGED_LIST}`],
  ['forms of tasks', 'prose around it', 'understood', `Here is the plan:\n\n${STAGED_LIST}\n\nShall I begin?`],
  ['forms of tasks', 'tags in capitals', 'understood', STAGED_LIST.replaceAll('tasks>', 'TASKS>')],
  ['forms of tasks', 'a fence around it', 'understood', `\`\`\`\n${STAGED_LIST}\n\`\`\``],
  ['forms of tasks', 'ticked tasks', 'understood', STAGED_LIST.replaceAll('[ ]', '[x]')],
  ['forms of tasks', 'no list', 'told', 'I will look at the rows, and then sum them up.'],
  ['empty replies', 'nothing', 'told', ''],
  ['cut replies', 'cut by the endpoint', 'told', cutReply('<tasks>\n- [ ] Look at')],
]
const FOUND_ROWS: Row[] = [
  ['forms of tasks', 'with the list', 'understood', `${FOUND}\n${tasks('x', ' ')}`],
  ['think blocks', 'a think block before it', 'understood', `<think>Right.</think>${FOUND}`],
  ['empty replies', 'nothing', 'told', ''],
  ['cut replies', 'cut by the endpoint', 'told', cutReply('There are 12')],
]
const STAGED_REPORT_ROWS: Row[] = [
  ['marks of an end', 'a mark that nobody asked for', 'understood', `${REPORT}\n${END}`],
  ['think blocks', 'a think block before it', 'understood', `<think>Now the report.</think>\n${REPORT}`],
  ['empty replies', 'blanks', 'told', ' \n '],
  ['cut replies', 'cut by the endpoint', 'told', cutReply('# Report\nThe')],
]

export const CONVERSATIONS: readonly Table[] = [
  { slot: session('first reply', PLANNED, 0), rows: STEP_ROWS },
  { slot: session('call', PLAIN, 0), rows: CALL_ROWS },
  { slot: session('call with quotation marks', PLAIN.with(0, note('', MARKED)), 0), rows: MARKED_ROWS },
  { slot: session('end of a step', PLANNED, 1), rows: DONE_ROWS },
  { slot: session('answer', PLANNED, 2), rows: ANSWER_ROWS },
  { slot: session('answer with open steps', THREE, 2), rows: SPOKEN_ROWS },
  { slot: autonomous('turn', 1), rows: BLOCK_ROWS },
  {
    slot: autonomous('code with quotation marks', 1, AUTONOMOUS.with(1, run(`${THOUGHT}\n${LIST}`, MARKED_CODE))),
    rows: MARKED_CODE_ROWS,
  },
  { slot: autonomous('report', 2), rows: END_ROWS },
  { slot: staged('plan', 0), rows: PLAN_ROWS },
  { slot: staged('conclusion', 2), rows: FOUND_ROWS },
  { slot: staged('report', 5), rows: STAGED_REPORT_ROWS },
]

/** How a run ends with replies that were told once, or that speak of marks. */
export interface Ending {
  name: string
  replies: readonly Line[]
  outcome: 'done' | 'partial' | 'not_done'
  /** The states of the steps. */
  steps: readonly string[]
  /** What is shown as the answer. */
  text?: string
}
const BESIDE = `So I call:\n${FENCED}`
const KEPT = 'The milk is on the list. I write [Done] for each step that is finished.'
export const ENDINGS: readonly Ending[] = [
  { name: 'steps without a call, twice', replies: [STEPS, STEPS], outcome: 'not_done', steps: [] },
  { name: 'a call as text beside other text, twice', replies: [BESIDE, BESIDE], outcome: 'not_done', steps: [] },
  { name: 'the mark alone, twice', replies: ['[Done]', '[Done]'], outcome: 'not_done', steps: [] },
  {
    name: 'steps without a call, twice, behind a finished step',
    replies: [note(STEPS, MILK), note('[Done]', BREAD), '[Step] Tell', '[Step] Tell'],
    outcome: 'partial',
    steps: ['completed', 'running'],
  },
  {
    name: 'the mark alone behind a kept reply',
    replies: [THREE[0] ?? '', ANSWER, '[Goal reached]'],
    outcome: 'done',
    steps: ['running', 'pending', 'pending'],
    text: ANSWER,
  },
  {
    name: 'the mark alone, twice, which finishes the last step',
    replies: [note('[Step] Note the milk', MILK), '[Done]', '[Done]'],
    outcome: 'done',
    steps: ['completed'],
  },
  {
    name: 'two answers that speak of the mark',
    replies: [THREE[0] ?? '', KEPT, KEPT],
    outcome: 'partial',
    steps: ['running', 'pending', 'pending'],
    text: KEPT,
  },
  {
    name: 'an answer whose lines begin with brackets',
    replies: ['[1] Vienna is the capital.\n[Link](https://example.com)'],
    outcome: 'done',
    steps: [],
    text: '[1] Vienna is the capital.\n[Link](https://example.com)',
  },
]
export const endingSlot = ({ name, replies }: Ending): Slot => session(name, [...replies], 0)

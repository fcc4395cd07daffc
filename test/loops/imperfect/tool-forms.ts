/** Imperfect calls of a tool whose input is JSON, in each mode that has it: written in the JSON of a reply, and called natively. */
import { calling, type Line } from '../../support/scripted.ts'
import type { Expected } from './forms.ts'
import { JSON_SLOTS } from './json-slots.ts'
import type { Slot } from './judge.ts'

type Row = [category: string, name: string, expected: Expected, line: Line]
interface Table {
  slot: Slot
  rows: readonly Row[]
}

const TOOL = 'add_todo'
const MEMBERS = { text: 'milk', due: '2026-11-27 15:00', priority: 2 }
const { text: _text, ...WITHOUT_TEXT } = MEMBERS

/** What a model gives in place of the members. */
const INPUTS: [name: string, expected: Expected, tool: string, members: object][] = [
  ['a date with T', 'understood', TOOL, { ...MEMBERS, due: '2026-11-27T15:00' }],
  ['a date with T, seconds and a zone', 'understood', TOOL, { ...MEMBERS, due: '2026-11-27T15:00:00Z' }],
  ['a date with its weekday', 'understood', TOOL, { ...MEMBERS, due: 'Fri 2026-11-27 15:00' }],
  ['a number as text', 'understood', TOOL, { ...MEMBERS, priority: '2' }],
  ['members that are null or empty', 'understood', TOOL, { ...MEMBERS, remind: null, tag: '' }],
  ['members in capitals', 'understood', TOOL, { Text: 'milk', Due: MEMBERS.due, Priority: 2 }],
  ['the members in one more object', 'understood', TOOL, { arguments: MEMBERS }],
  ['the name in capitals', 'understood', 'Add_Todo', MEMBERS],
  ['the prefix "functions."', 'understood', 'functions.add_todo', MEMBERS],
  ['a name that is slightly wrong', 'told', 'add_todos', MEMBERS],
  ['a missing member', 'told', TOOL, WITHOUT_TEXT],
  ['an unknown member', 'told', TOOL, { text: 'milk', priority: 2, deu: MEMBERS.due }],
  ['a date in words', 'told', TOOL, { ...MEMBERS, due: 'tomorrow' }],
  ['a word in place of a number', 'told', TOOL, { ...MEMBERS, priority: 'high' }],
  ['a date with the wrong weekday', 'told', TOOL, { ...MEMBERS, due: 'Mon 2026-11-27 15:00' }],
]
const TEXTS: [name: string, expected: Expected, input: string][] = [
  ['a comma behind the last member', 'understood', `${JSON.stringify(MEMBERS).slice(0, -1)},}`],
  ['the object once more as a text', 'understood', JSON.stringify(JSON.stringify(MEMBERS))],
  ['a text in place of the members', 'told', 'buy milk'],
  ['a slash command', 'told', '/todo add milk'],
]

type ReplyOf = (tool: string, input: string) => Line
const tableOf = (slot: Slot, name: string, replyOf: ReplyOf): Table => ({
  slot: {
    ...slot,
    name: `${slot.name}, ${name}`,
    replies: slot.replies.with(slot.at, replyOf(TOOL, JSON.stringify(MEMBERS))),
  },
  rows: [
    ...INPUTS.map(([row, expected, tool, members]): Row => [
      'members of tools',
      row,
      expected,
      replyOf(tool, JSON.stringify(members)),
    ]),
    ...TEXTS.map(([row, expected, input]): Row => ['members of tools', row, expected, replyOf(TOOL, input)]),
  ],
})

/** In the JSON of the slot's reply. */
const written = (name: string, member: 'next_action' | 'action' | null): Table => {
  const slot = JSON_SLOTS.find((one) => one.name === name)
  const reply = slot?.replies[slot.at]
  if (slot === undefined || typeof reply !== 'object') throw new Error(`no slot ${name}`)
  return tableOf(slot, TOOL, (tool, input) => {
    const action = { tool, input, save_as: null }
    return member === 'action'
      ? { ...reply, action }
      : member === null
        ? action
        : { ...reply, [member]: { tool, input } }
  })
}

const FEW = { calls: 'few' } as const
const DONE = { status: 'done', current_step: null, next_action: null, question: null, response: null }
const MOVED = { thought: 'It is on the list', is_complete: true, reason: 'Milk is noted', answer: 'Milk is noted' }
const slotOf = (mode: Slot['mode'], replies: Line[], at: number): Slot => ({
  name: mode,
  mode,
  settings: mode === 'session' ? {} : FEW,
  goal: 'Buy milk',
  replies,
  at,
})
/** As a native call. */
const called = (slot: Slot): Table => tableOf(slot, `${TOOL} called`, (tool, input) => calling('', [tool, input]))

/** Whether a native call finishes its item, told in other words than true and false. */
const END_WORDS: [yes: unknown, no: unknown][] = [
  ['yes', 'no'],
  ['True.', 'False.'],
  [1, 0],
  ['1', '0'],
  ['"true"', "'false'"],
  ['是', '否'],
  ['对！', '不是。'],
]
const ending = (mode: Slot['mode'], ends: boolean, replies: Line[]): Table => {
  const call = (ends_item: unknown) => calling('', ['todo', { command: '/todo add milk', ends_item }])
  const at = 1
  const slot = { ...slotOf(mode, replies.with(at, call(ends)), at), name: `${mode} ends_item ${ends} called` }
  const rows = END_WORDS.map(([yes, no]): Row => {
    const word = ends ? yes : no
    return ['yes and no', JSON.stringify(word), 'understood', call(word)]
  })
  return { slot, rows }
}
const ONE_ITEM = { status: 'planned', plan: ['Note the milk'] }
const CLOSED = { status: 'done', plan: [], response: 'Milk is noted' }
const ONE_STEP = { steps: [{ name: 'Note the milk', description: '', expected_output: '' }] }
const ENDED_MOVE = { ...MOVED, add_steps: [], remove_steps: [], action: null }

/** Arguments of a native call that are not one JSON object. */
const brokenArguments = (mode: Slot['mode'], replies: Line[]): Table => {
  const call = (args: string) => calling('', ['todo', args])
  const args = '{"command":"/todo add milk"}'
  const slot = { ...slotOf(mode, replies.with(1, call(args)), 1), name: `${mode} arguments called` }
  const rows: Row[] = [
    ['arguments', 'a comma too many', 'understood', call('{"command":"/todo add milk",}')],
    ['the same object', 'twice', 'understood', call(`${args}\n${args}`)],
    ['two objects', 'two', 'told', call(`${args}\n{"command":"/todo add bread"}`)],
    ['two objects', 'a broken one behind it', 'told', call(`${args} {"command"::"/todo add bread"}`)],
    ['too much to mend', 'marks that are doubted', 'told', call(`{"command":['a${",x'y".repeat(3_000)},z]}`)],
    ['too much to mend', 'a long comment', 'told', call(`{/* ${'so '.repeat(6_000)}*/"command":"/todo add milk"}`)],
  ]
  return { slot, rows }
}

export const TOOL_TABLES: readonly Table[] = [
  ending('plan_execute', true, [ONE_ITEM, '', CLOSED]),
  ending('plan_execute', false, [ONE_ITEM, '', { ...DONE, response: 'Milk is noted' }, CLOSED]),
  ending('dynamic', true, [ONE_STEP, '', ENDED_MOVE]),
  ending('dynamic', false, [ONE_STEP, '', ENDED_MOVE]),
  brokenArguments('plan_execute', [ONE_ITEM, '', { ...DONE, response: 'Milk is noted' }, CLOSED]),
  brokenArguments('dynamic', [ONE_STEP, '', ENDED_MOVE]),
  written('plan_execute thought that acts', 'next_action'),
  written('dynamic action', null),
  written('dynamic move', 'action'),
  called(slotOf('plan_execute', [ONE_ITEM, '', { ...DONE, response: 'Milk is noted' }, CLOSED], 1)),
  called(slotOf('dynamic', [ONE_STEP, '', ENDED_MOVE], 1)),
  called(slotOf('session', ['', 'Milk is on the list.'], 0)),
]

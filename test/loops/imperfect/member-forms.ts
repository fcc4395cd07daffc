/** Imperfect members: what models write in place of the members that a phase asks for. */
import { isRecord } from '../../../src/core/terms/plain/is-record.ts'
import type { Expected, Form } from './forms.ts'

type Members = Record<string, unknown>

const change = (category: string, name: string, expected: Expected, of: (reply: Members) => unknown): Form => ({
  category,
  name,
  expected,
  of(reply) {
    const copy: unknown = JSON.parse(JSON.stringify(reply))
    const changed = isRecord(copy) ? of(copy) : null
    return changed === null ? null : JSON.stringify(changed)
  },
})
const without = (reply: Members, ...names: string[]): Members =>
  Object.fromEntries(Object.entries(reply).filter(([name]) => !names.includes(name)))
/** The reply with one member under another name. */
const renamed = (reply: Members, from: string, to: string): Members => ({ ...without(reply, from), [to]: reply[from] })

/** The member that holds the tool and its input. null: the reply acts itself. */
type Where = 'next_action' | 'action' | null
const actionForms = (where: Where): Form[] => {
  const actionIn = (reply: Members): Members => {
    const action = where === null ? reply : reply[where]
    return isRecord(action) ? action : {}
  }
  const put = (reply: Members, action: unknown): unknown => (where === null ? action : { ...reply, [where]: action })
  const changed = (category: string, name: string, expected: Expected, of: (action: Members) => unknown) =>
    change(category, name, expected, (reply) => put(reply, of(actionIn(reply))))
  return [
    changed('names of tools', 'capitals', 'understood', (action) => ({ ...action, tool: 'ToDo' })),
    changed('names of tools', 'blanks around it', 'understood', (action) => ({ ...action, tool: ' todo ' })),
    changed('names of tools', 'a blank and capitals within it', 'understood', (action) => ({
      ...action,
      tool: 'To Do',
    })),
    changed('names of tools', 'the prefix "functions."', 'understood', (action) => ({
      ...action,
      tool: 'functions.todo',
    })),
    changed('names of tools', 'brackets behind it', 'either', (action) => ({ ...action, tool: 'todo()' })),
    changed('names of tools', 'a tool that does not exist', 'told', (action) => ({ ...action, tool: 'todos_list' })),
    changed('inputs', 'an object of the one argument', 'understood', (action) => ({
      ...action,
      input: { command: action.input },
    })),
    changed('inputs', 'that object as a text', 'understood', (action) => ({
      ...action,
      input: JSON.stringify({ command: action.input }),
    })),
    changed('inputs', 'quotation marks around it', 'understood', (action) => ({
      ...action,
      input: `"${String(action.input)}"`,
    })),
    changed('inputs', 'no slash before it', 'understood', (action) => ({
      ...action,
      input: String(action.input).slice(1),
    })),
    changed('inputs', 'a list of the one input', 'either', (action) => ({ ...action, input: [action.input] })),
    changed('names of members', 'arguments in place of input', 'either', (action) =>
      renamed(action, 'input', 'arguments'),
    ),
    changed('names of members', 'name in place of tool', 'either', (action) => renamed(action, 'tool', 'name')),
    changed('names of members', 'tool_name and tool_input', 'either', (action) =>
      renamed(renamed(action, 'tool', 'tool_name'), 'input', 'tool_input'),
    ),
    changed('missing members', 'no input', 'told', (action) => without(action, 'input')),
    ...(where === null
      ? []
      : [
          change('one in a list', 'a list of the one action', 'either', (reply) => ({
            ...reply,
            [where]: [reply[where]],
          })),
          change('names of members', 'the other name of the action', 'either', (reply) =>
            renamed(reply, where, where === 'action' ? 'next_action' : 'action'),
          ),
          change('other', 'the action as one text', 'either', (reply) => ({
            ...reply,
            [where]: 'todo: /todo add milk',
          })),
        ]),
  ]
}

const listForms = (list: string, other: string, title: string): Form[] => {
  const titleOf = (item: unknown) => (isRecord(item) ? item[title] : item)
  const items = (reply: Members): unknown[] => {
    const value = reply[list]
    return Array.isArray(value) ? value : []
  }
  const listed = (category: string, name: string, expected: Expected, of: (item: unknown, index: number) => unknown) =>
    change(category, name, expected, (reply) => ({ ...reply, [list]: items(reply).map(of) }))
  const objectOf = (item: unknown, name: string) => (isRecord(item) ? renamed(item, title, name) : { [name]: item })
  return [
    change('names of members', `${other} in place of ${list}`, 'understood', (reply) => renamed(reply, list, other)),
    listed('names of members', 'objects with title', 'understood', (item) => objectOf(item, 'title')),
    listed('names of members', 'objects with name', 'understood', (item) => objectOf(item, 'name')),
    listed('names of members', 'objects with step', 'understood', (item) => objectOf(item, 'step')),
    listed('names of members', 'objects with task', 'either', (item) => objectOf(item, 'task')),
    listed('extra members', 'items with a number and a status', 'understood', (item, index) => ({
      id: index + 1,
      status: 'pending',
      ...(isRecord(item) ? item : { title: item }),
    })),
    listed('other', 'blank items between', 'either', (item, index) =>
      index === 0 ? item : titleOf(item) === '' ? '' : item,
    ),
    change('other', 'the list as one text', 'either', (reply) => ({
      ...reply,
      [list]: items(reply)
        .map((item, index) => `${index + 1}. ${String(titleOf(item))}`)
        .join('\n'),
    })),
  ]
}

const DECISIONS: Form[] = [
  change('missing members', 'no reason', 'either', (reply) => without(reply, 'reason')),
  change('missing members', 'no list of changes', 'either', (reply) => without(reply, 'add_steps', 'remove_steps')),
  change('other', 'the reason as a list', 'either', (reply) => ({ ...reply, reason: [reply.reason] })),
]

/** By the name of the slot. */
export const MEMBER_FORMS: Record<string, readonly Form[]> = {
  'plan_execute plan': [
    ...listForms('plan', 'steps', 'title'),
    change('missing members', 'no status', 'understood', (reply) => without(reply, 'status')),
    change('one in a list', 'the bare list', 'told', (reply) => reply.plan),
  ],
  'plan_execute thought that acts': [
    ...actionForms('next_action'),
    change('missing members', 'no sentence about it', 'either', (reply) => without(reply, 'current_step')),
    change('broken matrix', 'an answer beside the action', 'told', (reply) => ({
      ...reply,
      response: 'Milk is noted',
    })),
    change('broken matrix', 'done beside the action', 'told', (reply) => ({ ...reply, status: 'done' })),
    change('calls as text', 'the form of a native call', 'either', () => ({
      name: 'todo',
      arguments: { command: '/todo add milk' },
    })),
  ],
  'plan_execute thought that concludes': [
    change('other', 'the response as a list', 'either', (reply) => ({ ...reply, response: [reply.response] })),
    change('missing members', 'an empty action', 'either', (reply) => ({ ...reply, next_action: {} })),
    change('missing members', 'an action of empty texts', 'either', (reply) => ({
      ...reply,
      next_action: { tool: '', input: '' },
    })),
    change('broken matrix', 'a question beside it', 'told', (reply) => ({ ...reply, question: 'Which milk' })),
  ],
  'plan_execute thought that asks': [
    change('enum words', 'asking as a tool', 'understood', (reply) => ({
      ...reply,
      status: 'continue',
      question: null,
      next_action: { tool: 'ask_user', input: reply.question },
    })),
    change('names of tools', 'asking as a tool "askUser" with members', 'understood', (reply) => ({
      ...reply,
      status: 'continue',
      question: null,
      next_action: { tool: 'askUser', input: { question: reply.question, choices: ['one', 'two'] } },
    })),
    change('missing members', 'no list of choices', 'understood', (reply) => ({ ...reply, choices: [] })),
    change('missing members', 'no question', 'told', (reply) => without(reply, 'question')),
    change('broken matrix', 'an action beside it', 'told', (reply) => ({
      ...reply,
      next_action: { tool: 'todo', input: '/todo list' },
    })),
  ],
  'plan_execute replan': [...listForms('plan', 'steps', 'title')],
  'plan_execute last replan': [
    change('missing members', 'no list', 'understood', (reply) => without(reply, 'plan')),
    change('missing members', 'no answer', 'told', (reply) => without(reply, 'response')),
    change('names of members', 'answer in place of response', 'either', (reply) =>
      renamed(reply, 'response', 'answer'),
    ),
  ],
  'dynamic plan': [
    ...listForms('steps', 'plan', 'name'),
    change('missing members', 'steps of a name alone', 'either', (reply) => ({
      steps: Array.isArray(reply.steps)
        ? reply.steps.map((step) => (isRecord(step) ? { ...step, description: null } : step))
        : [],
    })),
  ],
  'dynamic decision to go on': DECISIONS,
  'dynamic decision that ends and changes': [
    change('other', 'removed steps as objects', 'understood', (reply) => ({
      ...reply,
      remove_steps: [{ name: 'Note the bread' }],
    })),
    change('other', 'capitals and blanks in a removed step', 'understood', (reply) => ({
      ...reply,
      remove_steps: [' note the BREAD '],
    })),
    change('one in a list', 'one removed step without a list', 'either', (reply) => ({
      ...reply,
      remove_steps: 'Note the bread',
    })),
    change('one in a list', 'one added step without a list', 'either', (reply) => ({
      ...reply,
      add_steps: Array.isArray(reply.add_steps) ? reply.add_steps[0] : null,
    })),
  ],
  'dynamic action': [
    ...actionForms(null),
    change('other', 'the action in an object of its own', 'understood', (reply) => ({ action: reply })),
  ],
  'dynamic move': actionForms('action'),
  'dynamic move that ends and changes': [
    change('missing members', 'an action of empty texts', 'either', (reply) => ({
      ...reply,
      action: { tool: '', input: '', save_as: null },
    })),
    change('missing members', 'none as the action', 'understood', (reply) => ({ ...reply, action: 'none' })),
  ],
  'orchestrator plan': [
    ...listForms('steps', 'plan', 'title'),
    change('one in a list', 'the bare list', 'understood', (reply) => reply.steps),
    change('other', 'constraints as a list', 'understood', (reply) => ({
      steps: Array.isArray(reply.steps)
        ? reply.steps.map((step) => (isRecord(step) ? { ...step, constraints: [step.constraints] } : step))
        : [],
    })),
    change('missing members', 'steps without any text', 'told', () => ({ steps: [{ a: 1 }, { b: 2 }] })),
  ],
  'orchestrator evaluation: next': [
    change('missing members', 'no list of steps', 'understood', (reply) => without(reply, 'adjusted_steps')),
    change('names of members', 'status in place of decision', 'either', (reply) =>
      renamed(reply, 'decision', 'status'),
    ),
    change('names of members', 'verdict in place of decision', 'either', (reply) =>
      renamed(reply, 'decision', 'verdict'),
    ),
    change('enum words', 'continue in place of next', 'either', (reply) => ({ ...reply, decision: 'continue' })),
  ],
  'orchestrator evaluation: replan': [
    ...listForms('adjusted_steps', 'steps', 'title'),
    change('missing members', 'no new steps', 'told', (reply) => ({ ...reply, adjusted_steps: [] })),
  ],
}

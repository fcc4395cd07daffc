/** Short scripts of mode dynamic: questions, merged calls, few calls and what cannot be done stay the same at whatever call our worker dies. */
import { DATASET, during, script, type Move, type Phase, type Prediction, type Script } from './script.ts'

const says = (phase: Phase, reply: object): Move => ({ phase, kind: 'good', reply, leads: 'go' })
const P = (...names: string[]) =>
  says('plan', { steps: names.map((name) => ({ name, description: '', expected_output: 'it is there' })) })
const decision = (reason: string, is_complete: boolean, achieved: boolean | null = null) => ({
  reason,
  is_complete,
  achieved,
  answer: is_complete ? 'the answer' : null,
  add_steps: [],
  remove_steps: [],
})
const action = (input: string, tool: string) => ({ tool, input, save_as: null })
const T = says('think', { thought: 'it is clear what comes next' })
const GO = says('step_decision', decision('not yet', false))
const DONE = says('step_decision', decision('it is done', true))
const NOT_DONE = says('step_decision', decision('it cannot be done', true, false))
const A = (input: string, tool = 'schedule') => says('action', action(input, tool))
const M = (input: string, tool = 'schedule', ends_item = false) =>
  says('step_decision', {
    thought: 'on',
    ...decision('not yet', false),
    action: { ...action(input, tool), ...(ends_item ? { ends_item } : {}) },
  })
const M_DONE = says('step_decision', { thought: 'good', ...decision('it is done', true), action: null })

/** Only actions have a price. */
const ends = (actions: number): Prediction => ({ status: 'completed', stop_reason: 'done', steps: actions, actions })

const dynamic = (name: string, moves: Move[], rest: Parameters<typeof script>[2]): Script =>
  script(`S3 ${name}`, moves, { mode: 'dynamic', rounds: 3, ...rest })

const READ = A(`{"name":"${DATASET}"}`, 'read_file')
const M_READ = M(`{"name":"${DATASET}"}`, 'read_file')
const MERGED = { merged_calls: true, question_ttl_s: 60 }

const FRIDAY = { answers: ['Friday'] }
export const DYNAMIC_SCRIPTS: readonly Script[] = [
  dynamic('two steps, one of which cannot be done', [P('A', 'B'), T, GO, A('book'), T, DONE, T, NOT_DONE], {
    expects: ends(1),
  }),
  dynamic('a question and an action', [P('A'), T, GO, A('Which day?', 'ask_user'), T, GO, A('book'), T, DONE], {
    ...FRIDAY,
    expects: ends(1),
  }),
  dynamic('a question in a merged call', [P('A'), M('Which day?', 'ask_user'), M('book'), M_DONE], {
    ...FRIDAY,
    settings: { merged_calls: true },
    expects: ends(1),
  }),
  dynamic('a file that is put when it is asked for', [P('A'), T, GO, READ, T, GO, READ, T, DONE], {
    answers: [DATASET],
    expects: ends(2),
  }),
  dynamic('another file, and then the awaited one', [P('A'), M_READ, M_READ, M_DONE], {
    answers: ['other.csv', DATASET],
    settings: MERGED,
    expects: ends(2),
  }),
  dynamic('a file that is put while the tool looks for it', [P('A'), M_READ, M_READ, M_DONE], {
    ...during('tool.read_file', 1, 'put'),
    settings: MERGED,
    expects: ends(2),
  }),
  dynamic('a file that is put while its absence is written down', [P('A'), M_READ, M_READ, M_DONE], {
    ...during('store.commit', 3, 'put'),
    settings: MERGED,
    expects: ends(2),
  }),
  dynamic('a file that is put after the wait', [P('A'), M_READ, M_READ, M_DONE], {
    answers: ['silence'],
    remedies: ['put'],
    settings: MERGED,
    expects: ends(2),
  }),
  dynamic('a text in place of a file', [P('A'), M_READ, M_READ, M_DONE], {
    answers: ['say there is none'],
    settings: MERGED,
    expects: ends(2),
  }),
  dynamic(
    'few calls: actions that finish their steps',
    [P('A', 'B', 'C'), M('a', 'schedule', true), M('b', 'schedule', true), M('c'), M_DONE],
    {
      settings: { calls: 'few' },
      rounds: 1,
      expects: ends(3),
    },
  ),
  dynamic(
    'few calls: a question, and a step that goes on after a failure',
    [P('A', 'B'), M('Which day?', 'ask_user'), M('a', 'schedule', true), M('b', 'schedule', true), M_DONE],
    {
      ...FRIDAY,
      settings: { calls: 'few' },
      failing: [0],
      expects: ends(2),
    },
  ),
]

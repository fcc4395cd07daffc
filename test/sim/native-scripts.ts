/** Short scripts of modes whose model calls tools natively: questions of a session, and datasets that a run of its own waits for. */
import { DATASET, during, script, type Move, type Prediction, type Script } from './script.ts'

const turn = (text: string, ...calls: [name: string, args: object][]): Move => {
  const tool_calls = calls.map(([name, args], index) => ({
    id: `call_${index}`,
    name,
    arguments: JSON.stringify(args),
  }))
  const native = calls.length === 0 ? { text } : { text, tool_calls }
  return { phase: 'turn', kind: 'good', reply: {}, native, leads: 'go' }
}
const BOOK: [string, object] = ['schedule', { command: 'book' }]
const RING: [string, object] = ['ring', {}]
const asks = (question: string): [string, object] => ['ask_user', { question }]
const LOOK = turn('', ['read_dataset', {}])
const END = turn('All is done.')
const REPORT = turn('# Report\nIt grew.\n---\n[ANALYSIS_COMPLETE]')

/** Each turn costs one iteration, a lost one too. */
const ends =
  (turns: number, actions: number) =>
  (losses: number): Prediction => ({ status: 'completed', stop_reason: 'done', steps: turns + losses, actions })

/** More losses in a row than any script has would pause the task. */
const PATIENT = { failure_limit: 9 }

type Rest = Parameters<typeof script>[2]
const session = (name: string, moves: Move[], rest: Rest): Script =>
  script(`S4 ${name}`, moves, { mode: 'session', rounds: 2, settings: PATIENT, ...rest })

const analysis = (name: string, moves: Move[], { settings, ...rest }: NonNullable<Rest>): Script =>
  script(`S1 ${name}`, moves, {
    mode: 'autonomous',
    rounds: 2,
    settings: { ...PATIENT, dataset: DATASET, question_ttl_s: 60, ...settings },
    ...rest,
  })

/** A session reads a file that its goal names. */
const READ = turn('', ['read_file', { name: DATASET }])
const reading = (name: string, moves: Move[], { settings, ...rest }: NonNullable<Rest>): Script =>
  session(name, moves, { settings: { ...PATIENT, question_ttl_s: 60, ...settings }, ...rest })

const STAGED = { agent_mode: 'staged' as const }
const PLAN = turn('<thinking>one</thinking>\n<tasks>\n- [ ] Trend\n</tasks>')
const FOUND = turn('It grew.')
const WRITTEN = turn('# Report')

export const NATIVE_SCRIPTS: readonly Script[] = [
  session('a question', [turn('', asks('When?')), turn('', BOOK), END], { answers: ['tomorrow'], expects: ends(3, 1) }),
  session('a question between two actions of one reply', [turn('', BOOK, asks('When?'), BOOK), END], {
    answers: ['tomorrow'],
    rounds: 1,
    expects: ends(2, 2),
  }),
  session('two questions', [turn('', asks('When?')), turn('', asks('Where?')), END], {
    answers: ['tomorrow', 'here'],
    expects: ends(3, 0),
  }),
  session('a remark while a question is asked', [turn('', asks('When?')), END], {
    ...during('model.turn', 1, 'remark'),
    answers: ['tomorrow'],
    ends: ['completed'],
  }),
  reading('a file that is put when it is asked for', [READ, READ, END], { answers: [DATASET], expects: ends(3, 2) }),
  reading('another file, and then the awaited one', [READ, READ, END], {
    answers: ['other.csv', DATASET],
    expects: ends(3, 2),
  }),
  reading('a file that is put while the tool looks for it', [READ, READ, END], {
    ...during('tool.read_file', 1, 'put'),
    expects: ends(3, 2),
  }),
  reading('a file that is put while its absence is written down', [READ, READ, END], {
    ...during('store.commit', 2, 'put'),
    expects: ends(3, 2),
  }),
  reading('a file that is put after the wait', [READ, READ, END], {
    answers: ['silence'],
    remedies: ['put'],
    expects: ends(3, 2),
  }),
  reading(
    'a file that is missed before a question and another action',
    [turn('', ['read_file', { name: DATASET }], asks('When?'), BOOK), READ, END],
    { answers: ['tomorrow', DATASET], rounds: 1, expects: ends(3, 3) },
  ),
  reading('a text in place of a file', [READ, READ, END], { answers: ['say there is none'], expects: ends(3, 2) }),
  session('a tool that cannot be repeated', [turn('', RING), END], { expects: ends(2, 1) }),
  analysis('a dataset that is put when it is asked for', [LOOK, LOOK, REPORT], {
    answers: [DATASET],
    expects: ends(3, 2),
  }),
  analysis('another dataset, and then the awaited one', [LOOK, LOOK, REPORT], {
    answers: ['other.csv', DATASET],
    expects: ends(3, 2),
  }),
  analysis('a dataset that is put while the tool looks for it', [LOOK, LOOK, REPORT], {
    ...during('tool.read_dataset', 1, 'put'),
    expects: ends(3, 2),
  }),
  analysis('a dataset that is put while its absence is written down', [LOOK, LOOK, REPORT], {
    ...during('store.commit', 2, 'put'),
    expects: ends(3, 2),
  }),
  analysis('a dataset that is put after the wait', [LOOK, LOOK, REPORT], {
    answers: ['silence'],
    remedies: ['put'],
    expects: ends(3, 2),
  }),
  analysis('a dataset that a staged run asks for before it plans', [PLAN, FOUND, WRITTEN], {
    settings: STAGED,
    answers: [DATASET],
    expects: ends(3, 2),
  }),
]

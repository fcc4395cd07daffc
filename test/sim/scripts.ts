/** Short scripts for the exhaustive part: T1…T10, similar ones, and those of workers. A lost call is repeated and gets the same reply. */
import { act, ask, closing, done, endingAct, planned, replanned } from './player.ts'
import { during, LIFE, script, type Move, type Phase, type Script } from './script.ts'
import { DYNAMIC_SCRIPTS } from './dynamic-scripts.ts'
import { NATIVE_SCRIPTS } from './native-scripts.ts'
import { WORKER_SCRIPTS } from './worker-scripts.ts'

const good = (phase: Phase, reply: object, leads: Move['leads'] = 'go'): Move => ({ phase, kind: 'good', reply, leads })
const P = (...titles: string[]) => good('plan', planned(...titles))
const A = (tool = 'schedule', input = 'book') => good('thought', act(tool, input), 'act')
/** With `calls: few` the item ends with its action, if that succeeds. */
const AE = (tool = 'schedule') => good('thought', endingAct(tool, 'book'), 'act')
const FEW = { calls: 'few' as const }
const K = (question = 'When?') => good('thought', ask(question), 'wait')
/** A question that was already answered is not shown again (O0-12). */
const K_AGAIN = good('thought', ask('When?'), 'refused')
/** A third time the same action with the same result is not run. */
const D = good('thought', done('a conclusion'))
const X = good('thought', { ...done('no way'), achieved: false })
const R = (...titles: string[]) => good('replan', replanned(...titles))
const C = good('replan', closing('the answer'), 'end')
/** The work is done, and the closing call follows. */
const C_HELD = good('replan', closing('the answer'))
const DATA = good('result', { answer: 'milk' }, 'end')
const MISFIT: Move = { phase: 'result', kind: 'bad', reply: { answer: 7 }, leads: 'go' }
const bad = (phase: Phase): Move => ({ phase, kind: 'bad', reply: { status: 'nonsense' }, leads: 'go' })
const fail = (phase: Phase): Move => ({ phase, kind: 'fail', reply: {}, leads: 'go' })

const TOMORROW = { answers: ['tomorrow'] }
const YES = { answers: ['yes'] }
export const SCRIPTS: readonly Script[] = [
  script('T1 two items, one tool', [P('A', 'B'), A(), D, R('B'), D, C]),
  script('T1 in one request', [P('A', 'B'), A(), D, R('B'), D, C], { rounds: 50 }),
  script('T2 a question', [P('A'), K(), R('A'), A(), D, C], TOMORROW),
  script('T2 a slash command before the answer', [P('A'), K(), R('A'), D, C], {
    // Without a key, a repeated command would correctly add a second todo.
    answers: ['/todo list', 'tomorrow'],
  }),
  script('T3 at most 3', [P('A'), A(), A('schedule', 'two'), A('schedule', 'three')], { settings: { max_steps: 3 } }),
  script('T3 at most 1', [P('A'), A(), A()], { settings: { max_steps: 1 } }),
  script('T3 at most 4', [P('A'), A(), A('schedule', 'two'), A('schedule', 'three')], {
    settings: { max_steps: 4 },
    rounds: 3,
  }),
  script('T4 two broken thoughts', [P('A'), bad('thought'), bad('thought'), D], {
    settings: { max_steps: 2, failure_limit: 9 },
  }),
  script('T4 a broken replan', [P('A'), K(), bad('replan'), C], {
    ...TOMORROW,
    settings: { max_steps: 2, failure_limit: 9 },
  }),
  script('T4 the failure limit', [P('A'), bad('thought'), bad('thought')]),
  script('T4 the failure limit, and again', [P('A'), bad('thought'), bad('thought'), bad('thought'), D, C], {
    remedies: ['continue'],
  }),
  script('T4 one attempt more', [P('A'), bad('thought'), bad('thought'), bad('thought'), A(), D, C], {
    remedies: [{ attempts: 1 }, 'continue'],
  }),
  script('T4 broken, then good', [P('A'), bad('thought'), D, C]),
  script('T5 done at the limit', [P('A'), D, C], { settings: { max_steps: 1 } }),
  script('T5 done and replanned within 2', [P('A'), D, C], { settings: { max_steps: 2 } }),
  script('T5 replan goes on at the limit', [P('A'), D, R('B'), D], { settings: { max_steps: 2 } }),
  script('U54 the result is data', [P('A'), A(), D, C_HELD, DATA], { typed: true }),
  script('U54 data at the second attempt', [P('A'), D, C_HELD, MISFIT, DATA], { typed: true, rounds: 50 }),
  script('U54 no data, and again', [P('A'), D, C_HELD, MISFIT, MISFIT, DATA], {
    typed: true,
    remedies: ['continue'],
    ends: ['completed', 'paused'],
  }),
  script('U54 spent before the closing call', [P('A'), D, C_HELD, DATA], {
    typed: true,
    settings: { max_steps: 2 },
    remedies: [{ steps: 3 }],
  }),
  script('U54 the model of the closing call is away', [P('A'), D, C_HELD, { ...MISFIT, kind: 'fail' }, DATA], {
    typed: true,
  }),
  script('few: items end with their actions', [P('A', 'B'), AE(), AE(), C], { settings: FEW }),
  script('few: in one request', [P('A', 'B'), AE(), D, C], { settings: FEW, rounds: 50 }),
  script('few: a tool fails', [P('A', 'B'), AE(), D, D, C], { settings: FEW, failing: [0] }),
  script('few: a question', [P('A'), K(), AE(), C], { ...TOMORROW, settings: FEW }),
  // A call whose outcome is unknown does not end its item.
  script('few: a tool that cannot be repeated', [P('A'), AE('ring'), D, C], { settings: FEW, ends: ['completed'] }),
  script('few: an item that cannot be done', [P('A', 'B'), X, R('B'), AE(), C], { settings: FEW }),
  script('few: an approved action', [P('A'), AE(), C], { ...YES, settings: { ...FEW, approve: 'actions' } }),
  script('few: at most 2', [P('A', 'B'), AE(), AE(), C], {
    settings: { ...FEW, max_steps: 2 },
    remedies: [{ steps: 4 }],
  }),
  script('few: a remark during a tool', [P('A', 'B'), AE(), R('B'), AE(), C], {
    ...during('tool.schedule', 1, 'remark'),
    settings: FEW,
    ends: ['completed'],
  }),
  script('few: an edit during a tool', [P('A', 'B'), AE(), AE(), C], {
    ...during('tool.schedule', 1, 'edit'),
    settings: FEW,
    ends: ['completed', 'running'],
  }),
  script('T6 a tool fails', [P('A'), A(), A(), D, C], { failing: [0] }),
  script('T7 an empty plan', [P(), D, C]),
  script('T7 an empty plan and a question', [P(), K(), R('A'), A(), D, C], TOMORROW),
  script('T8 an unchanged plan', [P('A', 'B'), D, R('A', 'B'), D, C]),
  script('T9 spent while waiting', [P('A'), K(), R('A')], { ...TOMORROW, settings: { max_steps: 1 } }),
  script('T10 a repeated question', [P('A'), K(), R('A'), K_AGAIN, A(), D, C], TOMORROW),
  script('two broken plans', [bad('plan'), bad('plan'), P('A'), D, C]),
  script('three broken plans', [bad('plan'), bad('plan'), bad('plan')]),
  script('four broken plans, and a good one', [bad('plan'), bad('plan'), bad('plan'), bad('plan'), P('A'), D, C], {
    remedies: ['continue'],
  }),
  script('no plan to be had, then one', [fail('plan'), fail('plan'), fail('plan'), P('A'), D, C], {
    remedies: ['continue', 'continue'],
  }),
  script('the model is away', [P('A'), fail('thought'), fail('thought'), D, C], { remedies: ['continue'] }),
  script('the endpoint is away, and another answers', [P('A'), fail('thought'), fail('thought'), D, C], {
    fallbacks: ['spare'],
  }),
  script('the plan comes from another endpoint', [fail('plan'), fail('plan'), fail('plan'), P('A'), A(), D, C], {
    fallbacks: ['spare'],
    rounds: 2,
  }),
  script('two of three endpoints are away', [P('A'), ...[1, 2, 3, 4].map(() => fail('thought')), A(), D, C], {
    fallbacks: ['spare', 'last'],
    rounds: 4,
  }),
  script('both endpoints are away, twice', [P('A'), ...[1, 2, 3, 4, 5, 6].map(() => fail('thought')), D, C], {
    fallbacks: ['spare'],
    remedies: ['continue'],
  }),
  script(
    'both endpoints are away, and attempts are added',
    [P('A'), ...[1, 2, 3, 4, 5].map(() => fail('thought')), D, C],
    { fallbacks: ['spare'], remedies: [{ attempts: 1 }] },
  ),
  script(
    'an endpoint is away, and the other breaks its contract',
    [P('A'), fail('thought'), fail('thought'), bad('thought'), bad('thought'), D, C],
    {
      fallbacks: ['spare'],
      remedies: ['continue'],
    },
  ),
  script('one failed call', [P('A'), fail('thought'), D, fail('replan'), C]),
  script('continue grants again', [P('A'), A(), D, C], {
    settings: { max_steps: 2 },
    remedies: ['continue', 'continue'],
  }),
  script('a top-up', [P('A'), D, C], { settings: { max_steps: 1 }, remedies: [{ steps: 3 }] }),
  script('a tool that cannot be repeated', [P('A'), A('ring'), D, C]),
  script('a search and a booking', [P('A'), A('internet_search'), A(), D, C], { rounds: 2 }),
  script('a remark during a thought', [P('A'), A(), R('A'), D, C], {
    ...during('model.thought', 1, 'remark'),
    ends: ['completed'],
  }),
  script('a remark during a tool', [P('A'), A(), R('A'), D, C], {
    ...during('tool.schedule', 1, 'remark'),
    ends: ['completed'],
  }),
  script('a remark during the plan', [P('A'), D, C], { ...during('model.plan', 1, 'remark'), ends: ['completed'] }),
  script('an edit during a thought', [P('A'), A(), D, C], {
    ...during('model.thought', 1, 'edit'),
    ends: ['completed'],
  }),
  script('an edit during a tool', [P('A'), A(), D, C], { ...during('tool.schedule', 1, 'edit'), ends: ['completed'] }),
  script('an edit during the plan', [P('A'), A(), D, C], { ...during('model.plan', 1, 'edit'), ends: ['completed'] }),
  script('an approved plan', [P('A'), A(), D, C], { ...YES, settings: { approve: 'plan' } }),
  script('a rejected plan', [P('A')], { answers: ['no'], settings: { approve: 'plan' }, ends: ['failed'] }),
  script('an approved action', [P('A'), A(), D, C], { ...YES, settings: { approve: 'actions' } }),
  script('a rejected action', [P('A'), A(), D, C], {
    answers: ['no'],
    settings: { approve: 'actions' },
    ends: ['completed'],
  }),
  script('a top-up during a thought', [P('A'), D, C], {
    ...during('model.thought', 1, 'top-up'),
    settings: { max_steps: 1 },
    ends: ['completed', 'paused'],
  }),
  script('a cancel during a thought', [P('A'), A(), D, C], {
    ...during('model.thought', 1, 'cancel'),
    ends: ['canceled'],
  }),
  script('a cancel during a tool', [P('A'), A(), D, C], {
    ...during('tool.schedule', 1, 'cancel'),
    ends: ['canceled'],
  }),
  script('a delete during a thought', [P('A'), A(), D, C], { ...during('model.thought', 1, 'delete'), ends: ['gone'] }),
  // The first task adds its todo and is deleted; the task that is created again under the key reaches the same row and adds its own todo.
  script('made again after a delete', [P('A'), good('thought', act('todo', `/todo add life ${LIFE}`), 'act'), D, C], {
    ...during('model.thought', 2, 'delete and create'),
    ends: ['completed'],
  }),
  script('a budget of tokens', [P('A'), A(), D, C], {
    settings: { max_tokens: 32_000 },
    ends: ['completed', 'paused'],
  }),
  ...WORKER_SCRIPTS,
  ...DYNAMIC_SCRIPTS,
  ...NATIVE_SCRIPTS,
]

/** Short scripts of mode orchestrator (S2-03, S2-15…S2-18, R17): commands and reports stay the same at whatever call our worker dies. */
import { during, script, type Move, type Phase, type Prediction, type Script } from './script.ts'

const says = (phase: Phase, reply: object): Move => ({ phase, kind: 'good', reply, leads: 'go' })
const step = (title: string) => ({ title, description: `do ${title}`, constraints: '', expected_output: 'it is there' })
const P = (...titles: string[]) => says('plan', { steps: titles.map(step) })
const judged = (decision: string, ...titles: string[]) =>
  says('evaluate', { decision, reason: `${decision} it is`, adjusted_steps: titles.map(step) })
const NEXT = judged('next')
const RETRY = judged('retry')
const ASK = says('evaluate', { decision: 'ask', reason: 'unclear', adjusted_steps: [], question: 'Which port?' })
const SUMMARY = says('summary', { summary: 'all is done' })

const GOOD = { status: 'SUCCESS' } as const
const BAD = { status: 'FAILED' } as const

/** The number of steps is the number of commands, because nothing else has a price. */
const ends = (status: string, stop_reason: string | null, commands: number): Prediction => ({
  status,
  stop_reason,
  steps: commands,
  actions: commands,
})
const DONE = (commands: number) => ends('completed', 'done', commands)

const orchestrated = (name: string, moves: Move[], rest: Parameters<typeof script>[2]): Script =>
  script(`S2 ${name}`, moves, { mode: 'orchestrator', rounds: 3, ...rest })

export const WORKER_SCRIPTS: readonly Script[] = [
  orchestrated('two steps', [P('A', 'B'), NEXT, NEXT, SUMMARY], { reports: [GOOD, GOOD], expects: DONE(2) }),
  orchestrated('one command, one report', [P('A'), NEXT, SUMMARY], { reports: [GOOD], expects: DONE(1) }),
  orchestrated('a retry, silence and another plan', [P('A', 'B'), RETRY, judged('replan', 'C'), NEXT, SUMMARY], {
    reports: [BAD, 'silence', { status: 'PARTIAL_SUCCESS' }, GOOD],
    rounds: 1,
    expects: DONE(4),
  }),
  orchestrated('nobody reports', [P('A'), NEXT, SUMMARY], {
    reports: ['silence', 'silence', GOOD],
    answers: ['do it otherwise'],
    settings: { max_retries_per_step: 1 },
    expects: DONE(3),
  }),
  orchestrated('a person leaves the step out', [P('A', 'B'), RETRY, NEXT, SUMMARY], {
    reports: [BAD, GOOD],
    answers: ['skip'],
    settings: { max_retries_per_step: 0 },
    expects: DONE(2),
  }),
  orchestrated('the judge asks a person', [P('A', 'B'), ASK, NEXT, NEXT, SUMMARY], {
    reports: [GOOD, GOOD],
    answers: ['4711'],
    expects: DONE(2),
  }),
  orchestrated('a person has the step tried again', [P('A'), RETRY, NEXT, SUMMARY], {
    reports: [BAD, GOOD],
    answers: ['yes'],
    settings: { max_retries_per_step: 0 },
    expects: DONE(2),
  }),
  orchestrated('aborted', [P('A'), judged('abort')], { reports: [BAD], expects: ends('failed', 'aborted', 1) }),
  orchestrated('no question left', [P('A'), RETRY], {
    reports: [BAD],
    settings: { max_retries_per_step: 0, max_clarifications: 0 },
    expects: ends('failed', 'step_failed', 1),
  }),
  orchestrated('a command that cannot be handed out', [P('A'), NEXT, SUMMARY], {
    reports: [GOOD],
    failing: [0],
    expects: DONE(2),
  }),
  orchestrated('spent with the first command', [P('A', 'B'), NEXT, NEXT, SUMMARY], {
    reports: [GOOD],
    settings: { max_steps: 1 },
    expects: ends('paused', 'budget_exhausted:steps', 1),
  }),
  orchestrated('a report on the way of its command', [P('A'), NEXT, SUMMARY], {
    ...during('tool.delegate', 1, 'report'),
    expects: DONE(1),
  }),
  orchestrated('a remark on the way of a command', [P('A'), NEXT, SUMMARY], {
    ...during('tool.delegate', 1, 'remark'),
    reports: [GOOD],
    expects: DONE(1),
  }),
  orchestrated('a command withdrawn by an edit on its way', [P('B'), NEXT, NEXT, SUMMARY], {
    ...during('workspace.enter_delegation', 1, 'edit'),
    reports: [GOOD, GOOD],
    ends: ['completed'],
  }),
  orchestrated('a cancel on the way of a command', [P('A'), NEXT, SUMMARY], {
    ...during('workspace.enter_delegation', 1, 'cancel'),
    ends: ['canceled'],
  }),
  orchestrated('a cancel during an evaluation', [P('A'), NEXT, SUMMARY], {
    ...during('model.evaluate', 1, 'cancel'),
    reports: [GOOD],
    ends: ['canceled'],
  }),
]

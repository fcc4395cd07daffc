/**
 * Mode session (S4): one conversation with native tools, in which the program keeps a plan from the replies of the model. Each turn
 * of the model is one iteration, and its tool calls belong to its round. A run ends with an answer, and the next text begins another.
 */
import { COMMON_TOOLS } from '../../mode/tools.ts'
import { COMMAND_TOOLS } from '../../mode/workspace-tools.ts'
import { askedIn, nextCall, CALLS_MAX } from '../conversation/call-loop.ts'
import { withConversation } from '../conversation/window.ts'
import type { Mode } from '../../mode/mode.ts'
import type { Settings } from '../../terms/settings.ts'
import { onActionAnswered, onAnswered, onLost, onReturned } from './calls.ts'
import { entryOf } from './entries.ts'
import { fileRequest, mayAwaitFile, onAnswerForFile, onFileArrived } from './missing-file.ts'
import { toldProblem } from './problems.ts'
import { promptFor, promptBytes } from './prompt.ts'
import { requestAt } from './replies.ts'
import { currentStep } from './plan.ts'
import { planOf, startState, SessionState } from './state.ts'
import {
  onAskedAside,
  onAsideFailed,
  onAsideRefused,
  onAsideReply,
  onEdit,
  onFailedTurn,
  onNextRun,
  onRemark,
  onResumed,
} from './user-input.ts'
import { onReply } from './turn.ts'
import { progressOf, viewOf } from './view.ts'

/** With `auto_continue` a session has this many times the limit (O4-08). */
const AUTO_RUNS = 5

const iterations = ({ max_iterations, auto_continue }: Settings) => max_iterations * (auto_continue ? AUTO_RUNS : 1)

const inConversation = withConversation<SessionState>({
  entryOf,
  asks: ({ phase }) => phase === 'turning' || phase === 'aside',
  protectedFrom: ({ phase, back, by, window }) => (phase === 'aside' && back === 'acting' ? by : window.reply),
})

const user_events = {
  user_remarked: inConversation(onRemark),
  user_asked_aside: inConversation(onAskedAside),
  resumed: inConversation(onResumed),
  plan_edited: inConversation(onEdit),
}

export const session: Mode<SessionState> = {
  name: 'session',
  state: SessionState,
  counter: {
    unit: 'iterations',
    max: iterations,
    ends: ({ auto_continue }) => auto_continue,
  },
  own_settings: [
    'max_iterations',
    'auto_continue',
    'transcript_token_limit',
    'tool_boundary_hint',
    'fallback_by_step_size',
    'plan_templates',
  ],
  presets: { max_iterations: 200 },
  tools: [...COMMAND_TOOLS, 'todo', 'schedule', 'internet_search', ...COMMON_TOOLS],
  takes_tools: true,
  model_phases: ['turn'],
  calls_max: iterations,
  tool_calls_max: (settings) => CALLS_MAX * iterations(settings),
  prompt_bytes: promptBytes,
  cost: { turning: 1, acting: 0, waiting: 0, aside: 0, ended: 0, result: 1 },
  opens_round: new Set<SessionState['phase']>(['turning', 'aside']),
  planning: new Set<SessionState['phase']>(),
  side_phase: 'aside',
  reopens: true,
  transitions: {
    turning: {
      model_replied: inConversation(onReply),
      model_failed: onFailedTurn,
      effect_orphaned: onFailedTurn,
      abandoned: onFailedTurn,
      ...user_events,
    },
    acting: {
      tool_returned: inConversation(onReturned),
      outcome_unknown: inConversation(onLost),
      approval_answered: inConversation(onActionAnswered),
      user_answered: inConversation(onAnswered),
      // One of several calls may have found a file missing that arrives before the last call is made.
      file_arrived: inConversation(onFileArrived),
      ...user_events,
    },
    waiting: {
      file_arrived: inConversation(onFileArrived),
      user_answered: inConversation(onAnswerForFile),
      ...user_events,
    },
    aside: {
      model_replied: inConversation(onAsideReply),
      model_failed: onAsideFailed,
      effect_orphaned: onAsideFailed,
      abandoned: onAsideFailed,
      aside_refused: onAsideRefused,
      file_arrived: inConversation(onFileArrived),
      ...user_events,
    },
    ended: { user_remarked: inConversation(onNextRun) },
  },
  hasPlan: (state) => planOf(state) !== null,
  start: startState,
  request: ({ asked }, recall) => requestAt(recall, asked),
  next(state, recall) {
    switch (state.phase) {
      case 'turning':
      case 'aside':
        return { kind: 'run', effect: { kind: 'call_model', phase: 'turn' } }
      case 'acting':
        return nextCall(state, recall, currentStep(state))
      case 'waiting':
        return { kind: 'wait', for: 'file' }
      case 'ended':
        return { kind: 'stop' }
    }
  },
  failure_limit: (_phase, settings) => settings.failure_limit,
  prompt: promptFor,
  contracts: {},
  view: viewOf,
  progress: progressOf,
  replyError: (state, event, context) => toldProblem(state, event, context).text,
  fileRequest,
  mayAwaitFile,
  questionAt: askedIn,
}

/**
 * Mode autonomous (S1): the model analyses a dataset by itself. Every reply contains its thought and its tasks in tags. It calls
 * tools and ends with a report, and each turn is one iteration. With `agent_mode: staged` the program leads the model instead.
 */
import { askedIn, nextCall, CALLS_MAX } from '../conversation/call-loop.ts'
import { withConversation } from '../conversation/window.ts'
import type { Mode } from '../../mode/mode.ts'
import { COMMON_TOOLS } from '../../mode/tools.ts'
import {
  onActionAnswered,
  onAnswered,
  onExplored,
  onExploredLost,
  onExploringAnswered,
  onLost,
  onReturned,
} from './calls.ts'
import { startNotes, idleNotes } from './notes.ts'
import { onEdit, onPlanAnswered, onRemark } from './human-edits.ts'
import { entryOf } from './entries.ts'
import { FILE_WAITS_MAX } from '../files/waits.ts'
import { fileRequest, mayAwaitFile, onAnswerForFile, onFileArrived } from './missing-file.ts'
import { errorOf } from './reply-errors.ts'
import { promptFor, promptBytes } from './prompt.ts'
import { currentId } from '../plan/items.ts'
import { TASKS } from './replies.ts'
import { EXPLORATION, startState, AutonomousState } from './state.ts'
import { onFailedTurn, onReply } from './turn.ts'
import { taskDocuments, progressOf, viewOf } from './view.ts'

const inConversation = withConversation<AutonomousState>({
  entryOf,
  asks: ({ phase }) => phase === 'turning',
  protectedFrom: ({ window }) => window.reply,
})

const user_events = { user_remarked: inConversation(onRemark), plan_edited: inConversation(onEdit) }

export const autonomous: Mode<AutonomousState> = {
  name: 'autonomous',
  state: AutonomousState,
  counter: { unit: 'iterations', max: ({ max_iterations }) => max_iterations },
  own_settings: ['max_iterations', 'agent_mode', 'transcript_token_limit'],
  presets: {},
  tools: COMMON_TOOLS,
  takes_tools: true,
  model_phases: ['turn'],
  calls_max: ({ max_iterations }) => max_iterations,
  // A staged run looks at the data by itself too, and again after each wait for a file.
  tool_calls_max: ({ max_iterations }) => CALLS_MAX * max_iterations + 1 + FILE_WAITS_MAX,
  prompt_bytes: promptBytes,
  cost: { exploring: 0, turning: 1, acting: 0, waiting: 0, ended: 0, result: 1 },
  opens_round: new Set<AutonomousState['phase']>(['exploring', 'turning']),
  planning: new Set<AutonomousState['phase']>(),
  side_phase: null,
  reopens: false,
  transitions: {
    exploring: {
      tool_returned: inConversation(onExplored),
      outcome_unknown: inConversation(onExploredLost),
      approval_answered: inConversation(onExploringAnswered),
      ...user_events,
    },
    turning: {
      model_replied: inConversation(onReply),
      model_failed: onFailedTurn,
      approval_answered: inConversation(onPlanAnswered),
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
    ended: {},
  },
  hasPlan: ({ plan }) => plan.row !== null,
  start: startState,
  next(state, recall) {
    switch (state.phase) {
      case 'exploring':
        return { kind: 'run', effect: EXPLORATION }
      case 'turning':
        return { kind: 'run', effect: { kind: 'call_model', phase: 'turn' } }
      case 'acting':
        return nextCall(state, recall, currentId(TASKS, state.plan))
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
  documents: taskDocuments,
  replyError: errorOf,
  makesPlan: ({ stage }) => stage === 'plan',
  fileRequest,
  mayAwaitFile,
  startNotes,
  idleNotes,
  questionAt: askedIn,
}

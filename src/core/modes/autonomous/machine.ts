/**
 * Mode autonomous (S1): the model drives itself over a dataset. It thinks and keeps its tasks in tags of every reply, has tools called,
 * and ends with a report; each turn of it is one iteration. `agent_mode: staged` has the program lead it instead.
 */
import { callEffect, CALLS_MAX } from '../conversation/call-loop.ts'
import { withConversation } from '../conversation/window.ts'
import type { Mode } from '../../mode/mode.ts'
import { onActionAnswered, onExplored, onExploredLost, onExploringAnswered, onLost, onReturned } from './calls.ts'
import { startNotes, idleNotes } from './notes.ts'
import { onEdit, onPlanAnswered, onRemark } from './human-edits.ts'
import { entryOf } from './entries.ts'
import { replyError } from './reply-errors.ts'
import { promptFor, promptBytes } from './prompt.ts'
import { currentId } from '../plan/items.ts'
import { replyIn, TASKS } from './replies.ts'
import { startState, AutonomousState } from './state.ts'
import { onFailedTurn, onReply } from './turn.ts'
import { taskDocuments, progressOf, viewOf } from './view.ts'

const heard = withConversation<AutonomousState>({
  entryOf,
  asks: ({ phase }) => phase === 'turning',
  keptFrom: ({ window }) => window.reply,
})

const words = { user_remarked: heard(onRemark), plan_edited: heard(onEdit) }

export const autonomous: Mode<AutonomousState> = {
  name: 'autonomous',
  state: AutonomousState,
  counter: { unit: 'iterations', max: ({ max_iterations }) => max_iterations },
  presets: {},
  tools: ['read_dataset', 'run_code'],
  takes_tools: true,
  model_phases: ['turn'],
  calls_max: ({ max_iterations }) => max_iterations,
  // The look of a staged run comes on top.
  tool_calls_max: ({ max_iterations }) => CALLS_MAX * max_iterations + 1,
  prompt_bytes: promptBytes,
  cost: { exploring: 0, turning: 1, acting: 0, ended: 0 },
  opens_round: new Set<AutonomousState['phase']>(['exploring', 'turning']),
  planning: new Set<AutonomousState['phase']>(),
  side_phase: null,
  reopens: false,
  transitions: {
    exploring: {
      tool_returned: heard(onExplored),
      outcome_unknown: heard(onExploredLost),
      approval_answered: heard(onExploringAnswered),
      ...words,
    },
    turning: {
      model_replied: heard(onReply),
      model_failed: onFailedTurn,
      approval_answered: heard(onPlanAnswered),
      effect_orphaned: onFailedTurn,
      abandoned: onFailedTurn,
      ...words,
    },
    acting: {
      tool_returned: heard(onReturned),
      outcome_unknown: heard(onLost),
      approval_answered: heard(onActionAnswered),
      ...words,
    },
    ended: {},
  },
  hasPlan: ({ plan }) => plan.row !== null,
  start: startState,
  next(state, recall) {
    switch (state.phase) {
      case 'exploring':
        return {
          kind: 'run',
          effect: {
            kind: 'run_tool',
            phase: 'explore',
            tool: 'read_dataset',
            input: '{}',
            by: 1,
            call: 0,
            item_id: null,
          },
        }
      case 'turning':
        return { kind: 'run', effect: { kind: 'call_model', phase: 'turn' } }
      case 'acting':
        return { kind: 'run', effect: callEffect(state, recall, currentId(TASKS, state.plan)) }
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
  replyError: (state, reply) => replyError(state, replyIn(reply)),
  makesPlan: ({ stage }) => stage === 'plan',
  startNotes,
  idleNotes,
  questionAt: () => null,
}

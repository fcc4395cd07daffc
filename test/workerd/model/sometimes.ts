/** What must have happened in a whole run of runs for its silence to mean anything. */
import { MODE_NAMES } from '../../../src/core/modes/names.ts'

const METHODS = [
  ...['create', 'begin', 'commit', 'input', 'topUp', 'fund', 'cancel', 'read', 'events', 'journal', 'remove'].map(
    (method) => `store.${method}`,
  ),
  ...['admit', 'reserve', 'giveBack', 'recall', 'keep', 'finished', 'setStatus', 'drop', 'list', 'command'].map(
    (method) => `workspace.${method}`,
  ),
]

export const SOMETIMES: readonly string[] = [
  ...METHODS.flatMap((method) => [`abort before ${method}`, `abort after ${method}`]),
  ...['before', 'stale', 'within', 'behind', 'unheard', 'after'].map((manner) => `abort: ${manner}`),
  'abort during model',
  'abort during tool',
  'worker died before a call',
  'worker died after a call',
  'reboot',
  'lost call',
  'lost reply',
  'fenced commit',
  'fenced by the slice alone',
  'orphaned call',
  'resumed tool',
  'outcome_unknown',
  'queued event applied',
  'cancel in flight',
  'delete in flight',
  'replayed key',
  'request_in_progress',
  'task_busy',
  'task_ended',
  ...MODE_NAMES.map((mode) => `mode: ${mode}`),
  'todo by a tool',
  'limit hit: steps',
  'limit hit: tenant',
  'ending: completed done',
  'ending: canceled canceled',
]

/** Forks and replays: what is held against the state machine, and what a new task may take over from another (U26). */
import type { SeededBug } from './seeded-bug.ts'

const FORK = 'src/core/replay/fork.ts'
const FOLD = 'src/core/replay/fork-fold.ts'
const REPLAY = 'src/core/replay/replay.ts'

export const PAST_BUGS: readonly SeededBug[] = [
  {
    name: 'replay-skips-effects',
    law: 'a replay names a row with another effect than was wanted',
    file: REPLAY,
    find: '(before && mismatchOf(before, row, recall))',
    replace: 'null',
  },
  {
    name: 'replay-skips-requests',
    law: 'a replay names a row that was asked for otherwise',
    file: REPLAY,
    find: 'if (version !== effect.prompt || hash === effect.hash) return null',
    replace: 'return null',
  },
  {
    name: 'replay-of-first-page',
    law: 'a replay goes to the last row',
    file: 'src/store/task/fork-queries.ts',
    find: 'next: until < last.seq ? until : null',
    replace: 'next: null',
  },
  {
    name: 'fork-unchecked',
    law: 'a history that did not happen is not forked',
    file: FOLD,
    find: 'if (refusal !== null) return refuse(refusal)\n',
    replace: '',
  },
  {
    name: 'fork-keeps-allowance',
    law: "what a task holds of its tenant's day is not forked",
    file: FOLD,
    find: "event.kind === 'allowance_granted' ? { ...event, allowance: NO_ALLOWANCE } : event",
    replace: 'event',
  },
  {
    name: 'fork-forgets-key',
    law: 'a fork under one key is made once',
    file: FORK,
    find: 'row.seq === 1 ? key : null',
    replace: 'null',
  },
  {
    name: 'fork-shares-id-of-create',
    law: 'a key names another task for each path',
    file: 'src/shell/fork.ts',
    find: '`${key.scope} ${key.key}`',
    replace: 'key.key',
  },
  {
    name: 'fork-retired-at-once',
    law: 'a fork is kept from its making on',
    file: 'src/core/protocol/alarm-times.ts',
    find: 'Math.max(head.updated_at, head.created_at)',
    replace: 'head.updated_at',
  },
]

/** Requests that come again, and what is said while an effect is pending (P11, P14). */
import type { SeededBug } from './seeded-bug.ts'

const ADVANCE = 'src/core/protocol/advance.ts'
const KEYED = 'src/core/protocol/idempotency.ts'
const RUN_IN_BOOK = 'src/store/workspace/book/run-in-book.ts'
const TASK = 'src/core/protocol/task.ts'

export const KEY_BUGS: readonly SeededBug[] = [
  {
    name: 'create-starts-over',
    law: 'a create that comes again goes on with the task it made',
    file: TASK,
    find: 'if (journal.last() !== null) return begin(journal, ticket, here)\n',
    replace: '',
  },
  {
    name: 'create-makes-two',
    law: 'a create under one key makes one task',
    file: 'src/shell/create-service.ts',
    find: 'caller.key === null ? ports.random_id() : await ports.task_id_of(caller.tenant, caller.key.key)',
    replace: 'ports.random_id()',
  },
  {
    name: 'key-not-remembered',
    law: 'a key stands on the rows its request wrote',
    file: ADVANCE,
    find: 'return ticket.key === null ? null',
    replace: 'return ticket.key === null || seen === null ? null',
  },
  {
    name: 'queued-key-not-remembered',
    law: 'a request that was only queued is known again',
    file: TASK,
    find: 'const key = keyedBy(turn, seen)',
    replace: 'const key = null',
  },
  {
    name: 'digest-not-compared',
    law: 'one key, one body',
    file: KEYED,
    find: "if (first.keyed.digest !== digest) return { kind: 'refused', refusal: { code: 'idempotency_key_reused' } }\n",
    replace: '',
  },
  {
    name: 'command-digest-not-compared',
    law: 'one key, one body, of a command too',
    file: RUN_IN_BOOK,
    find: "if (before.digest !== digest) return refuse({ code: 'idempotency_key_reused' })\n",
    replace: '',
  },
  {
    name: 'closer-not-remembered',
    law: 'a request that closes the row of another one is remembered too',
    file: 'src/core/protocol/advance.ts',
    find: 'closedBy(pending.key, keyedBy(turn), here.now_ms)',
    replace: 'closedBy(pending.key, null, here.now_ms)',
  },
  {
    name: 'waiting-never-ends',
    law: 'a request that waited for its total in vain is over',
    file: 'src/core/protocol/transaction.ts',
    find: "insert(turn, { kind: 'request_ended' })",
    replace: 'return',
  },
  {
    name: 'key-scope-ignored',
    law: 'a key counts for its method and path',
    file: 'src/core/protocol/journal.ts',
    find: 'one.scope === scope && one.key === key',
    replace: 'one.key === key',
  },
  {
    name: 'key-forgotten-early',
    law: 'a key is remembered for 24 hours',
    file: KEYED,
    find: '24 * 60 * 60 * 1000',
    replace: '60 * 60 * 1000',
  },
  {
    name: 'event-heard-twice',
    law: 'a request that is gone on with hears nothing twice',
    file: 'src/core/protocol/transaction.ts',
    find: 'here, revive, known.earlier)',
    replace: 'here, body, known.earlier)',
  },
  {
    name: 'rounds-counted-anew',
    law: 'a request that is gone on with begins no more rounds than it was allowed to',
    file: 'src/core/protocol/transaction.ts',
    find: 'transact(journal, bounded(ticket, known.earlier), here,',
    replace: 'transact(journal, ticket, here,',
  },
  {
    name: 'finished-request-goes-on',
    law: 'a finished request writes nothing when it comes again',
    file: 'src/core/protocol/transaction.ts',
    find: "case 'finished':\n      return showEarlier(journal, ticket, here, known.earlier)",
    replace: "case 'finished':\n      return transact(journal, ticket, here, (turn) => beginNext(turn), known.earlier)",
  },
  {
    name: 'queued-event-dropped',
    law: 'text that was accepted during a call is heard',
    file: ADVANCE,
    find: 'for (const queued of draft.queued()) {',
    replace: 'for (const queued of draft.queued().slice(1)) {',
  },
  {
    name: 'queued-out-of-order',
    law: 'queued events are applied in order',
    file: ADVANCE,
    find: 'for (const queued of draft.queued()) {',
    replace: 'for (const queued of draft.queued().toReversed()) {',
  },
  {
    name: 'queued-after-next-effect',
    law: 'queued events are applied before the next effect is chosen',
    file: ADVANCE,
    // The mode hears of them too late: what is wanted next is what was wanted without them.
    find: 'head: reduceRow(turn, { ...queued, ...blank }, queued.event, 0) }',
    replace: 'head: { ...reduceRow(turn, { ...queued, ...blank }, queued.event, 0), state: head.state } }',
  },
  {
    name: 'queue-without-bound',
    law: 'at most sixteen events wait for one effect',
    file: TASK,
    find: 'const QUEUED_MAX = 16',
    replace: 'const QUEUED_MAX = 1600',
  },
]

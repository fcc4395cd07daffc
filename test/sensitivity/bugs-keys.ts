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
    find: 'if (journal.last() !== null) return begin(journal, ticket, context)\n',
    replace: '',
  },
  {
    name: 'create-makes-two',
    law: 'a create under one key makes one task',
    file: 'src/shell/create-task.ts',
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
    find: 'const key = rowKeysOf(transaction, answer_version)',
    replace: 'const key = null',
  },
  {
    name: 'digest-not-compared',
    law: 'one key, one body',
    file: KEYED,
    find: "if (first.key.digest !== digest) return { kind: 'refused', refusal: { code: 'idempotency_key_reused' } }\n",
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
    find: 'keysAfterClose(pending.key, rowKeysOf(transaction), context.now_ms)',
    replace: 'keysAfterClose(pending.key, null, context.now_ms)',
  },
  {
    name: 'waiting-never-ends',
    law: 'a request that waited for its total in vain is over',
    file: 'src/core/protocol/transaction.ts',
    find: "insert(transaction, { kind: 'request_ended' })",
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
    law: 'a request that is sent again applies its event once',
    file: 'src/core/protocol/transaction.ts',
    find: 'context, revive, lookup.earlier)',
    replace: 'context, body, lookup.earlier)',
  },
  {
    name: 'rounds-counted-anew',
    law: 'a request that is sent again begins no more rounds than it may',
    file: 'src/core/protocol/transaction.ts',
    find: 'transact(journal, limitRounds(ticket, lookup.earlier), context,',
    replace: 'transact(journal, ticket, context,',
  },
  {
    name: 'finished-request-goes-on',
    law: 'a finished request that is sent again writes nothing',
    file: 'src/core/protocol/transaction.ts',
    find: "case 'finished':\n      return showEarlier(journal, ticket, context, lookup.earlier)",
    replace:
      "case 'finished':\n      return transact(journal, ticket, context, (transaction) => beginNext(transaction), lookup.earlier)",
  },
  {
    name: 'queued-event-dropped',
    law: 'text that was accepted during a call reaches the task',
    file: ADVANCE,
    find: 'for (const queuedRow of draft.queued()) {',
    replace: 'for (const queuedRow of draft.queued().slice(1)) {',
  },
  {
    name: 'queued-out-of-order',
    law: 'queued events are applied in order',
    file: ADVANCE,
    find: 'for (const queuedRow of draft.queued()) {',
    replace: 'for (const queuedRow of draft.queued().toReversed()) {',
  },
  {
    name: 'queued-after-next-effect',
    law: 'queued events are applied before the next effect is chosen',
    file: ADVANCE,
    // The mode hears of them too late: what is wanted next is what was wanted without them.
    find: 'head: reduceRow(transaction, { ...queuedRow, ...blank }, queuedRow.event, 0) }',
    replace: 'head: { ...reduceRow(transaction, { ...queuedRow, ...blank }, queuedRow.event, 0), state: head.state } }',
  },
  {
    name: 'queue-without-bound',
    law: 'at most sixteen events wait for one effect',
    file: TASK,
    find: 'const QUEUED_MAX = 16',
    replace: 'const QUEUED_MAX = 1600',
  },
]

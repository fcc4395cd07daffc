/** Who may close an effect, who may take it over, and what becomes of it when its task is canceled (P3–P8, P12). */
import type { SeededBug } from './seeded-bug.ts'

const ADVANCE = 'src/core/protocol/advance.ts'
const EXPECTED = 'src/core/protocol/expected-effect.ts'
const TASK = 'src/core/protocol/task.ts'

export const LEASE_BUGS: readonly SeededBug[] = [
  {
    name: 'fence-without-slice',
    law: 'a commit of another slice is refused',
    file: TASK,
    find: 'if (pending === null || pending.seq !== seq || pending.slice !== ticket.slice)',
    replace: 'if (pending === null || pending.seq !== seq)',
  },
  {
    name: 'fence-without-seq',
    law: 'a commit that comes again closes no later row',
    file: TASK,
    find: 'if (pending === null || pending.seq !== seq || pending.slice !== ticket.slice)',
    replace: 'if (pending === null || pending.slice !== ticket.slice)',
  },
  {
    name: 'repeated-commit-refused',
    law: 'a commit whose answer was lost may be sent again',
    file: TASK,
    find: 'if (draft.holder(seq) !== ticket.slice) return',
    replace: 'if (draft.holder(seq) === ticket.slice) return',
  },
  {
    name: 'live-lease-taken-over',
    law: 'a live lease is never taken over',
    file: 'src/core/protocol/transaction.ts',
    find: 'return isAlive(pending, transaction.context) ? busy(pending, transaction.context) : takeOver(transaction, pending)',
    replace: 'return takeOver(transaction, pending)',
  },
  {
    name: 'takeover-keeps-holder',
    law: 'an effect that is leased again has a new holder',
    file: ADVANCE,
    find: '{ ...pending, slice: ticket.slice, lease: newLease }',
    replace: '{ ...pending, lease: newLease }',
  },
  {
    name: 'takeover-not-written',
    law: 'a lease is written before its effect is handed out again',
    file: ADVANCE,
    find: "draft.write({ kind: 'lease_again', row })",
    replace: '',
  },
  {
    name: 'boot-ignored',
    law: 'a lease of a process that is gone is dead at once',
    file: ADVANCE,
    find: 'return context.now_ms < until && (boot === null || boot === context.boot)',
    replace: 'return context.now_ms < until',
  },
  {
    name: 'lease-never-dead',
    law: 'a lease ends with its time',
    file: ADVANCE,
    find: 'return context.now_ms < until && (boot === null || boot === context.boot)',
    replace: 'return boot === null || boot === context.boot',
  },
  {
    name: 'lease-dies-with-constructor',
    law: 'eviction of an idle object ends no lease',
    file: 'src/store/task/task-object.ts',
    // The first call of an object that finds a journal takes itself for another process.
    find: 'return { now_ms: Date.now(), boot: bootId(), prices, daily: bounded, model_rules }',
    replace: `const rebuilt = !Reflect.has(this, 'seen') && hasJournal(this.ctx.storage.sql)
    Reflect.set(this, 'seen', true)
    return { now_ms: Date.now(), boot: rebuilt ? 'rebuilt' : bootId(), prices, daily: bounded, model_rules }`,
  },
  {
    name: 'lease-ends-early',
    law: 'a lease outlives the effect it is for',
    file: ADVANCE,
    find: 'until: context.now_ms + reserved.ms + LEASE_GRACE_MS, attempt: 1',
    replace: 'until: context.now_ms + LEASE_GRACE_MS, attempt: 1',
  },
  {
    name: 'leased-for-ever',
    law: 'at its third death a call is given up',
    file: ADVANCE,
    find: 'const LEASES_MAX = 3',
    replace: 'const LEASES_MAX = 300',
  },
  {
    name: 'unrepeatable-tool-repeated',
    law: 'a tool that must not be repeated is not called again',
    file: ADVANCE,
    find: "(effect.kind === 'run_tool' && effect.idempotent)",
    replace: "effect.kind === 'run_tool'",
  },
  {
    name: 'lost-call-asked-again',
    law: 'a lost model call is closed and counted, not asked again in its row',
    file: ADVANCE,
    find: "(effect.kind === 'run_tool' && effect.idempotent)",
    replace: "effect.kind === 'call_model' || effect.idempotent",
  },
  {
    name: 'effect-key-per-attempt',
    law: 'an effect has one key, however often it is leased',
    file: 'src/core/engine/assignment.ts',
    find: 'key: `${head.id}:${seq}`',
    replace: "key: `${head.id}:${(Reflect.get(row, 'lease') as { attempt: number }).attempt}:${seq}`",
  },
  {
    name: 'intent-forgotten',
    law: 'the pending row is written before its effect is handed out',
    file: ADVANCE,
    find: "draft.write({ kind: 'insert_pending', row })",
    replace: '',
  },
  {
    name: 'cancel-leaves-pending',
    law: 'a cancel closes what is pending',
    file: TASK,
    find: "if (pending !== null) close(transaction, pending, null, { kind: 'abandoned' })",
    replace: '',
  },
  {
    name: 'late-commit-after-cancel',
    law: 'a commit after a cancel is refused',
    file: TASK,
    find: "close(transaction, pending, null, { kind: 'abandoned' })",
    replace: "close(transaction, pending, pending.slice, { kind: 'abandoned' })",
  },
  {
    name: 'funded-after-cancel',
    law: 'a task that was ended or paused meanwhile begins nothing with its allowance',
    file: EXPECTED,
    find: 'stopReasonOf(aside ? { ...head, pause_reason: null } : head)',
    replace: 'head.end?.reason ?? null',
  },
  {
    name: 'begun-before-approval',
    law: 'nothing is done before it is approved',
    file: EXPECTED,
    find: "if (!aside && openApproval(head) !== null) return { kind: 'nothing', because: 'approval' }",
    replace: '',
  },
  {
    name: 'hang-up-ignored',
    law: 'after a hang-up nothing new is begun',
    file: 'src/shell/slice/slice.ts',
    find: 'caller.gone() || ports.draining',
    replace: 'ports.draining',
  },
]

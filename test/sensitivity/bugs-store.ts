/** What is written and how it is found again: transactions, keys of effects, tenants, older versions (P12, P15). */
import type { SeededBug } from './seeded-bug.ts'

const SQL_ROWS = 'src/store/task/rows/sql-rows.ts'
const WORKSPACE = 'src/store/workspace/workspace-object.ts'

export const STORE_BUGS: readonly SeededBug[] = [
  {
    name: 'effect-applied-twice',
    law: 'a change is kept under the key of its effect',
    file: 'src/store/workspace/book/run-in-book.ts',
    find: 'if (name !== null && (request !== null || isChange(result.kind))) applied',
    replace: 'if (name !== null && request !== null) applied',
  },
  {
    name: 'key-in-another-transaction',
    law: 'a change and its key are one transaction',
    file: WORKSPACE,
    find: 'storage.transactionSync(() => {',
    replace: '((run: () => T) => run())(() => {',
  },
  {
    name: 'rows-in-two-transactions',
    law: 'what one call writes of a task is written together or not at all',
    file: 'src/store/task/task-object.ts',
    find: 'this.ctx.storage.transactionSync(() => decide(taskMethods(rows, () => this.#context())))',
    replace: 'decide(taskMethods(rows, () => this.#context()))',
  },
  {
    name: 'rows-known-after-rollback',
    law: 'what a transaction wrote that failed is nowhere, in memory neither',
    file: 'src/store/task/task-object.ts',
    find: '    this.#rows = null\n    return refuseUnreadable(',
    replace: '    this.#rows = rows\n    return refuseUnreadable(',
  },
  {
    name: 'delete-leaves-effect-keys',
    law: 'DELETE removes what was kept under the keys of a task',
    file: 'src/store/workspace/task-index/admissions.ts',
    find: '  forgetEffectKeys(sql, id)\n',
    replace: '',
  },
  {
    name: 'delete-leaves-journal',
    law: 'DELETE removes the journal of a task',
    file: 'src/store/task/task-object.ts',
    find: 'await this.ctx.storage.deleteAll()\n',
    replace: '',
  },
  {
    name: 'holder-not-stored',
    law: 'an effect that is leased again has a new holder in the table too',
    file: SQL_ROWS,
    find: "sql.exec('UPDATE journal SET slice = ?, lease = ? WHERE seq = ? AND head IS NULL', slice, json(lease), seq)",
    replace: "sql.exec('UPDATE journal SET lease = ? WHERE seq = ? AND head IS NULL', json(lease), seq)",
  },
  {
    name: 'queued-key-not-stored',
    law: 'the key of a queued event is in the table too',
    file: SQL_ROWS,
    find: 'key,\n        json(write.row.event),',
    replace: 'null,\n        json(write.row.event),',
  },
  {
    name: 'older-status-wins',
    law: 'the index keeps the newest status, however its messages arrive',
    file: 'src/store/workspace/task-index/record-status.ts',
    find: 'version > known.version ||',
    replace: 'version !== known.version ||',
  },
  {
    name: 'tenant-not-in-name',
    law: 'no id reaches an object of another tenant',
    file: 'src/store/durable-store.ts',
    find: 'JSON.stringify([tenant, id])',
    replace: 'JSON.stringify([id])',
  },
  {
    name: 'migration-forgets-time',
    law: 'a task stored by an earlier release keeps what it used',
    file: 'src/store/task/rows/migrate.ts',
    find: 'working_ms: { ...working_ms, max: null }',
    replace: 'working_ms: { used: 0, max: null }',
  },
  {
    name: 'etag-without-version',
    law: 'a task that changed has another ETag',
    file: 'src/http/gate/etag.ts',
    find: '`"${version}"`',
    replace: '`"${Math.sign(version)}"`',
  },
]

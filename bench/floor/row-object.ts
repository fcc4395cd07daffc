/** The least an object can do that keeps what it is told: a row inserted, the same row closed. */
import { DurableObject } from 'cloudflare:workers'

const TABLE = 'CREATE TABLE IF NOT EXISTS steps (seq INTEGER PRIMARY KEY, asked TEXT NOT NULL, said TEXT)'

export class RowObject extends DurableObject<object> {
  constructor(context: DurableObjectState, env: object) {
    super(context, env)
    context.storage.sql.exec(TABLE)
  }
  begin(asked: string): number {
    const { sql } = this.ctx.storage
    return this.ctx.storage.transactionSync(() => {
      const { seq } = sql.exec('INSERT INTO steps (asked) VALUES (?) RETURNING seq', asked).one()
      return Number(seq)
    })
  }
  commit(seq: number, said: string): number {
    const { sql } = this.ctx.storage
    return this.ctx.storage.transactionSync(() => {
      sql.exec('UPDATE steps SET said = ? WHERE seq = ?', said, seq)
      return seq
    })
  }
  /** Closes a row and inserts the next one. */
  advance(seq: number, said: string): number {
    return this.ctx.storage.transactionSync(() => {
      this.commit(seq, said)
      return this.begin('next')
    })
  }
}

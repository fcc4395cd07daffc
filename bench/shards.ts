/**
 * What the shards of one tenant take for creates and for changes of status: the processor time in each object, with the tables and handlers
 * of the service over SQLite in this process. An object does one thing after the other, so a tenant cannot do more in a second than its
 * busiest object can. Calls over the network and the disk are not in these figures; `write_ms` adds a wait for each call, as a disk would.
 */
import process from 'node:process'
import type { RemoteTask } from '../src/core/replay/stored-task.ts'
import { refuse } from '../src/core/terms/refusal.ts'
import type { RemoteWorkspace, WorkspaceCommand } from '../src/core/protocol/workspace-requests.ts'
import { homesOf } from '../src/core/workspace/shards/layout.ts'
import { storeWithShards } from '../src/shell/shards/store-with-shards.ts'
import { sqlWorkspace, type SqlWorkspace } from '../test/support/sql-workspace.ts'

const BYTES_MAX = 1e15
const LIMITS = { open_max: 100_000_000, daily: { tokens: null, cost: null } }

export interface ShardFigures {
  shards: number
  rows: number
  /** What the busiest object lets the tenant do in a second. */
  creates_per_s: number
  changes_per_s: number
  /** Calls of objects for one create, those for shares of quotas included. */
  calls_per_create: number
  /** The part of all creates that the busiest object has. */
  busiest: number
  us_per_create: number
}

const idOf = (n: number) => `task_${(n * 2_654_435_761).toString(16).padStart(32, '0')}`

const admissionOf = (n: number): WorkspaceCommand<'admit'> => ({
  kind: 'admit',
  entry: {
    id: idOf(n),
    mode: 'plan_execute',
    status: 'running',
    metadata: { n: String(n) },
    goal: `Prepare the move of office ${n}`,
    slice: `s${n}`,
    is_fresh: true,
  },
  ...LIMITS,
})
const changeOf = (n: number): WorkspaceCommand<'set_status'> => ({
  kind: 'set_status',
  id: idOf(n),
  status: 'paused',
  version: 3,
  spend: null,
})

export class BenchTenant {
  calls = 0
  readonly #objects = new Map<number, SqlWorkspace>()
  readonly #workspace: RemoteWorkspace
  readonly #shards: number

  constructor(shards: number) {
    this.#shards = shards
    const of = () => ({ ask: async () => refuse({ code: 'task_not_found' }) }) as unknown as RemoteTask // nothing else is asked
    const stored = { of, workspace: (_tenant: string, shard = 0) => this.#counted(shard), pool: () => this.#counted(0) }
    const config = { shardsOf: () => this.#layout(), max_driven_tasks: 10, max_stored_bytes: BYTES_MAX }
    this.#workspace = storeWithShards(stored, config, Date.now).workspace('bench')
  }

  #layout() {
    return { count: this.#shards, since: this.#shards }
  }

  #objectOf(shard: number): SqlWorkspace {
    const part = this.#shards === 1 ? null : shard
    const found =
      this.#objects.get(shard) ??
      sqlWorkspace({ now: Date.now, slots_max: () => 10, bytes_max: BYTES_MAX, shard: part })
    this.#objects.set(shard, found)
    return found
  }

  #counted(shard: number): RemoteWorkspace {
    const object = this.#objectOf(shard)
    const counted = async <T>(answer: T): Promise<T> => ((this.calls += 1), answer)
    return {
      tell: (command) => counted(object.tell(command)),
      ask: (query) => counted(object.ask(query)),
      tellInShard: (call) => counted(object.tellInShard(call)),
      awaitDelegation: () => Promise.resolve(),
    }
  }

  /** A create as the service makes it, with whatever its shard lacks of a quota. */
  async create(n: number): Promise<void> {
    const admitted = await this.#workspace.tell(admissionOf(n))
    if (!admitted.ok) throw new Error(`a create was refused: ${admitted.refusal.code}`)
  }

  /** The processor time of the same command for each number of `numbers`, by shard. The shares are large enough by then. */
  busy_ms(numbers: readonly number[], commandOf: typeof admissionOf | typeof changeOf): number[] {
    const of_shard = Map.groupBy(numbers, (n) => homesOf(idOf(n), this.#layout())[0])
    return [...of_shard].map(([shard, own]) => {
      const object = this.#objectOf(shard)
      const begun = process.threadCpuUsage()
      for (const n of own) {
        const command = commandOf(n)
        if (this.#shards === 1) object.tell(command)
        else {
          const call = { shard, command, task: idOf(n), only_known: false, is_untied: false, share: null }
          const done = object.tellInShard(call)
          if (!done.is_known || done.lacks.length > 0) throw new Error('a shard lacks a part of a quota')
        }
      }
      const { user, system } = process.threadCpuUsage(begun)
      return (user + system) / 1000
    })
  }

  /** One round on a tenant that has `rows` tasks: `amount` more are made and changed. */
  measure(rows: number, amount: number, write_ms: number): Omit<ShardFigures, 'calls_per_create'> {
    const numbers = Array.from({ length: amount }, (_, n) => rows + n)
    const counts = [...Map.groupBy(numbers, (n) => homesOf(idOf(n), this.#layout())[0]).values()].map(
      (own) => own.length,
    )
    const [made, changed] = [admissionOf, changeOf].map((commandOf) => this.busy_ms(numbers, commandOf))
    const longest = (busy: readonly number[] = []) =>
      Math.max(...busy.map((ms, at) => ms + (counts[at] ?? 0) * write_ms))
    const perSecond = (busy: readonly number[] | undefined) => Math.round((amount / longest(busy)) * 1000)
    const total = (made ?? []).reduce((sum, ms) => sum + ms, 0)
    return {
      shards: this.#shards,
      rows,
      creates_per_s: perSecond(made),
      changes_per_s: perSecond(changed),
      busiest: Number((Math.max(...counts) / amount).toFixed(3)),
      us_per_create: Number(((total / amount) * 1000).toFixed(1)),
    }
  }
}

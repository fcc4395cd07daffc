/** The Durable Object of all tenants and keys. There is one, named `registry`, and nothing on the path of a step asks it. */
import { DurableObject } from 'cloudflare:workers'
import type * as Rules from '../../core/registry/registry.ts'
import type {
  RegistryCommand,
  RegistryCommandAnswer,
  RegistryCommandKind,
  RegistryQuery,
  RegistryQueryAnswer,
  RegistryQueryKind,
  RemoteRegistry,
  StoredRegistry,
} from '../../core/registry/registry-requests.ts'
import type { RegistryRows } from '../../core/registry/registry-rows.ts'
import type * as Tables from './sql-registry.ts'

type Loaded = typeof Rules & typeof Tables

export abstract class RegistryObject<E> extends DurableObject<E> implements StoredRegistry {
  #made = false
  #loaded: Loaded | null = null

  /** Most starts ask no registry, so its rules and tables are loaded with the object. */
  constructor(context: DurableObjectState, env: E) {
    super(context, env)
    void context.blockConcurrencyWhile(async () => {
      const [rules, tables] = await Promise.all([
        import('../../core/registry/registry.ts'),
        import('./sql-registry.ts'),
      ])
      this.#loaded = { ...rules, ...tables }
    })
  }

  tell<K extends RegistryCommandKind>(command: RegistryCommand<K>): RegistryCommandAnswer<K> {
    return this.#transact(({ tellRegistry }, rows) => tellRegistry({ rows, now_ms: Date.now() }, command))
  }

  ask<K extends RegistryQueryKind>(query: RegistryQuery<K>): RegistryQueryAnswer<K> {
    return this.#transact(({ askRegistry }, rows) => askRegistry({ rows, now_ms: Date.now() }, query))
  }

  #transact<T>(body: (loaded: Loaded, rows: RegistryRows) => T): T {
    const { storage } = this.ctx
    const loaded = this.#loaded
    if (loaded === null) throw new Error('the registry is not loaded: no call comes before the constructor is done')
    const answer = storage.transactionSync(() => {
      if (!this.#made) loaded.makeRegistryTables(storage.sql)
      return body(loaded, loaded.sqlRegistry(storage.sql))
    })
    // Set only now, because the tables of a transaction that was rolled back are not there.
    this.#made = true
    return answer
  }
}

const NAME = 'registry'

/** The registry over RPC. Each call takes a new stub, because a stub that failed stays broken. */
export function durableRegistry<E>(registries: DurableObjectNamespace<RegistryObject<E>>): RemoteRegistry {
  // The object implements this interface; the stub's own type widens `unknown` members of answers to `never`.
  const open = () => registries.getByName(NAME) as unknown as RemoteRegistry
  return {
    tell: (command) => open().tell(command),
    ask: (query) => open().ask(query),
  }
}

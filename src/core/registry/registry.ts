/** Answers commands and queries to the registry. Every change is noted in the audit log in the same transaction, and so is its refusal. */
import { auditEntryOf, type ChangeKind } from './audit-entry.ts'
import { changeRegistry, keyIn, tenantIn, type RegistryContext } from './changes.ts'
import { isKeyId } from './key-format.ts'
import { isKeyUseDue, stateOf, type KeyRecord } from './records.ts'
import type {
  FoundKey,
  LookedUp,
  RegistryCommand,
  RegistryCommandAnswer,
  RegistryCommandKind,
  RegistryQuery,
  RegistryQueryAnswer,
  RegistryQueryKind,
} from './registry-requests.ts'
import type { RegistryRows } from './registry-rows.ts'

/** To be called in a transaction. */
export function tellRegistry<K extends RegistryCommandKind>(
  context: RegistryContext,
  command: RegistryCommand<K>,
): RegistryCommandAnswer<K> {
  // The kind of a command decides the type of its answer, which the compiler does not see.
  return answerTo(context, command as RegistryCommand) as RegistryCommandAnswer<K>
}

function answerTo(context: RegistryContext, command: RegistryCommand): RegistryCommandAnswer<RegistryCommandKind> {
  switch (command.kind) {
    case 'look_up':
      return lookUp(context, command)
    case 'note_call':
      return context.rows.addEntry({ ...command.entry, at: context.now_ms })
    default:
      return change(context, command)
  }
}

function change(context: RegistryContext, command: RegistryCommand<ChangeKind>): RegistryCommandAnswer<ChangeKind> {
  const answer = changeRegistry(context, command)
  context.rows.addEntry({ ...auditEntryOf(context.rows, command, answer), at: context.now_ms })
  return answer
}

function lookUp({ rows, now_ms }: RegistryContext, { of, name }: RegistryCommand<'look_up'>): LookedUp {
  if (of === 'tenant') return { key: null, tenant: rows.tenant(name) }
  const key = isKeyId(name) ? rows.key(name) : rows.keyByDigest(name)
  if (key === null) return { key: null, tenant: null }
  const state = stateOf(key, now_ms)
  // A digest is known only to who has the key. A look-up by id asks for its limits, which is no use of it.
  const isUsed = state === 'live' && !isKeyId(name)
  if (isUsed && isKeyUseDue(key.last_used, now_ms)) rows.changeKey(key.id, { last_used: now_ms })
  return { key: foundKey(key, state), tenant: rows.tenant(key.tenant) }
}

const foundKey = ({ id, tenant, scopes, limits, expires }: KeyRecord, state: FoundKey['state']): FoundKey => ({
  id,
  tenant,
  scopes,
  limits,
  expires,
  state,
})

type QueryHandlers = {
  [K in RegistryQueryKind]: (rows: RegistryRows, query: RegistryQuery<K>) => RegistryQueryAnswer<K>
}
const QUERIES: QueryHandlers = {
  tenant: (rows, { name, within }) => tenantIn(rows, name, within),
  tenants(rows, { after, limit, within }) {
    if (within === null) return rows.tenants({ after, limit })
    const own = tenantIn(rows, within, within)
    return own.ok && own.value.name > after ? [own.value] : []
  },
  key: (rows, { id, within }) => keyIn(rows, id, within),
  keys: (rows, { within, before, limit }) => rows.keys({ tenant: within, before, limit }),
  audit: (rows, range) => rows.entries(range),
}

/** To be called in a transaction. */
export const askRegistry = <K extends RegistryQueryKind>(
  { rows }: RegistryContext,
  query: RegistryQuery<K>,
): RegistryQueryAnswer<K> => (QUERIES[query.kind] as QueryHandlers[K])(rows, query)

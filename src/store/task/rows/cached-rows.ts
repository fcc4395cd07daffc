/**
 * A cache over the rows of a task. Only its object writes to the storage, so each value that was read or written stays valid. Drop the cache
 * after a rollback and after the storage was emptied.
 */
import type { Fact } from '../../../core/terms/effect.ts'
import { factOfWrite, tailAfter, type Tail } from '../../../core/protocol/journal.ts'
import type { ExportState } from '../../../core/replay/export/export-page.ts'
import type { Delivery } from '../../../core/protocol/outbox.ts'
import { recallOf, tailQueries } from './records.ts'
import { type Facts, type Rows } from './rows.ts'

export function cachedRows<R extends Rows>(rows: R): R {
  const facts = boundedFacts()
  let tail: Tail | null = null
  let deliveries: readonly Delivery[] | null = null
  let link_epoch: number | null = null
  let exported: ExportState | null = null
  const known = () => (tail ??= rows.tail())
  return {
    ...rows,
    ...tailQueries(known),
    recall: recallOf(rows.recall, facts),
    deliveries: () => (deliveries ??= rows.deliveries()),
    linkEpoch: () => (link_epoch ??= rows.linkEpoch()),
    endLinks() {
      rows.endLinks()
      link_epoch = null
    },
    exported: () => (exported ??= rows.exported()),
    saveExported(state) {
      rows.saveExported(state)
      exported = null
    },
    save(delivery) {
      rows.save(delivery)
      deliveries = null
    },
    apply(writes) {
      const after = writes.reduce(tailAfter, known())
      rows.apply(writes)
      tail = after
      for (const write of writes) {
        const fact = factOfWrite(write)
        if (fact !== null) facts.set(write.row.seq, fact)
      }
    },
  }
}

/** Many objects share the memory of one isolate. Beyond these bounds the whole cache is cleared. */
const FACTS_MAX = 4_096
const CHARS_MAX = 2_000_000

function boundedFacts(): Facts {
  const facts = new Map<number, Fact>()
  let chars = 0
  return {
    get: (seq) => facts.get(seq),
    set(seq, fact) {
      const more = charsOf(fact)
      if (facts.size >= FACTS_MAX || chars + more > CHARS_MAX) {
        facts.clear()
        chars = 0
      }
      chars += more
      facts.set(seq, fact)
    },
  }
}

/** The characters of every text in a value: a report is as long as a reply and has its text under another name. */
function charsOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let chars = 0
  for (const part of Object.values(value)) chars += charsOf(part)
  return chars
}

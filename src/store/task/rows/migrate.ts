/** Brings older heads to the current schema version on read (D6). A head that is newer, or has no known shape, stays as it is. */
import * as z from 'zod'
import { SCHEMA_VERSION } from '../../../core/terms/head.ts'

const Versioned = z.looseObject({ schema_version: z.int() })
type Migration = (head: z.infer<typeof Versioned>) => z.infer<typeof Versioned>

/** Version 2 had one mode, and its questions were open in one phase. */
const Asking = z.object({
  state: z.object({ phase: z.literal('asking') }),
  hold: z.null(),
  end: z.null(),
  updated_at: z.number(),
})

const used = z.object({ used: z.number() })
const BudgetV1 = z.object({ steps: z.object({ used: z.number(), max: z.number() }), tokens: used, working_ms: used })

/** Migrations by the version that they start from. */
const MIGRATIONS: Readonly<Record<number, Migration>> = {
  /** To version 2: maxima for tokens and time, and the axis of money. */
  1: (head) => {
    const budget = BudgetV1.safeParse(head.budget)
    if (!budget.success) return head
    const { steps, tokens, working_ms } = budget.data
    const unbounded = { used: 0, max: null }
    return {
      ...head,
      schema_version: 2,
      budget: { steps, tokens: { ...tokens, max: null }, cost: unbounded, working_ms: { ...working_ms, max: null } },
    }
  },
  /** To version 3: the time since which a question is open. */
  2: (head) => ({ ...head, schema_version: 3, asking_since: Asking.safeParse(head).data?.updated_at ?? null }),
}

export function migrateHead(value: unknown): unknown {
  const versioned = Versioned.safeParse(value)
  if (!versioned.success) return value
  let head = versioned.data
  while (head.schema_version < SCHEMA_VERSION) {
    const next = MIGRATIONS[head.schema_version]?.(head)
    if (next === undefined || next === head) return value
    head = next
  }
  return head
}

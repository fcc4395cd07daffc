/** Brings older heads to the current schema version on read (D6). A newer head stays as it is. A head of no known shape throws. */
import * as z from 'zod'
import { IDLE_TTL_S } from '../../../core/terms/effect.ts'
import { SCHEMA_VERSION, type HeadPointer } from '../../../core/terms/head.ts'
import { PauseReason } from '../../../core/terms/pause-reason.ts'
import { NO_TOKENS } from '../../../core/terms/values/usage.ts'
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { STATES_V3 } from './states-v3.ts'
import { GUESSED_V4, STATES_V4 } from './states-v4.ts'

const Versioned = z.looseObject({ schema_version: z.int(), mode: z.string().optional() })
type Versioned = z.infer<typeof Versioned>

interface Migration {
  migrate: (head: Versioned) => object
  /**
   * The members that a head of this version cannot tell, because they follow from the rows before it. The migration guesses
   * them, and a replay does not compare them in rows that were stored in this version or an earlier one.
   */
  guessed: readonly HeadPointer[]
  /** Those that only heads of one mode have, or cannot tell. */
  guessed_in?: Readonly<Record<string, readonly HeadPointer[]>>
}
export type Migrations = Readonly<Record<number, Migration>>

/** 1, 2, … up to the number below `N`. */
type Below<N extends number, Counted extends unknown[] = [unknown]> = Counted['length'] extends N
  ? never
  : Counted['length'] | Below<N, [...Counted, unknown]>

/** Version 2 had one mode, and its questions were open in one phase. */
const Asking = z.object({
  state: z.object({ phase: z.literal('asking') }),
  hold: z.null(),
  end: z.null(),
  updated_at: z.number(),
})

const used = z.object({ used: z.number() })
const HeadV1 = z.looseObject({
  budget: z.object({ steps: z.object({ used: z.number(), max: z.number() }), tokens: used, working_ms: used }),
})

/** Members that heads of version 3 got on the way: where they are missing, nothing had come of them yet. */
const ADDED_IN_V3 = { allowance: { tokens: 0, cost: 0, day: '' }, reminded: false, approval: null, unavailable: 0 }

/** Before version 4 a head had the stop reason as the text of the wire. */
const PauseReasonV3 = z
  .string()
  .transform((text) => {
    const [kind, axis] = text.split(':')
    if (kind === 'budget_exhausted') return { kind: 'budget', axis }
    if (kind === 'iteration_limit') return { kind: 'budget', axis: 'iterations' }
    return { kind: kind === 'paused_by_user' ? 'user' : kind }
  })
  .pipe(PauseReason)
  .nullable()

const HeadV3 = z.looseObject({ mode: z.string(), hold: PauseReasonV3, state: z.looseObject({}) })

/** Version 4 knew no kinds of tokens. */
const BudgetV4 = z
  .looseObject({ steps: z.unknown(), tokens: z.unknown() })
  .transform(({ steps, tokens, ...budget }) => ({ steps, tokens, token_kinds: NO_TOKENS, ...budget }))
/** In version 4 no attempts could be added. */
const StreakV4 = z.looseObject({ count: z.int() }).transform((streak) => ({ ...streak, max: null }))
const HeadV4 = z.looseObject({ mode: z.string(), budget: BudgetV4, state: z.looseObject({}), streak: StreakV4 })

/** Version 5 waited for files in mode autonomous only. */
const NO_FILE_WAITS = { missing: null, waits: 0, declined: false, arrived: null }
const HeadV5 = z.looseObject({ mode: z.string(), state: z.looseObject({}) })

/** By the version they start from. The compiler asks for each one. */
const MIGRATIONS: Migrations = {
  /** To version 2: maxima for tokens and time, and the axis of money. */
  1: {
    guessed: [],
    migrate: (head) => {
      const { steps, tokens, working_ms } = HeadV1.parse(head).budget
      const unbounded = { used: 0, max: null }
      return {
        ...head,
        budget: { steps, tokens: { ...tokens, max: null }, cost: unbounded, working_ms: { ...working_ms, max: null } },
      }
    },
  },
  /** To version 3: the time since which a question is open. */
  2: {
    guessed: [],
    migrate: (head) => ({ ...head, asking_since: Asking.safeParse(head).data?.updated_at ?? null }),
  },
  /** To version 4: the reason of a pause as data, and one shape of plans for all modes. */
  3: {
    guessed: [],
    migrate: (head) => {
      const { hold, ...rest } = HeadV3.parse(head)
      const schema = STATES_V3[rest.mode]
      const state = schema === undefined ? rest.state : parseMember(schema, 'state', rest.state)
      return { ...ADDED_IN_V3, ...rest, pause_reason: hold, state }
    },
  },
  /** To version 5: finished items that have left the list, in all modes, the kinds of the used tokens, and added attempts. */
  4: {
    guessed: GUESSED_V4,
    // A report of failure did not change what its command counted as.
    guessed_in: { orchestrator: ['/counters/successful_actions', '/counters/failed_actions'] },
    migrate(head) {
      const versioned = HeadV4.parse(head)
      const schema = STATES_V4[versioned.mode]
      return schema === undefined ? versioned : { ...versioned, state: parseMember(schema, 'state', versioned.state) }
    },
  },
  /** To version 6: the waits for files of dynamic and session, and the endpoints that were given up, of which there was one before. */
  5: {
    guessed: [],
    // A head of version 5 named more decisions.
    guessed_in: { dynamic: ['/state/decisions'] },
    migrate(head) {
      const versioned = { ...HeadV5.parse(head), given_up: [] }
      const isReader = versioned.mode === 'dynamic' || versioned.mode === 'session'
      return isReader ? { ...versioned, state: { ...NO_FILE_WAITS, ...versioned.state } } : versioned
    },
  },
  /** To version 7: rows with images of results, which no earlier row has. */
  6: { guessed: [], migrate: (head) => head },
  /** To version 8: listed tools and held calls, which no earlier task has. */
  7: { guessed: [], migrate: (head) => ({ ...head, lists: [], held: null }) },
  /** To version 9: instructions and typed results, which no earlier task has. */
  8: { guessed: [], migrate: (head) => ({ ...head, closing: null, data_row: null }) },
  /** To version 10: changes of drive, callback, labels and title, of which no earlier task has any. */
  9: { guessed: [], migrate: (head) => ({ ...head, changed_row: null, callback_row: null }) },
  /** To version 11: agents, by which no earlier task was made, and deadlines that claims extend, of which no earlier task has any. */
  10: { guessed: [], migrate: (head) => ({ ...head, report_extended: null }) },
  /** To version 12: who made a task, and the trace it belongs to, of which earlier tasks know nothing. */
  11: { guessed: [], migrate: (head) => head },
} satisfies Record<Below<typeof SCHEMA_VERSION>, Migration>

/** A stored head in the current version, and what in it is only guessed. */
export function migrateHead(
  value: unknown,
  migrations = MIGRATIONS,
): { head: unknown; guessed: readonly HeadPointer[] } {
  const guessed: HeadPointer[] = []
  // Nearly every head is a current one.
  if (isRecord(value) && value['schema_version'] === SCHEMA_VERSION) return { head: value, guessed }
  const versioned = Versioned.safeParse(value)
  if (!versioned.success) return { head: value, guessed }
  let head = versioned.data
  for (let step = migrations[head.schema_version]; step !== undefined; step = migrations[head.schema_version]) {
    guessed.push(...step.guessed, ...(step.guessed_in?.[head.mode ?? ''] ?? []))
    head = { ...step.migrate(head), schema_version: head.schema_version + 1 }
  }
  return { head, guessed }
}

/** Parses a member of a head. An issue of its schema names the member too. */
export function parseMember<T>(schema: z.ZodType<T>, name: string, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new z.ZodError(parsed.error.issues.map((issue) => ({ ...issue, path: [name, ...issue.path] })))
}

/** Settings whose defaults are not what tasks did before they existed. */
const SETTINGS_BEFORE = { strict_replies: true }

/** What a brief of an early release lacks. Rows have no version of their own, so a member is added where it is missing. */
const ADDED_TO_BRIEF = {
  drive: 'manual',
  callback_url: null,
  origin: '',
  idle_ttl_s: IDLE_TTL_S,
  code_language: 'javascript',
  // A release before version 5 did not say.
  made_in: 4,
  tools: [],
  fallbacks: {},
}

/** A stored event in the current shape. */
export function migrateEvent(value: unknown): unknown {
  if (!isRecord(value) || value.kind !== 'task_created' || !isRecord(value.brief)) return value
  const { settings } = value.brief
  const brief = { ...ADDED_TO_BRIEF, ...value.brief }
  if (!isRecord(settings)) return { ...value, brief }
  return { ...value, brief: { ...brief, settings: { ...SETTINGS_BEFORE, ...settings } } }
}

/** A stored effect in the current shape. An early release had one call in each reply. */
export const migrateEffect = (value: unknown): unknown =>
  isRecord(value) && value.kind === 'run_tool' ? { call: 0, ...value } : value

/** What a row costs, how failures in a row are counted, and the ids of events (S0-26…S0-32, U3, U4, U9). */
import type { SeededBug } from './seeded-bug.ts'

const BUDGET = 'src/core/terms/budget.ts'
const REDUCE = 'src/core/engine/reduce.ts'
const CHARGE_ROW = 'src/core/engine/charge-row.ts'

export const LEDGER_BUGS: readonly SeededBug[] = [
  {
    name: 'double-count',
    law: 'a lost tool call costs one step',
    file: CHARGE_ROW,
    find: 'return settleReservation(steps, row.reserved ?? NOTHING_RESERVED, event, row.elapsed_ms)',
    replace: `const charge = settleReservation(steps, row.reserved ?? NOTHING_RESERVED, event, row.elapsed_ms)
  return event.kind === 'outcome_unknown' ? { ...charge, steps: steps * 2 } : charge`,
  },
  {
    name: 'uncounted-orphan',
    law: 'a lost call costs its step',
    file: BUDGET,
    find: 'return { ...full, ms: reserved.ms }',
    replace: 'return { ...full, steps: 0, ms: reserved.ms }',
  },
  {
    name: 'orphan-without-charge',
    law: 'a lost call is charged with its whole reservation',
    file: BUDGET,
    find: 'return { ...full, ms: reserved.ms }',
    replace: 'return { ...full, tokens: 0, cost: 0, ms: reserved.ms }',
  },
  {
    name: 'reservation-not-settled',
    law: 'usage is charged as reported',
    file: BUDGET,
    find: 'return event.usage === null ? { ...full, ms } :',
    replace: 'return event !== null ? { ...full, ms } :',
  },
  {
    name: 'missing-usage-is-free',
    law: 'a call without usage is charged with its whole reservation',
    file: BUDGET,
    find: 'return event.usage === null ? { ...full, ms } :',
    replace: 'return event.usage === null ? { ...full, tokens: 0, cost: 0, ms } :',
  },
  {
    name: 'http-error-charged',
    law: 'an HTTP error costs no tokens and no money',
    file: BUDGET,
    find: 'if (event.status !== null) return { ...full, tokens: 0, cost: 0, ms }\n',
    replace: '',
  },
  {
    name: 'seconds-not-counted',
    law: 'working time is the sum of what the effects took',
    file: BUDGET,
    find: 'working_ms: add(budget.working_ms, cost.ms)',
    replace: 'working_ms: budget.working_ms',
  },
  {
    name: 'over-reserve-not-marked',
    law: 'usage above the reservation is marked',
    file: BUDGET,
    find: 'over_reserve: tokens > full.tokens || cost > full.cost',
    replace: 'over_reserve: false',
  },
  {
    name: 'cost-rounded-down',
    law: 'money is rounded up',
    file: 'src/core/terms/money.ts',
    find: 'Math.ceil((inputs +',
    replace: 'Math.floor((inputs +',
  },
  {
    name: 'price-version-dropped',
    law: 'each row keeps the version of its price',
    file: 'src/core/terms/money.ts',
    find: '{ version, ...price }',
    replace: "{ version: '', ...price }",
  },
  {
    name: 'streak-not-reset',
    law: 'a valid decision ends the row of failures',
    file: REDUCE,
    find: 'const streak = transition.undecided === true ? head.streak : NO_STREAK',
    replace: 'const streak = head.streak',
  },
  {
    name: 'back-off-ignored',
    law: 'no attempt is made before its time',
    file: 'src/core/protocol/advance.ts',
    find: 'if (head.retry_at !== null && head.retry_at > context.now_ms) return null\n',
    replace: '',
  },
  {
    name: 'event-ids-with-gaps',
    law: 'event ids are dense',
    file: REDUCE,
    find: 'const first = before.events.first + before.events.count\n',
    replace: 'const first = before.events.first + Math.max(1, before.events.count)\n',
  },
  {
    name: 'hidden-retries',
    law: 'one call to the model is one request on the wire',
    file: 'src/models/wires/openai-client.ts',
    find: 'answers.set(stand_in, await boundedFetch(fetch, input, { ...sent, headers }, answerReading(reading)))',
    replace:
      'const send = () => boundedFetch(fetch, input, { ...sent, headers }, answerReading(reading))\n      const first = await send()\n      answers.set(stand_in, first.kind === "answered" && first.status < 500 ? first : await send())',
  },
]

/**
 * What becomes of imperfect replies: those whose meaning is plain are understood at no cost, the others are refused with a reason
 * that the next request shows beside the reply. No reply is a dead end, and none does what it does not mean (ruling 32, 33).
 */
import { afterAll, describe, expect, it } from 'vitest'
import type { Line } from '../../support/scripted.ts'
import { CONVERSATIONS, ENDINGS, endingSlot } from './conversations.ts'
import { FORMS, type Expected } from './forms.ts'
import { JSON_SLOTS } from './json-slots.ts'
import { endOf, expectPlayable, judge, type Slot, type Verdict } from './judge.ts'
import { MEMBER_FORMS } from './member-forms.ts'
import { TOOL_TABLES } from './tool-forms.ts'

interface Row {
  name: string
  expected: Expected
  line: Line
}
type Table = [name: string, slot: Slot, rows: readonly Row[]]

const TABLES: Table[] = [
  ...JSON_SLOTS.map((slot): Table => {
    const reply = slot.replies[slot.at]
    if (typeof reply !== 'object') throw new Error(`${slot.name} has no reply in JSON`)
    const rows = [...FORMS, ...(MEMBER_FORMS[slot.name] ?? [])].flatMap(({ category, name, expected, of }): Row[] => {
      const line = of(reply)
      return line === null ? [] : [{ name: `${category}: ${name}`, expected: expectedIn(slot, expected), line }]
    })
    return [slot.name, slot, rows]
  }),
  ...[...CONVERSATIONS, ...TOOL_TABLES].map(({ slot, rows }): Table => [
    slot.name,
    slot,
    rows.map(([category, name, expected, line]) => ({ name: `${category}: ${name}`, expected, line })),
  ]),
]

/** A thought is free text, so that nothing which is told elsewhere has to be told there. */
function expectedIn({ name }: Slot, expected: Expected): Expected {
  return name === 'dynamic think' && expected === 'told' ? 'either' : expected
}

const isAsExpected = (expected: Expected, verdict: Verdict): boolean =>
  expected === 'either' ? verdict === 'understood' || verdict === 'told' : verdict === expected

type Counts = Record<'plausible' | 'understood' | 'rows' | Exclude<Verdict, 'understood'>, number>
const figures = new Map<string, Counts>()

function count({ mode }: Slot, expected: Expected, verdict: Verdict): void {
  const zero: Counts = { rows: 0, plausible: 0, understood: 0, told: 0, 'not told': 0, 'dead end': 0, 'wrong deed': 0 }
  const counts = figures.get(mode) ?? zero
  figures.set(mode, counts)
  counts.rows += 1
  counts.plausible += expected === 'told' ? 0 : 1
  // A reply that has to be told is no gain when it is understood.
  if (verdict !== 'understood' || expected !== 'told') counts[verdict] += 1
}

/** Many tasks are played for one reply. */
const TIMEOUT_MS = 120_000

describe.each(TABLES)('%s', (_name, slot, rows) => {
  it('an imperfect reply is understood, or told and repaired by the next one', { timeout: TIMEOUT_MS }, async () => {
    await expectPlayable(slot)
    const mistakes: string[] = []
    for (const { name, expected, line } of rows) {
      const { verdict, detail } = await judge(slot, line)
      count(slot, expected, verdict)
      if (!isAsExpected(expected, verdict))
        mistakes.push(`${name} is to be ${expected}, but is a ${verdict}: ${detail}`)
    }
    expect(mistakes).toEqual([])
  })
})

describe('what ends a session', () => {
  it.each(ENDINGS)('is not better than what was done: $name', async (ending) => {
    const { deeds, stuck } = await endOf(endingSlot(ending))
    expect(stuck).toBeNull()
    const { outcome, text = expect.any(String) } = ending
    expect(deeds).toMatchObject({ status: 'completed', result: { outcome, text } })
    expect(deeds.items.map(([, status]) => status)).toEqual(ending.steps)
  })
})

const UNDERSTOOD_MIN = 0.8

it('four of five plausible replies are understood at no cost', () => {
  for (const [mode, { plausible, understood }] of figures)
    expect([mode, understood / plausible >= UNDERSTOOD_MIN]).toEqual([mode, true])
})

it('at least sixty imperfect replies are judged in each mode that replies in JSON', () => {
  expect(figures.get('orchestrator')?.rows).toBeGreaterThanOrEqual(60)
})

afterAll(() => console.log(JSON.stringify({ imperfect_replies: Object.fromEntries(figures) })))

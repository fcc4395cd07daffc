/** The table of bad models: every hostile reply, and what one attempt that gets it must lead to in each phase. */
import { BODIES } from '../support/hostile-bodies.ts'
import { always, PHASES, type Fate, type Hostile, type Phase } from '../support/hostile-kit.ts'
import { TEXTS } from '../support/hostile-texts.ts'
import { WIRE } from '../support/hostile-wire.ts'
import type { Tongue } from '../support/tongues/tongue.ts'

export const HOSTILE: readonly Hostile[] = [...TEXTS, ...BODIES, ...WIRE]

export interface Case {
  hostile: Hostile
  phase: Phase
  fate: Fate
  /** The sentence of the requirement. */
  sentence: string
}

const OUTCOMES = { ok: 'is accepted', contract_error: 'is a broken contract', model_error: 'is a failed call' }
const CHARGES = { usage: 'the reported usage', reservation: 'its whole reservation', nothing: 'no tokens' }

/** The table as a wire has it. */
export const tableOf = ({ fates }: Tongue): Hostile[] =>
  HOSTILE.flatMap((hostile) => {
    const other = fates[hostile.name]
    if (other === null) return []
    return [other === undefined ? hostile : { ...hostile, fate: always(other) }]
  })

export const casesOf = (table: readonly Hostile[]): Case[] =>
  table.flatMap((hostile) =>
    PHASES.map((phase) => {
      const fate = hostile.fate[phase]
      const sentence = `row ${hostile.row} a ${phase} answered with ${hostile.name} ${OUTCOMES[fate.outcome]} and costs ${CHARGES[fate.charge]}`
      return { hostile, phase, fate, sentence }
    }),
  )
export const CASES: readonly Case[] = casesOf(HOSTILE)

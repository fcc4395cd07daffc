/** What the page has to know of each mode. Views read these traits, so that no view compares the name of a mode. */
import type { ModeName } from './wire.ts'

interface ModeTraits {
  /** The setting that limits the work of a task. */
  counts: 'max_steps' | 'max_iterations'
  /** Whether a completed task goes on with the next input. Each run of such a task has a plan of its own. */
  reopens: boolean
  /** Whether a remark on a paused task is answered in a side turn, while the plan stays paused. */
  takesSideTurns: boolean
  /** Whether the plan is made before the work. Otherwise the model makes it while it works, and there is none to edit at first. */
  plansFirst: boolean
  /** Whether its model is told at the start which file the setting `dataset` names. */
  readsDataset: boolean
}

const PLANNED: ModeTraits = {
  counts: 'max_steps',
  reopens: false,
  takesSideTurns: false,
  plansFirst: true,
  readsDataset: false,
}
const TRAITS: Record<ModeName, ModeTraits> = {
  plan_execute: PLANNED,
  dynamic: PLANNED,
  session: { counts: 'max_iterations', reopens: true, takesSideTurns: true, plansFirst: false, readsDataset: false },
  autonomous: {
    counts: 'max_iterations',
    reopens: false,
    takesSideTurns: false,
    plansFirst: false,
    readsDataset: true,
  },
  orchestrator: PLANNED,
}

// Object.keys() forgets the names it was given.
export const MODES = Object.keys(TRAITS) as ModeName[]

/** A page that was loaded before an update of the service can meet a mode that it does not know. */
export const traitsOf = (mode: ModeName): ModeTraits => (Object.hasOwn(TRAITS, mode) ? TRAITS[mode] : PLANNED)

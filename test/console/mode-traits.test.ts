import { describe, expect, it } from 'vitest'
import { MODES, traitsOf } from '../../src/console/api/mode-traits.ts'
import { COMMON_TOOLS } from '../../src/core/mode/tools.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import { MODE_NAMES } from '../../src/core/terms/mode-names.ts'
import { DEFAULT_SETTINGS } from '../../src/core/terms/settings.ts'

const SETTINGS = { ...DEFAULT_SETTINGS, max_steps: 7, max_iterations: 11 }
const LIMITS = new Map([
  [SETTINGS.max_steps, 'max_steps'],
  [SETTINGS.max_iterations, 'max_iterations'],
])

describe('what the page knows of the modes is what they publish', () => {
  it('and it offers all of them', () => {
    expect(MODES).toEqual(MODE_NAMES)
  })

  it.each(MODE_NAMES)('of %s', (name) => {
    const mode = modeOf(name)
    expect(traitsOf(name)).toEqual({
      counts: LIMITS.get(mode.counter.max(SETTINGS)),
      reopens: mode.reopens,
      takesSideTurns: mode.side_phase !== null,
      plansFirst: mode.hasPlan === undefined,
      // Every mode with tools can read a dataset (U48). The one whose only tools those are is told of it by the setting.
      readsDataset: mode.tools === COMMON_TOOLS,
    })
  })
})

/** A small simulation, script by script and seed by seed, so that a mutant is tried only on the runs that reach it. */
import { afterEach, describe, expect, it } from 'vitest'
import { BUILT_IN_TOOLS, type ToolCard } from '../src/core/mode/tools.ts'
import { runCase } from '../test/sim/case.ts'
import { exhaustAll, MANNERS } from '../test/sim/pairs.ts'
import { SCRIPTS } from '../test/sim/scripts.ts'

/** Short, and about what little else plays: a tool that cannot tell a repeated call, and what is said meanwhile. */
const NAMES = ['a tool that cannot be repeated', 'a remark during a tool']
const CHOSEN = SCRIPTS.filter(({ name }) => NAMES.includes(name))
const SEEDS = Array.from({ length: 8 }, (_, index) => index + 1)

// The simulation offers a tool of its own; other suites in this process count the built-in ones.
afterEach(() => {
  const tools = BUILT_IN_TOOLS as ToolCard[]
  if (tools.at(-1)?.name === 'ring') tools.pop()
})

describe('crash points', () => {
  it.each(CHOSEN)('of $name', async (script) => {
    const { violations, runs } = await exhaustAll([script], MANNERS.slice(1, 2), false)
    expect(violations).toEqual([])
    expect(runs).toBeGreaterThan(0)
  })
})

describe('seeds', () => {
  it.each(SEEDS)('%i breaks no promise', async (seed) => {
    const { error } = await runCase(seed, () => {})
    expect(error).toBe(null)
  })
})

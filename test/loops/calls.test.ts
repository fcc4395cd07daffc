/** How many model calls a task takes with `calls: few`, compared with a plain loop of tools: one call for each action, and one for the answer. */
import { describe, expect, it } from 'vitest'
import { play } from './bench.ts'
import type { Job } from './goal.ts'

const GOALS: [name: string, jobs: Job[]][] = [
  ['1 action', [{ deed: 'check', name: 'north' }]],
  [
    '3 actions',
    [
      { deed: 'check', name: 'north' },
      { deed: 'check', name: 'south' },
      { deed: 'check', name: 'east' },
    ],
  ],
  [
    'a search, then a note',
    [
      { deed: 'find', name: 'alpha' },
      { deed: 'book', name: 'alpha' },
    ],
  ],
  ['a question, then an action', [{ deed: 'inquire', name: 'alpha' }]],
  [
    '5 items',
    [
      { deed: 'check', name: 'north' },
      { deed: 'check', name: 'south' },
      { deed: 'check', name: 'east' },
      { deed: 'check', name: 'west' },
      { deed: 'check', name: 'upper' },
    ],
  ],
  [
    'a file from a search',
    [
      { deed: 'find', name: 'alpha' },
      { deed: 'write', name: 'alpha' },
    ],
  ],
]
const FACTOR_MAX = 1.5

describe.each(['plan_execute', 'dynamic'] as const)('calls: few in mode %s', (mode) => {
  it.each(GOALS)('%s: at most 1.5 times the calls of a plain tool loop', async (name, jobs) => {
    const { bench, task, actions, lacks } = await play({ mode, jobs, seed: 5, settings: { calls: 'few' } })
    const plain = actions + 1
    const calls = bench.requests.length
    console.log(JSON.stringify({ calls_few: { mode, goal: name, calls, plain, factor: calls / plain } }))
    expect(lacks).toEqual([])
    expect(task).toMatchObject({ status: 'completed', result: { outcome: 'done' } })
    expect(calls / plain).toBeLessThanOrEqual(FACTOR_MAX)
  })
})

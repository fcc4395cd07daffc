/** How much of a request is a prefix of the one before it, which is what a provider's cache saves: the tools come first, then the messages. */
import { expect, it } from 'vitest'
import { play } from './bench.ts'
import type { Job } from './goal.ts'
import { textOf } from './request.ts'
import { VARIANTS } from './variants.ts'

const JOBS: Job[] = [
  { deed: 'note', name: 'alpha' },
  { deed: 'check', name: 'north' },
  { deed: 'choose', name: 'beta' },
  { deed: 'check', name: 'south' },
  { deed: 'find', name: 'gamma' },
  { deed: 'check', name: 'east' },
  { deed: 'book', name: 'alpha' },
  { deed: 'check', name: 'west' },
  { deed: 'book', name: 'beta' },
  { deed: 'check', name: 'upper' },
  { deed: 'book', name: 'gamma' },
  { deed: 'check', name: 'lower' },
]
const CALLS_MIN = 12
const MEAN_MIN = 0.7
/** The least share of one request. Its tools are the same in every request, so that no request begins anew. */
const SHARE_MIN = 0.65

function sharedLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}

it.each(VARIANTS)(
  '%s: at least 70 percent of a request is a prefix of the one before it',
  async (name, mode, settings) => {
    const { bench, task } = await play({ mode, jobs: JOBS, seed: 3, settings })
    const texts = bench.requests.map(textOf)
    const shares = texts.slice(1).map((text, index) => sharedLength(text, texts[index] ?? '') / text.length)
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
    const figures = { calls: texts.length, mean: round(mean), min: round(Math.min(...shares)) }
    console.log(JSON.stringify({ prefix_share: { [name]: figures } }))
    expect(task.status).toBe('completed')
    expect(texts.length).toBeGreaterThanOrEqual(CALLS_MIN)
    expect(mean).toBeGreaterThanOrEqual(MEAN_MIN)
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(SHARE_MIN)
  },
)

const round = (share: number): number => Math.round(share * 1000) / 1000

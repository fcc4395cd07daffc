/** Followers of live events: each event comes once and in order after the last seen id, through breaks and restarts. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Envelope } from '../../../src/core/terms/view.ts'
import type { Random } from '../../sim/random.ts'
import { headersOf, type Bench } from '../ask.ts'
import { isOpen, isThere, learnEvent, type Known } from '../known.ts'

export const FOLLOWERS = 3
/** The number of breaks after which a follower changes to another task. */
const BREAKS_MAX = 4

export async function follow(bench: Bench, random: Random, over: () => boolean): Promise<void> {
  while (!over()) {
    const open = [...bench.acks.tasks.values()].filter(isOpen)
    if (open.length === 0) await sleep(50)
    else await followOne(bench, random.pick(open), over)
  }
}

async function followOne(bench: Bench, known: Known, over: () => boolean): Promise<void> {
  const seen = { last: 0, ended: false }
  for (let breaks = 0; breaks < BREAKS_MAX && !seen.ended && isThere(known) && !over(); breaks++) {
    if (breaks > 0 && seen.last > 0) bench.tally.seen('followed on after a break')
    const headers = { ...headersOf(known.tenant), accept: 'text/event-stream', 'last-event-id': String(seen.last) }
    let rest = ''
    await bench.service.stream(`/tasks/${known.id}/events`, headers, (part) => {
      const frames = (rest + part).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) take(bench, known, frame, seen)
      return !over() && !seen.ended && isThere(known)
    })
  }
  if (seen.ended) bench.tally.seen('followed to the end')
}

function take({ acks, tally }: Bench, known: Known, frame: string, seen: { last: number; ended: boolean }): void {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1]
  if (field('event') === 'end') seen.ended = true
  const [id, data] = [field('id'), field('data')]
  if (id === undefined || data === undefined) return
  const next = Number(id) === seen.last + 1
  tally.demand(next, 'a follower sees each event once, in order', () => `${id} after ${seen.last}`, known.id)
  seen.last = Number(id)
  learnEvent(acks, known, Envelope.parse(JSON.parse(data)))
  tally.seen('event followed')
}

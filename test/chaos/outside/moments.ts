/** Moments of a run that a kill may be aimed at: whoever waits for the next one of a kind is told of it as it comes. */
export type Moment =
  | 'call'
  | 'background call'
  | 'search'
  | 'tool named'
  | 'ring'
  | 'hook'
  | 'claim'
  | 'report'
  | 'fork'
  | 'delete'
  | 'put'

export interface Moments {
  /** The next moment of this kind. */
  next(moment: Moment): Promise<void>
  tell(moment: Moment): void
}

export function newMoments(): Moments {
  const waiting = new Map<Moment, (() => void)[]>()
  return {
    next: (moment) => new Promise((resolve) => waiting.set(moment, [...(waiting.get(moment) ?? []), resolve])),
    tell(moment) {
      const told = waiting.get(moment) ?? []
      waiting.delete(moment)
      for (const go of told) go()
    },
  }
}

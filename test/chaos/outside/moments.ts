/** Moments of a run at which a kill may be aimed; a caller can wait for the next moment of a kind. */
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
  | 'awaited put'
  | 'run'
  | 'tick'

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

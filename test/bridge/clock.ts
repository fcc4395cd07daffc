/** Time that passes when the test says so. */
import { EventEmitter, once } from 'node:events'

export interface Clock {
  wait(ms: number, stop?: AbortSignal): Promise<void>
  /** Every wait that was asked for, in ms. */
  waited: number[]
  /** Waits of these lengths last until `pass`, all others are over at once. */
  hold(...lengths: number[]): void
  /** Resolves once somebody waits for so long. */
  asked(ms: number): Promise<void>
  /** Ends one such wait, as soon as there is one. */
  pass(ms: number): Promise<void>
  /** From now on they are over at once, with those that go on. */
  release(ms: number): void
}

export function newClock(): Clock {
  const changed = new EventEmitter().setMaxListeners(0)
  const held = new Map<number, (() => void)[]>()
  const waited: number[] = []
  const asked = async (ms: number) => {
    while ((held.get(ms)?.length ?? 0) === 0) await once(changed, 'change')
  }
  return {
    waited,
    asked,
    hold: (...lengths) => lengths.forEach((ms) => held.set(ms, [])),
    pass: async (ms) => {
      await asked(ms)
      held.get(ms)?.shift()?.()
    },
    release: (ms) => {
      for (const end of held.get(ms) ?? []) end()
      held.delete(ms)
    },
    wait: async (ms, stop) => {
      stop?.throwIfAborted()
      waited.push(ms)
      const waiting = held.get(ms)
      if (waiting === undefined) return
      await new Promise<void>((resolve, reject) => {
        const broken = () => {
          if (waiting.includes(resolve)) waiting.splice(waiting.indexOf(resolve), 1)
          reject(new Error('stopped'))
        }
        waiting.push(resolve)
        stop?.addEventListener('abort', broken)
        changed.emit('change')
      })
    },
  }
}

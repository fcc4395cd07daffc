/**
 * The virtual scheduler: requests are actors that stop at a gate before every store call and every effect, and nothing
 * moves until someone opens one. No timers and no real time: between two gates only microtasks run, so an interleaving is
 * exactly the order in which gates are opened.
 */

/** One request on its Worker. */
export interface Actor {
  name: string
  /** False once its Worker died: whatever it still tries fails, and nobody hears of it. */
  alive: boolean
  /** Whether its caller has hung up. */
  gone: boolean
  over: boolean
  /** A reply to one of its calls was lost and the call sent again: what the first one caused is in no answer of its. */
  resent: boolean
  /** Rows for which it has called a model. */
  asked: Set<string>
  /** Stops at no gate: for the client that comes when the faults are over. */
  direct: boolean
}

export const actorOf = (name: string, direct = false): Actor => ({
  name,
  alive: true,
  gone: false,
  over: false,
  resent: false,
  asked: new Set(),
  direct,
})

/** A call that an actor is about to make. */
export interface Gate {
  actor: Actor
  /** What kind of call: `store.commit`, `model.plan`, `tool.ring`, … */
  label: string
  /** Does it. Called twice for a delivery that is repeated. */
  deliver: () => unknown
  /** Whether the call is one a network may deliver again. */
  repeatable: boolean
  /** The call as it is shown in a trace. */
  shown: string
  answer: (value: unknown) => void
  fail: (error: Error) => void
}

export interface Scheduler {
  parked: Gate[]
  /** Calls made so far: of a store, a model or a tool. */
  calls: number
  /** How many of them brought their worker no answer. */
  lost: number
  gate<T>(call: Pick<Gate, 'actor' | 'label' | 'repeatable' | 'shown'> & { deliver: () => T }): Promise<Awaited<T>>
  /** Runs an actor to its first gate, or to its end. */
  start(actor: Actor, work: () => Promise<void>): Promise<void>
  /** Gives a parked actor its answer and runs it to its next gate, or to its end. */
  answer(gate: Gate, value: unknown): Promise<void>
  fail(gate: Gate, error: Error): Promise<void>
  /** The Worker is gone: its actor never gets anywhere again. */
  kill(actor: Actor): Promise<void>
}

export const DIED = new Error('the worker died')
/** What a living Worker is told when the object's process was lost. */
export const RESET = new Error('the object was reset')

export function scheduler(): Scheduler {
  const parked: Gate[] = []
  let stopped = () => {}
  /** Until the actor that was just moved stands still again. */
  const standstill = (move: () => void) =>
    new Promise<void>((resolve) => {
      stopped = resolve
      move()
    })
  const leave = (gate: Gate) => parked.splice(parked.indexOf(gate), 1)
  return {
    parked,
    calls: 0,
    lost: 0,
    gate<T>(call: Pick<Gate, 'actor' | 'label' | 'repeatable' | 'shown'> & { deliver: () => T }) {
      if (!call.actor.alive) return Promise.reject(DIED)
      this.calls += 1
      if (call.actor.direct) return Promise.resolve(call.deliver())
      return new Promise<Awaited<T>>((resolve, reject) => {
        // The answer is what `deliver` gave, or a promise of it.
        const answer = (value: unknown) => resolve(value as Awaited<T>)
        parked.push({ ...call, answer, fail: reject })
        stopped()
      })
    },
    start: (actor, work) =>
      standstill(() => {
        void work().finally(() => {
          actor.over = true
          stopped()
        })
      }),
    answer(gate, value) {
      leave(gate)
      return standstill(() => gate.answer(value))
    },
    fail(gate, error) {
      this.lost += 1
      leave(gate)
      return standstill(() => gate.fail(error))
    },
    async kill(actor) {
      actor.alive = false
      const gate = parked.find((one) => one.actor === actor)
      if (gate !== undefined) await this.fail(gate, DIED)
    },
  }
}

/** What computes for long goes one at a time: tenants in turn, each tenant's own in order, nobody longer than its deadline. */
import { describe, expect, it } from 'vitest'
import { exclusiveLock, type ComputeLock, type Pause } from '../../src/shell/compute-lock.ts'

/** Time that goes on when it is told to, a step at a time, so that everybody looks at each moment. */
function bench() {
  let now = 0
  const waits: { until: number; done: () => void }[] = []
  let cut = false
  let looks = 0
  const gate = exclusiveLock({
    now_ms: () => now,
    wait: (ms, woken) =>
      new Promise<void>((done) => {
        if (cut) return
        looks += 1
        waits.push({ until: now + ms, done })
        void woken?.then(done)
      }),
  })
  const settle = async () => {
    for (let turn = 0; turn < 30; turn++) await Promise.resolve()
  }
  const pass = async (ms: number) => {
    for (const end = now + ms; ; now += 10) {
      await settle()
      for (const wait of waits.splice(0)) {
        if (wait.until <= now) wait.done()
        else waits.push(wait)
      }
      await settle()
      if (now >= end) return
    }
  }
  /** Whoever waits in it is never woken again, as in a request that is gone. */
  const cutOff = <T>(act: () => T): T => {
    cut = true
    const made = act()
    cut = false
    return made
  }
  return { gate, pass, cutOff, log: [] as string[], looks: () => looks }
}

/** Work that lasts until it is ended. */
function held(gate: ComputeLock, log: string[], name: string, timeout_ms = 10_000) {
  let end: (error?: Error) => void = () => {}
  let pause: Pause = () => Promise.reject(new Error('it has not begun'))
  const done = gate({ tenant: name.slice(0, 1), timeout_ms }, 'busy', (paused) => {
    log.push(name)
    pause = paused
    return new Promise<string>((resolve, reject) => {
      end = (error) => (error === undefined ? resolve(`${name} done`) : reject(error))
    })
  })
  // Who is awaited late is not to be taken for unheard.
  done.catch(() => undefined)
  return { done, end: (error?: Error) => end(error), pause: () => pause() }
}

describe('the gate of an isolate', () => {
  it('lets one in at a time, tenants in turn and each tenant’s own in the order in which they came', async () => {
    const { gate, pass, log } = bench()
    const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']
    const works = names.map((name) => held(gate, log, name))
    for (let turn = 1; turn <= names.length; turn++) {
      await pass(100)
      expect(log.length).toBe(turn)
      works[names.indexOf(log.at(-1) ?? '')]?.end()
    }
    expect(log).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
    await expect(Promise.all(works.map(({ done }) => done))).resolves.toEqual(names.map((name) => `${name} done`))
  })

  it('costs a waiter one look a second: two thousand that wait for ten seconds do not look more often, and the next one begins at once', async () => {
    const { gate, pass, log, looks } = bench()
    const first = held(gate, log, 'a1')
    for (let n = 0; n < 2_000; n++) held(gate, log, `b${n}`, 30_000)
    await pass(9_000)
    expect(looks()).toBeLessThan(2_000 * 10 + 10)
    first.end()
    await pass(0)
    await pass(10)
    expect(log).toEqual(['a1', 'b0'])
  })

  it('is freed by work that rejects, and by what throws before it has begun', async () => {
    const { gate, pass, log } = bench()
    const first = held(gate, log, 'a1')
    const thrown = gate({ tenant: 'b', timeout_ms: 10_000 }, 'busy', () => {
      throw new Error('at once')
    })
    thrown.catch(() => undefined)
    const last = held(gate, log, 'c1')
    await pass(50)
    first.end(new Error('broken'))
    await expect(first.done).rejects.toThrow('broken')
    await pass(50)
    await expect(thrown).rejects.toThrow('at once')
    await pass(50)
    expect(log).toEqual(['a1', 'c1'])
    last.end()
    await expect(last.done).resolves.toBe('c1 done')
  })

  it('answers busy to a caller that has waited three quarters of its time, and goes on', async () => {
    const { gate, pass, log } = bench()
    const first = held(gate, log, 'a1')
    const late = held(gate, log, 'b1', 400)
    const last = held(gate, log, 'c1')
    await pass(280)
    let answered = ''
    void late.done.then((answer) => (answered = answer))
    await pass(0)
    expect(answered).toBe('')
    await pass(60)
    expect(answered).toBe('busy')
    first.end()
    await pass(50)
    expect(log).toEqual(['a1', 'c1'])
    last.end()
  })

  it('passes over one that was cut off while it waited, once its time is over', async () => {
    const { gate, pass, log, cutOff } = bench()
    const first = held(gate, log, 'a1')
    const cut = cutOff(() => held(gate, log, 'b1', 400))
    const last = held(gate, log, 'c1')
    await pass(30)
    first.end()
    await pass(250)
    expect(log).toEqual(['a1'])
    await pass(1_000)
    expect(log).toEqual(['a1', 'c1'])
    await expect(Promise.race([cut.done, Promise.resolve('unheard')])).resolves.toBe('unheard')
    last.end()
  })

  it('takes a holder whose time is over for gone: the next one begins, and the old one is told at its next pause', async () => {
    const { gate, pass, log } = bench()
    const gone = held(gate, log, 'a1', 200)
    const next = held(gate, log, 'b1')
    await pass(150)
    expect(log).toEqual(['a1'])
    await pass(100)
    expect(log).toEqual(['a1', 'b1'])
    const told = gone.pause().catch(String)
    await pass(20)
    expect(await told).toBe('Error: its turn is over')
    // The end of the old one does not end the turn of the new one.
    gone.end()
    const third = held(gate, log, 'c1')
    await pass(50)
    expect(log).toEqual(['a1', 'b1'])
    next.end()
    await pass(50)
    expect(log).toEqual(['a1', 'b1', 'c1'])
    third.end()
  })
})

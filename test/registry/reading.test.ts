/** What a key that may only read sees, and how long it may go on reading. */
import { describe, expect, it } from 'vitest'
import { ok } from '../../src/core/terms/refusal.ts'
import type { FollowUpdate } from '../../src/shell/follow.ts'
import { ID } from '../support/http-fixture.ts'
import { linkBench } from '../support/link-bench.ts'
import { ask, CALLER, planned, taken } from '../support/scripted.ts'
import { bearer, registryBench } from '../support/registry-bench.ts'

describe('KEY-17 a caller who may only read', () => {
  it('sees the open question, and not the link that answers it', async () => {
    const bench = linkBench({ plan: [planned('A')], thought: [ask()] })
    const { id } = await bench.asking()
    const seenBy = async (scopes: typeof CALLER.scopes) =>
      taken(await bench.service.getTask({ ...CALLER, scopes }, id)).pending
    expect(await seenBy(['tasks:read', 'tasks:write'])).toMatchObject({
      answer_url: expect.stringContaining('/answers/'),
    })
    expect(await seenBy(['tasks:read'])).toMatchObject({ kind: 'question', answer_url: null })
  })

  it('gets no more events within a minute after its key was revoked', async () => {
    const clock = { at: 0 }
    const revoke: (() => Promise<unknown>)[] = []
    async function* quietSights(): AsyncGenerator<FollowUpdate, void> {
      for (let beat = 1; ; beat++) {
        clock.at += 15_000
        bench.clock.now += 15_000
        if (beat === 2) await revoke[0]?.()
        yield { kind: 'quiet' }
      }
    }
    const bench = registryBench({
      answers: { followEvents: async () => ok({ sights: quietSights(), stop: () => undefined }) },
      sleep: () => new Promise(() => {}),
    })
    await bench.makeTenant('acme')
    const { id, key } = await bench.makeKey('acme', { scopes: ['tasks:read'] })
    revoke.push(() => bench.isolate().send('DELETE', `/admin/keys/${id}`))
    const headers = { ...bearer(key), accept: 'text/event-stream' }
    const text = await (await bench.send('GET', `/tasks/${ID}/events`, null, headers)).text()
    const beats = text.split(': still here').length - 1
    // It was revoked after 30 s, and so the stream has ended by 90 s.
    expect(beats).toBeGreaterThanOrEqual(1)
    expect(clock.at).toBeLessThanOrEqual(90_000)
  })
})

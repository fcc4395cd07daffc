/** A law over drawn claims: nobody works on what another one has, nor beyond its deadline, nor on what is settled. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  activeClaim,
  claimedDeadline,
  grantClaim,
  pendingTimes,
  delegationStatusAt,
  type StoredDelegation,
} from '../../src/core/workspace/claims.ts'

const DEADLINE = 1_000
const QUARTER_MS = 900_000
const kept = (more: Partial<StoredDelegation> = {}): StoredDelegation => ({
  id: 'delegation_1_1',
  task: 'task_1',
  type: 'new',
  at: 0,
  deadline: DEADLINE,
  position: 1,
  status: 'open',
  claim: null,
  tell_at: null,
  tries: 0,
  ...more,
})
const Asked = fc.record({
  worker: fc.constantFrom('a', 'b', 'c'),
  lease_ms: fc.integer({ min: 1, max: 1_500 }),
  after: fc.integer({ min: 0, max: 200 }),
})

it('any sequence of claims leaves one worker at a time, and none after the deadline, which only a claim extends', () => {
  const seen = { won: 0, renewed: 0, taken_over: 0, refused: 0, expired: 0, extended: 0 }
  const Type = fc.constantFrom('new' as const, 'end' as const)
  const law = fc.property(fc.array(Asked, { maxLength: 20 }), Type, (calls, type) => {
    let [one, now, deadline] = [kept({ type }), 0, DEADLINE]
    for (const { worker, lease_ms, after } of calls) {
      now += after
      const before = activeClaim(one, now)
      const claim = grantClaim(one, { worker, lease_ms }, now)
      expect(claim.ok).toBe(now < deadline && (before === null || before.worker === worker))
      if (!claim.ok) {
        if (now < deadline) expect(claim.refusal).toEqual({ code: 'delegation_claimed', ...before, now_ms: now })
        else expect(claim.refusal).toEqual({ code: 'delegation_expired' })
        seen[now < deadline ? 'refused' : 'expired'] += 1
        continue
      }
      const until = type === 'end' ? Math.min(now + lease_ms, DEADLINE) : now + lease_ms
      expect(claim.value).toEqual({ worker, until })
      seen[before === null ? (one.claim === null ? 'won' : 'taken_over') : 'renewed'] += 1
      const later = claimedDeadline(deadline, one.at, until)
      expect(later).toBe(until > deadline ? until + QUARTER_MS : deadline)
      seen.extended += later > deadline ? 1 : 0
      deadline = later
      one = kept({ type, deadline, claim: claim.value })
      expect([activeClaim(one, now), activeClaim(one, claim.value.until)]).toEqual([claim.value, null])
    }
  })
  fc.assert(law, { seed: 1, numRuns: 1_000 })
  // A law of what never happened says nothing.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(50)
})

it('the time at which one is pending is the first at which its status says so', () => {
  const Kept = fc.record({
    until: fc.option(fc.integer({ min: 0, max: 60 })),
    deadline: fc.integer({ min: 0, max: 60 }),
    status: fc.constantFrom('open', 'open', 'reported', 'expired', 'canceled'),
  })
  const law = fc.property(fc.array(Kept, { maxLength: 4 }), fc.integer({ min: 0, max: 60 }), (drawn, now) => {
    const all = drawn.map(({ until, deadline, status }) =>
      kept({ deadline, status, claim: until === null ? null : { worker: 'a', until: Math.min(until, deadline) } }),
    )
    const times = Array.from({ length: 70 }, (_, n) => now + n)
    const first = times.find((at) => all.some((one) => delegationStatusAt(one, at) === 'pending'))
    expect(Math.min(...pendingTimes(all, now).map(({ at }) => at))).toBe(first ?? Infinity)
  })
  fc.assert(law, { seed: 1, numRuns: 500 })
})

/** The scripted model of a run: acts with real commands, asks, breaks its contract now and then. No two actions are the same. */
import { leading } from '../../sim/leading.ts'
import { act, ask, closing, done, planned, replanned, type Player } from '../../sim/player.ts'
import type { Random } from '../../sim/random.ts'
import { randomReply } from '../../support/random-reply.ts'

export function speakerOf(random: Random): Player {
  let serial = 0
  return (request, { timeout_ms }) => {
    serial += 1
    const { mode, phase } = request.metadata
    const took_ms = random.chance(0.03) ? timeout_ms : random.between(50, 2_000)
    if (random.chance(0.05)) {
      return { kind: 'model_failed', reason: 'HTTP 503', status: 503, retry_after_ms: null, took_ms }
    }
    const sound = () => {
      if (mode === 'plan_execute') return { text: JSON.stringify(said(random, phase, serial)) }
      const led = mode === 'orchestrator' ? leading(phase, random, false, serial) : null
      return led === null ? randomReply(request, random, serial) : { text: JSON.stringify(led) }
    }
    const reply = random.chance(0.05) ? { text: '{"status":' } : sound()
    const usage = { input_tokens: random.between(50, 400), output_tokens: random.between(1, request.max_output_tokens) }
    return { kind: 'model_replied', ...reply, usage, model: 'speaker', form: request.form, took_ms }
  }
}

function said(random: Random, phase: string, serial: number): object {
  if (phase === 'plan') return planned(...random.pick([['A'], ['A', 'B']]))
  if (phase === 'replan') return random.chance(0.3) ? closing(`answer ${serial}`) : replanned('A', `B ${serial}`)
  const roll = random.below(10)
  if (roll < 1 && serial > 3) return done()
  if (roll < 2) return ask(`Question ${serial}?`)
  return act(...action(random, serial))
}

function action(random: Random, serial: number): [string, string] {
  return random.pick<[string, string]>([
    ['todo', `/todo add item ${serial}`],
    ['todo', `/todo add item ${serial}`],
    ['todo', `/todo add item ${serial}`],
    ['schedule', `/schedule add 2026-12-01 ${String(serial % 24).padStart(2, '0')}:00 event ${serial}`],
    ['internet_search', `words ${serial}`],
    ['ring', `ring ${serial}`],
  ])
}

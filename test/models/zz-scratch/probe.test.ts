import { beforeAll, afterAll, beforeEach, it, vi } from 'vitest'
import { always, FINE, ok, says, type Hostile, GOOD } from '../../support/hostile-kit.ts'
import { openHostileWorld, closeHostileWorld, hostileBench, drive } from '../../support/hostile-bench.ts'
import { createTask, ALL, NONE, CALLER } from '../../support/scripted.ts'
beforeAll(openHostileWorld); afterAll(closeHostileWorld)
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date','setTimeout','clearTimeout'], now: Date.UTC(2026,10,21,12) }))
const run = async (name: string, phase: 'plan'|'thought'|'replan', answer: Hostile['answer']) => {
  const h: Hostile = { row: 1, name, answer, fate: always(FINE) }
  const bench = hostileBench(phase, (n) => n === 0 ? h : null)
  try {
    const t = await createTask(bench, {}, ALL)
    const e = await drive(bench, t)
    console.log(name, phase, e.status, e.stop_reason, e.step_count, JSON.stringify(e.budget), e.slice?.events.length)
    const j = await bench.service.listJournal(CALLER, e.id, {after: 0, limit: 100})
    console.log(j.ok && j.value.data.map(r => [r.kind, r.phase, r.outcome, r.charged_tokens, r.cost_usd, r.over_reserve].join(' ')).join(' | '))
  } catch (e) { console.log(name, phase, 'THROWS', String(e).slice(0, 600)) }
}
it('probe', async () => {
  for (const phase of ['plan','thought','replan'] as const) {
    await run('good', phase, (a) => ok(says(a.good)))
    await run('max usage', phase, (a) => ok(says(a.good, { usage: { prompt_tokens: Number.MAX_SAFE_INTEGER, completion_tokens: Number.MAX_SAFE_INTEGER } })))
    await run('big usage', phase, (a) => ok(says(a.good, { usage: { prompt_tokens: 5e15, completion_tokens: 5 } })))
  }
}, 60000)
it('deep', async () => {
  const deep = (d: number) => (a: { good: string }) => ok(says(a.good.slice(0,-1) + ',"x":' + '['.repeat(d) + ']'.repeat(d) + '}'))
  for (const d of [500, 2000, 4000, 5000, 6000, 7000, 8000, 10000, 15000, 20000, 30000]) await run('deep ' + d, 'plan', deep(d))
}, 60000)

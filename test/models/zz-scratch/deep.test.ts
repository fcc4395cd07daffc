import { beforeAll, afterAll, beforeEach, it, vi } from 'vitest'
import { always, FINE, ok, says, type Hostile } from '../../support/hostile-kit.ts'
import { openHostileWorld, closeHostileWorld, hostileBench, drive } from '../../support/hostile-bench.ts'
import { createTask, NONE, step, ALL, CALLER } from '../../support/scripted.ts'
beforeAll(openHostileWorld); afterAll(closeHostileWorld)
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date','setTimeout','clearTimeout'], now: Date.UTC(2026,10,21,12) }))
const one = async (d: number) => {
  const h: Hostile = { row: 1, name: '', fate: always(FINE), answer: (a) => ok(says(a.good.slice(0,-1) + ',"x":' + '['.repeat(d) + ']'.repeat(d) + '}')) }
  const bench = hostileBench('plan', (n) => n === 0 ? h : null)
  try {
    const t = await createTask(bench, {}, NONE)
    if (t.budget.tokens.used > 150) return 'rejected'
    await drive(bench, t)
    return 'fine'
  } catch (e) { return String(e).slice(0, 200) }
}
it('deep', async () => {
  for (let i = 0; i < 30; i++) await one(3000)
  let low = 5000, high = 15000
  while (high - low > 1) { const m = (low + high) >> 1; const r = await one(m); if (r === 'rejected') high = m; else { low = m; if (r !== 'fine') { console.log(m, r) } } }
  console.log(low, high)
  const seen: Record<string, number[]> = {}
  for (let d = low - 150; d < high + 20; d++) { const r = await one(d); (seen[r] ??= []).push(d) }
  for (const [k, v] of Object.entries(seen)) console.log(k, v.length, v[0], v.at(-1))
}, 120000)

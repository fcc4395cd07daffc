/** A failure in a promise is a failure of the run, unless the code handles it (S1-17). */
import { describe, expect, it } from 'vitest'
import { columnsOf, run } from '../support/sandbox.ts'

describe('S1-17 a rejection that nobody handles makes the run an error', () => {
  it.each([
    ['a floating main()', 'async function main() {\n  throw new Error("boom")\n}\nmain(); print("done")', 2],
    ['after an await', 'async function main() {\n  await 1\n  throw new Error("boom")\n}\nmain(); print("done")', 3],
    ['Promise.reject', 'Promise.reject(new Error("boom")); print("done")', 1],
    ['new Promise', 'new Promise((_, no) => no(new Error("boom"))); print("done")', 1],
    ['an async arrow', 'const main = async () => { await 1; throw new Error("boom") }\nmain(); print("done")', 1],
    ['an async method', 'const a = { async go() { throw new Error("boom") } }\na.go(); print("done")', 1],
    [
      'a function in a loop',
      'for (const n of [1, 2]) (async () => { if (n === 2) throw new Error("boom") })(); print("done")',
      1,
    ],
    ['forEach', '[1, 2].forEach(async () => { await 1; throw new Error("boom") }); print("done")', 1],
    ['then without catch', 'Promise.resolve(1).then(() => { throw new Error("boom") }); print("done")', 1],
    ['finally alone', '(async () => { throw new Error("boom") })().finally(() => {}); print("done")', 1],
    ['a catch that throws', 'Promise.reject(1).catch(() => { throw new Error("boom") }); print("done")', 1],
    ['beside an await at the top', 'const f = async () => { throw new Error("boom") }\nf()\nawait 1\nprint("done")', 1],
    ['one of many', 'for (let i = 0; i < 1000; i++) (async () => { throw new Error("boom") })(); print("done")', 1],
  ])('%s', async (_name, code, line) => {
    const { ok, stdout, stderr } = await run(code)
    expect({ ok, stdout }).toEqual({ ok: false, stdout: 'done' })
    expect(stderr).toMatch(/^Error: boom\n/)
    expect(stderr).toContain(`at line ${line}: `)
  })

  it('a promise that waits for a rejected one is reported with its error, not as one that never settles', async () => {
    const { stderr } = await run('await new Promise(() => { (async () => { throw new Error("boom") })() })')
    expect(stderr).toMatch(/^Error: boom/)
  })

  it.each([
    [
      'a main() with catch',
      'async function main() { throw new Error("x") }\nmain().catch((e) => print(e.message))',
      'x',
    ],
    ['a second function of then', 'Promise.reject(1).then(() => {}, () => print("x"))', 'x'],
    ['later in the same run', 'const p = Promise.reject(1); await 1; await 2; p.catch(() => print("x"))', 'x'],
    ['await in try', 'const f = async () => { throw 1 }\ntry { await f() } catch { print("x") }', 'x'],
    [
      'allSettled of many',
      'const all = Array.from({ length: 2000 }, async (_, n) => { throw n })\nprint((await Promise.allSettled(all)).length)',
      '2000',
    ],
    ['Promise.all with catch', 'await Promise.all([1, 2].map(async () => { throw 1 })).catch(() => print("x"))', 'x'],
    [
      'again and again',
      'let n = 0; for (let i = 0; i < 5000; i++) try { await Promise.reject(i) } catch { n++ }\nprint(n)',
      '5000',
    ],
    [
      'in another order',
      'const all = [1, 2, 3, 4].map((n) => Promise.reject(n)); for (const n of [1, 3, 0, 2]) all[n].catch(() => {})\nprint("x")',
      'x',
    ],
    [
      'by async iteration',
      'async function* g() { throw 1 }\ntry { for await (const n of g()); } catch { print("x") }',
      'x',
    ],
  ])('handled: %s', async (_name, code, stdout) => {
    expect(await run(code)).toMatchObject({ ok: true, stdout, stderr: '' })
  })

  it('of several rejections the one that stays unhandled is reported', async () => {
    const { ok, stderr } = await run(
      'const all = [1, 2, 3].map((n) => Promise.reject(new Error("boom " + n))); all[0].catch(() => {}); all[2].catch(() => {}); print(1)',
    )
    expect({ ok, first: stderr.split('\n')[0] }).toEqual({ ok: false, first: 'Error: boom 2' })
  })

  it('endless rejections are stopped like any loop', async () => {
    const { ok, stderr } = await run('for (;;) Promise.reject(1)', { fuel: 25_000_000 })
    expect({ ok, said: /took too long/.test(stderr) }, stderr).toEqual({ ok: false, said: true })
  })
})

describe('S1-17 an error is explained in words that help', () => {
  it.each([
    ['throw { a: 1 }', /^thrown: \{"a":1\}$/],
    ['throw [1, "b"]', /^thrown: \[1,"b"\]$/],
    ['throw { text: "x".repeat(1000) }', /^thrown: \{"text":"x{190,}…$/],
    ['const x: number = 1\nprint(x)', /^SyntaxError: .*\n.*not TypeScript/],
    ['interface Row { a: number }\nprint(1)', /^SyntaxError: .*\n.*not TypeScript/],
    ['const f = (a: string): string => a', /^SyntaxError: .*\n.*not TypeScript/],
    ['print(data as any)', /^SyntaxError: .*\n.*not TypeScript/],
    ['const o = { a: 1, b: }', /^SyntaxError: (?!.*\n.*TypeScript)/],
  ])('%s', async (code, said) => {
    const { ok, stderr } = await run(code)
    expect(ok).toBe(false)
    expect(stderr).toMatch(said)
  })

  it('TypeScript is refused in Chinese for a task in Chinese', async () => {
    expect((await run('const x: number = 1', { locale: 'zh' })).stderr).toMatch(/不是 TypeScript/)
  })

  it.each([
    ['normalize of a text that grows', 'let s = "é"; for (;;) { s += s; s.normalize("NFD") }'],
    ['localeCompare', 'const a = []; let s = "é"; for (;;) { s += s; a.push(s); s.localeCompare(s + "a") }'],
  ])('memory that ends in %s is reported as that', async (_name, code) => {
    const { ok, stderr } = await run(code)
    expect({ ok, said: stderr.startsWith('Stopped: out of memory') }, stderr).toEqual({ ok: false, said: true })
  })

  it.each([
    ['awaited', 'const go = () => Promise.resolve().then(go)\nawait go()'],
    ['that returns itself', 'const go = async () => { await 1; return go() }\nawait go()'],
    ['that only goes on', 'const go = () => { Promise.resolve().then(go) }\ngo(); await new Promise(() => {})'],
    ['that nobody awaits', 'const go = () => Promise.resolve().then(go); go(); print("x")'],
    ['made anew', 'function tick() { return new Promise((r) => r()).then(tick) }\nawait tick()'],
    ['behind another', 'await new Promise((done) => { const t = () => Promise.resolve().then(t); t() })'],
    ['that recurs', 'const go = async (n) => { await null; await go(n + 1) }\nawait go(0)'],
  ])('an endless chain of promises %s is not reported as a promise that never settles', async (_name, code) => {
    for (const fuel of [25_000_000, 500_000_000]) {
      const { ok, stderr } = await run(code, { fuel })
      expect({ ok, said: /took too long|out of memory/.test(stderr) }, stderr).toEqual({ ok: false, said: true })
    }
  })
})

it('S1-17 columns named like built-ins of the language are columns like any other', async () => {
  const names = ['__proto__', 'constructor', 'toString', 'a']
  const columns = columnsOf(
    Object.fromEntries(names.map((name) => [name, { type: 'text' as const, cells: ['x', 'y', 'x'] }])),
  )
  const { ok, stdout, stderr } = await run(
    `const names = ${JSON.stringify(names)}
    print(data.rows()[1])
    print(Object.keys(data.rows()[0]), data.filter((row) => row['__proto__'] === 'x').length, data.map((row) => row.__proto__))
    print(names.map((name) => data.groupBy(name, { n: 'count' })))
    print(data.groupBy('a', { ['__proto__']: 'count', toString: ['first', 'constructor'] }))
    const seen = {}; for (const { a } of data) seen['__proto__'] = a; print(seen)`,
    { columns },
  )
  expect({ ok, stderr }).toEqual({ ok: true, stderr: '' })
  expect(stdout.split('\n')).toEqual([
    '{"__proto__":"y","constructor":"y","toString":"y","a":"y"}',
    '["__proto__","constructor","toString","a"] 2 ["x","y","x"]',
    `[${names.map((name) => `[{"${name}":"x","n":2},{"${name}":"y","n":1}]`).join(',')}]`,
    '[{"a":"x","__proto__":2,"toString":"x"},{"a":"y","__proto__":1,"toString":"y"}]',
    '{"__proto__":"x"}',
  ])
})

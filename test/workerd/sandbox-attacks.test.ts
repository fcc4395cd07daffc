/** What model-written code may try, by its name, and what comes of it (S1-17): the code fails in words, and the next run is as if nothing had been. */
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { FUEL_PER_MARK } from '../../src/sandbox/limits.ts'
import { sandboxRunner } from '../../src/sandbox/runner.ts'
import { columnsOf, JOB, run } from '../support/sandbox.ts'

const NOT_DEFINED = /is not defined/
/** A twentieth of the whole measure. */
const SOON = 25_000_000
const TOO_LONG = /took too long/
const NO_MEMORY = /out of memory|string too long|invalid array length|invalid length/i

/** Whatever was tried: the host is alive and runs the next code in a world of its own. */
async function expectCalm(): Promise<void> {
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  const after = await run('saveResult("alive", [1, 2].map((n) => n * 2)); print(typeof polluted, {}.polluted)')
  expect(after).toMatchObject({ ok: true, stdout: 'undefined undefined', results: '{\n  "alive": [2,4]\n}\n' })
}
afterEach(expectCalm)

describe('S1-17 code that a model has written reaches nothing except its data', () => {
  it.each([
    ['the network', 'fetch("https://example.com/")'],
    ['a socket', 'new WebSocket("wss://example.com")'],
    ['XMLHttpRequest', 'new XMLHttpRequest()'],
    ['the environment', 'process.env.API_KEYS'],
    ['bindings', 'env.TASKS'],
    ['packages', 'require("fs")'],
    ['timers', 'setTimeout(() => print("late"), 1)'],
    ['an interval left behind', 'setInterval(() => print("late"), 1)'],
    ['the cache', 'caches.open("x")'],
    ['the module of the interpreter', 'QuickJSRaw'],
    ['WebAssembly', 'new WebAssembly.Memory({ initial: 1 })'],
    ['shared memory', 'new Worker("x")'],
    ['files', 'Deno.readTextFileSync("/etc/passwd")'],
    ['the host object of the kit', 'host.out("stdout", "1")'],
    ['the kit itself', 'kit.boot()'],
  ])('%s is not there', async (_name, code) => {
    const { ok, stderr, stdout } = await run(code)
    expect({ ok, stdout, said: NOT_DEFINED.test(stderr) }, stderr).toEqual({ ok: false, stdout: '', said: true })
  })

  it('only globals of the language and of the kit are there', async () => {
    const { stdout } = await run('print(Object.getOwnPropertyNames(globalThis).sort().join())')
    expect(stdout).toMatchInlineSnapshot(
      `"AggregateError,Array,ArrayBuffer,BigInt,BigInt64Array,BigUint64Array,Boolean,DataView,Date,Error,EvalError,FinalizationRegistry,Float16Array,Float32Array,Float64Array,Function,Infinity,Int16Array,Int32Array,Int8Array,InternalError,Iterator,JSON,Map,Math,NaN,Number,Object,Promise,Proxy,RangeError,ReferenceError,Reflect,RegExp,Set,SharedArrayBuffer,String,Symbol,SyntaxError,TypeError,URIError,Uint16Array,Uint32Array,Uint8Array,Uint8ClampedArray,WeakMap,WeakRef,WeakSet,chart,console,d3,data,decodeURI,decodeURIComponent,encodeURI,encodeURIComponent,escape,eval,globalThis,isFinite,isNaN,parseFloat,parseInt,print,readResults,saveResult,stats,undefined,unescape"`,
    )
  })

  it('no text of the environment is found in anything that it can reach', async () => {
    const walk = `const seen = new Set(); const texts = []
      const look = (value, depth) => {
        if (depth > 6 || value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value)) return
        seen.add(value)
        for (const key of Reflect.ownKeys(value)) {
          let member; try { member = value[key] } catch { continue }
          texts.push(String(key)); if (typeof member === 'string') texts.push(member)
          look(member, depth + 1)
        }
        look(Object.getPrototypeOf(value), depth + 1)
      }
      look(globalThis, 0); print(seen.size, texts.some((text) => /development|TASKS|WORKSPACES|task:1/.test(text)))`
    const { ok, stdout, stderr } = await run(walk)
    expect({ ok, stderr }).toEqual({ ok: true, stderr: '' })
    expect(Number(stdout.split(' ')[0])).toBeGreaterThan(300)
    expect(stdout).toMatch(/ false$/)
    expect(Object.keys(env)).toContain('TASKS')
  })

  it.each([
    ['a dynamic import', 'const fs = await import("node:fs"); print("in")', /could not load module/],
    ['a dynamic import of a URL', 'await import("https://example.com/x.js"); print("in")', /could not load module/],
    ['a data: import', 'await import("data:text/javascript,1"); print("in")', /could not load module/],
    ['a static import', 'import fs from "node:fs"\nprint("in")', /SyntaxError/],
    ['an export', 'export const a = 1', /SyntaxError/],
    ['import.meta', 'print(import.meta.url)', /SyntaxError/],
  ])('%s is refused', async (_name, code, said) => {
    const { ok, stderr, stdout } = await run(code)
    expect({ ok, stdout }).toEqual({ ok: false, stdout: '' })
    expect(stderr).toMatch(said)
  })
})

describe('S1-17 a text never becomes code', () => {
  const SPELLINGS = [
    'eval("print(1)")',
    '(0, eval)("print(1)")',
    'globalThis.eval("print(1)")',
    'globalThis["ev" + "al"]("print(1)")',
    'const e = eval; e("print(1)")',
    'Function("print(1)")()',
    'new Function("print(1)")()',
    '(() => {}).constructor("print(1)")()',
    '(function () {}).constructor("print(1)")()',
    '(async () => {}).constructor("print(1)")()',
    '(function* () {}).constructor("print(1)")().next()',
    '(async function* () {}).constructor("print(1)")().next()',
    'class A {}; A.constructor("print(1)")()',
    'class A extends Function {}; new A("print(1)")()',
    '[].map.constructor("print(1)")()',
    'print.constructor("print(1)")()',
    'data.groupBy.constructor("print(1)")()',
    'd3.mean.constructor("print(1)")()',
    'Object.getPrototypeOf(() => {}).constructor("print(1)")()',
    'Reflect.construct((() => {}).constructor, ["print(1)"])()',
    'Reflect.construct(Object, ["print(1)"], Function)()',
    'Reflect.apply(Function, null, ["print(1)"])()',
    'Function.call(null, "print(1)")()',
    'Function.bind(null, "print(1)")()()',
    'Function.prototype.constructor("print(1)")()',
    '({}).constructor.constructor("print(1)")()',
    '"".constructor.constructor("print(1)")()',
    'Symbol.constructor("print(1)")()',
    'Promise.constructor("print(1)")()',
    'Object.getOwnPropertyDescriptor(Function.prototype, "constructor").value("print(1)")()',
    'delete Function.prototype.constructor; (() => {}).constructor("print(1)")()',
    'Function.prototype.constructor = null; (() => {}).constructor("print(1)")()',
    'new Proxy(Function, {})("print(1)")()',
    'setTimeout("print(1)")',
    'std.evalScript("print(1)")',
    'new ShadowRealm().evaluate("1")',
    'try { null.x } catch (error) { error.constructor.constructor("print(1)")() }',
    '[].constructor.from.constructor("print(1)")()',
    'try { eval("print(1)") } catch (error) { error.constructor.constructor("print(1)")() }',
  ]
  it.each(SPELLINGS)('%s', async (code) => {
    const { ok, stdout, stderr } = await run(code)
    expect({ ok, stdout }).toEqual({ ok: false, stdout: '' })
    expect(stderr).toMatch(/is not available|not defined|not a function/)
  })

  it('functions stay functions', async () => {
    const code =
      'print((() => 1) instanceof Function, typeof Function, (async () => {}).constructor.name, print.name !== "")'
    expect(await run(code)).toMatchObject({ ok: true, stdout: 'true function AsyncFunction false' })
  })
})

describe('U27 F69 a run ends when its fuel is used up, whatever it does', () => {
  it.each([
    ['an endless loop', 'print("before")\nfor (;;);', 'before'],
    ['an endless loop that catches everything', 'for (;;) { try { for (;;); } catch {} finally { continue } }', ''],
    ['an endless chain of promises', 'const go = () => { Promise.resolve().then(go) }; go(); print("going")', 'going'],
    ['an endless async loop', 'const f = async () => { for (;;) await 1 }; await f()', ''],
    ['an endless generator', 'function* g() { for (;;) yield 1 }; for (const one of g());', ''],
    ['a catastrophic regular expression', '/(a+)+$/.test("a".repeat(60) + "b")', ''],
    ['searching a long text again and again', 'const s = "a".repeat(1e6); for (;;) s.indexOf("b")', ''],
    [
      'sorting again and again',
      'const a = Array.from({ length: 1e5 }, (_, i) => i); for (;;) { a.reverse(); a.sort() }',
      '',
    ],
    ['filling memory again and again', 'const a = new Uint8Array(3e7); for (;;) a.fill(1)', ''],
    ['moving memory again and again', 'const a = new Float64Array(3e6); for (;;) a.copyWithin(1, 0)', ''],
    ['parsing a long text again and again', 'const s = "[" + "1,".repeat(5e5) + "1]"; for (;;) JSON.parse(s)', ''],
    ['huge whole numbers', 'let n = 3n ** 200000n; for (;;) n * n', ''],
    ['asking for the time again and again', 'for (;;) new Date(2020, 1, 1).getHours()', ''],
    ['normalizing a long text', 'const s = "日本".repeat(2e5); for (;;) s.normalize("NFD")', ''],
    ['printing without end', 'for (;;) console.error("x")', ''],
    ['saving without end', 'for (let i = 0; ; i++) try { saveResult("a", "x".repeat(60000)) } catch {}', ''],
    [
      'asking for bad charts without end',
      'for (;;) try { chart.bar({ x: Array(10000).fill("x"), y: Array(10000).fill(1) }) } catch {}',
      '',
    ],
    ['copying columns again and again', 'for (;;) data.groupBy("n")', ''],
  ])('%s', async (_name, code, stdout) => {
    const columns = columnsOf({ n: { type: 'number', cells: Array.from({ length: 1_000 }, (_, i) => i) } })
    const ran = await run(code, { columns, fuel: SOON })
    expect({ ok: ran.ok, stdout: ran.stdout }).toEqual({ ok: false, stdout })
    expect(ran.stderr).toMatch(TOO_LONG)
  })

  it('the error names the function of the loop, and the line that called it', async () => {
    const { stderr } = await run('const a = 1\nfunction spin() {\n  while (a) { a + 1 }\n}\nspin()')
    expect(stderr).toMatch(/at line [23]: .*\n {2}at line 5: spin\(\)/)
  })

  it('results and charts from before are kept', async () => {
    const ran = await run('saveResult("a", 1); chart.bar({ x: ["a"], y: [1] }); for (;;) "a".repeat(1e5).indexOf("b")')
    expect(ran).toMatchObject({ ok: false, results: '{\n  "a": 1\n}\n', charts: [{ extension: 'svg' }] })
  })

  it('the same code is stopped at the same place on every run', async () => {
    const code = 'let n = 0; try { for (;;) { n++; if (n % 1000 === 0) saveResult("n", n) } } finally { }'
    const [one, other] = [await run(code, { fuel: SOON }), await run(code, { fuel: SOON })]
    expect(one.results).toBe(other.results)
    expect(one.results).toMatch(/"n": \d{4,}/)
  })
})

describe('U27 memory and stack are bounded within the run', () => {
  it.each([
    ['an array that grows', 'const a = []; for (;;) a.push(new Array(1000).fill(1))', NO_MEMORY],
    ['a text that doubles', 'let s = "x"; for (;;) s += s', NO_MEMORY],
    ['a long array', 'new Array(2 ** 31).fill(0)', /took too long|out of memory/],
    ['a typed array', 'new Float64Array(2 ** 27)', NO_MEMORY],
    ['many typed arrays', 'const a = []; for (;;) a.push(new Uint8Array(2 ** 20))', NO_MEMORY],
    ['a text repeated', '"x".repeat(2 ** 29)', NO_MEMORY],
    ['a joined array', 'Array(1e6).fill("x".repeat(1000)).join("")', NO_MEMORY],
    ['a map that grows', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, [i])', NO_MEMORY],
    ['promises that wait for one another', 'const go = () => Promise.resolve().then(go); go()', NO_MEMORY],
    ['closures', 'let f = () => 1; for (;;) { const g = f; f = () => g }', NO_MEMORY],
    [
      'out of memory that is caught',
      'const a = []; for (;;) try { a.push(new Array(1e5).fill(1)) } catch {}',
      TOO_LONG,
    ],
    ['deep recursion', 'const f = (n) => f(n + 1) + 1; f(0)', /^(?:\w+: stack overflow\n)?Too deep/],
    ['deep recursion through a callback', 'const f = () => [1].map(f); f()', /^(?:\w+: stack overflow\n)?Too deep/],
    [
      'deep recursion through JSON',
      'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; JSON.stringify(a)',
      /^(?:\w+: stack overflow\n)?Too deep/,
    ],
    ['deep JSON', 'JSON.parse("[".repeat(1e5))', /^(?:\w+: stack overflow\n)?Too deep/],
    ['a deep regular expression', 'new RegExp("(".repeat(1e5))', /SyntaxError: too many captures/],
    ['a deep getter', 'const o = { get a() { return o.a } }; o.a', /^(?:\w+: stack overflow\n)?Too deep/],
    ['a deep expression', `${'['.repeat(20_000)}`, /^(?:\w+: stack overflow\n)?Too deep/],
    [
      'proxies of proxies',
      'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x',
      /^(?:\w+: stack overflow\n)?Too deep/,
    ],
  ])('%s', async (_name, code, said) => {
    const { ok, stderr } = await run(code)
    expect(ok).toBe(false)
    expect(stderr).toMatch(said)
  })

  it('columns that do not fit are refused before they are copied', async () => {
    const values = new Float64Array(4_000_000)
    const columns = {
      name: 'big.csv',
      length: 4_000_000,
      columns: ['a', 'b', 'c'].map((name) => ({ name, type: 'number' as const, values })),
    }
    const { ok, stderr } = await run(
      'for (const name of ["a", "b"]) try { data.numbers(name) } catch {}\ndata.numbers("c")',
      { columns },
    )
    expect({ ok, said: NO_MEMORY.test(stderr) }, stderr).toEqual({ ok: false, said: true })
  })
})

describe('U27 drawing outside the interpreter is bounded and paid for', () => {
  const BOXES = `const values = Array.from({ length: 400 }, (_, i) => i % 4 === 0 ? i * 1e6 : i / 1000)
    const series = Array.from({ length: 60 }, (_, i) => ({ name: 'b' + i, values }))
    for (let i = 0; i < 8; i++) chart.box({ title: 't' + i, series })`
  it('eight charts of sixty boxes full of outliers are drawn with fewer outliers, and a note says so', async () => {
    const { ok, stderr, charts } = await run(BOXES)
    expect({ ok, charts: charts.length }).toEqual({ ok: true, charts: 8 })
    expect(stderr.split('\n')).toEqual(
      Array.from({ length: 8 }, () => expect.stringMatching(/^chart\.box: drew 600 of \d{4} outliers$/)),
    )
  })

  it.each([
    ['points', 'chart.scatter({ x: many(2000), y: many(2000) })', 4],
    ['bars', 'chart.bar({ x: many(100), series: many(12).map((n) => ({ name: n, values: many(100) })) })', 6],
    ['dots of lines', 'chart.line({ x: many(40), series: many(12).map((n) => ({ name: n, values: many(40) })) })', 8],
    [
      'corners of lines',
      'chart.line({ x: many(400), series: many(10).map((n) => ({ name: n, values: many(400) })) })',
      8,
    ],
    ['bins', 'chart.histogram({ values: many(1e4), bins: 200 })', 8],
    ['slices', 'chart.pie({ labels: many(2000), values: many(2000) })', 8],
  ])(
    'of eight charts of %s only as many are accepted as can be drawn in well under a second',
    async (_name, code, count) => {
      const { ok, stderr, charts } = await run(
        `const many = (n) => Array.from({ length: n }, (_, i) => i); for (let i = 0; i < 8; i++) ${code}`,
      )
      expect({ ok, charts: charts.length }, stderr).toEqual({ ok: count === 8, charts: count })
      expect(stderr).toMatch(count === 8 ? /^$/ : /more than 8000 points, bars and boxes together/)
    },
  )

  it('a chart is paid for with the fuel that its drawing is worth', async () => {
    const fuelOf = async (n: number) => {
      const used: number[] = []
      const runner = sandboxRunner({ spent: ({ fuel }) => void used.push(fuel) })
      const code = `chart.scatter({ series: [{ name: 'a', values: Array.from({ length: ${n} }, (_, i) => [i, i]) }] })`
      await runner.run({ ...JOB, code })
      return used[0] ?? 0
    }
    expect((await fuelOf(1_500)) - (await fuelOf(500))).toBeGreaterThan(1_000 * FUEL_PER_MARK)
  })
})

describe('S1-17 the output of a run is data, bounded and complete', () => {
  it('output beyond its bound is cut, and marked as cut', async () => {
    const { ok, stdout } = await run('for (let i = 0; i < 5000; i++) print("0123456789")')
    expect(ok).toBe(true)
    expect(stdout.length).toBeLessThan(20_100)
    expect(stdout).toMatch(/\[output cut after 20000 characters\]$/)
    const { stdout: one } = await run('print("x".repeat(900000))')
    expect(one).toMatch(/^x{20000}\n\[output cut/)
  })

  it('a text that is too long to be printed is cut too', async () => {
    expect((await run('print("x".repeat(3000000))')).stdout).toMatch(/output cut/)
  })

  it('NUL, lone surrogates and control characters are printed unchanged, or as U+FFFD', async () => {
    const { stdout } = await run('print("a\\0b", "\\ud800c", "\\udc00", "\\u001b[31m", "😀")')
    expect(stdout).toBe('a\0b \ufffdc \ufffd \u001b[31m 😀')
    const { results } = await run('saveResult("a\\ud800", "b\\0\\udfff")')
    expect(JSON.parse(results ?? '')).toEqual({ 'a\ufffd': 'b\0\ufffd' })
  })

  it.each([
    ['a getter that throws', 'saveResult("a", { get b() { throw new Error("mine") } })', /mine/],
    ['a getter that loops', 'saveResult("a", { get b() { for (;;); } })', TOO_LONG],
    ['a toJSON that throws', 'saveResult("a", { toJSON() { throw new Error("mine") } })', /mine/],
    ['a toJSON that loops', 'print({ toJSON() { for (;;); } })', TOO_LONG],
    ['a proxy that throws', 'saveResult("a", new Proxy({}, { ownKeys() { throw new Error("mine") } }))', /mine/],
    ['a proxy that loops', 'print(new Proxy({}, { get() { for (;;); } }))', TOO_LONG],
    ['a circle', 'const a = {}; a.a = a; saveResult("a", a)', /circular/],
    ['a thrown proxy', 'throw new Proxy({}, { get() { throw 1 } })', /cannot be read/],
    ['a thrown getter that loops', 'throw { get message() { for (;;); } }', TOO_LONG],
    ['a thrown null', 'throw null', /thrown: null/],
    ['a thrown symbol', 'throw Symbol("x")', /thrown: Symbol\(x\)/],
    ['an error with a huge message', 'throw new Error("x".repeat(1e6))', /^Error: x{1993}\n/],
    [
      'an error that lies about its lines',
      'const e = new Error("m"); e.stack = "at x (code.js:999:1)\\nsecret"; throw e',
      /^Error: m$/,
    ],
    ['a value that is echoed and loops', '({ toJSON() { for (;;); } })', TOO_LONG],
  ])('%s', async (_name, code, said) => {
    const { ok, stderr, results } = await run(code)
    expect({ ok, results }).toEqual({ ok: false, results: null })
    expect(stderr).toMatch(said)
  })

  it('__proto__ is a name like any other', async () => {
    const { results } = await run(
      'saveResult("__proto__", { polluted: 1 }); saveResult("a", JSON.parse(\'{"__proto__": {"b": 1}}\'))',
    )
    const value = JSON.parse(results ?? '')
    expect(Object.hasOwn(value, '__proto__')).toBe(true)
    expect(value.polluted).toBe(undefined)
    const again = await run('print(Object.keys(readResults()), {}.polluted)', { results })
    expect(again.stdout).toBe('["__proto__","a"] undefined')
  })

  it('results are bounded in number, name and size', async () => {
    expect((await run('saveResult("a", "x".repeat(70000))')).stderr).toMatch(/results are at most/)
    expect((await run('for (let i = 0; i < 200; i++) saveResult("m" + i, i)')).stderr).toMatch(
      /results are at most 100/,
    )
    expect((await run('saveResult("", 1)')).stderr).toMatch(/the name of a result/)
    expect((await run('saveResult("x".repeat(101), 1)')).stderr).toMatch(/the name of a result/)
  })

  it('a run changes only its own prototypes, and does not harm the host', async () => {
    const code = `Object.prototype.polluted = 1; Array.prototype.map = () => "mine"; JSON.stringify = () => "mine"; String.prototype.toJSON = () => 7
      Promise.prototype.then = () => 1; Object.prototype.toString = () => "mine"; Array.prototype[Symbol.iterator] = null; Object.freeze(globalThis)
      globalThis.polluted = 1; print("still here")`
    const ran = await run(code)
    expect(ran.ok).toBe(false)
    expect(ran.stderr).not.toMatch(/kit|node_modules|wasm/)
  })

  it('a kit without the built-ins of the language still gives only texts', async () => {
    const { ok, stdout, stderr, results } = await run(
      'String.prototype.toJSON = () => ({ a: 1 }); print("a"); saveResult("b", "c")',
    )
    expect({ ok, stdout, stderr, results }).toMatchInlineSnapshot(`
      {
        "ok": true,
        "results": "{
        "b": "c"
      }
      ",
        "stderr": "",
        "stdout": "a",
      }
    `)
  })

  it('a promise that never settles is reported as such', async () => {
    const { ok, stderr } = await run('print("a"); await new Promise(() => {})')
    expect({ ok, said: /a promise that never settles/.test(stderr) }).toEqual({ ok: false, said: true })
  })

  it('code beyond its bound is refused', async () => {
    expect((await run(`print(1)//${'x'.repeat(100_000)}`)).stderr).toMatch(/too long: at most 100000/)
  })
})

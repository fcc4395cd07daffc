/** Charts of model-written code: drawn in workerd from plain data, bounded, the same on every run, and never markup (S1-18). */
import { describe, expect, it } from 'vitest'
import { run } from '../support/sandbox.ts'

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onload='alert(1)",
  ']]><script>alert(1)</script>',
  '<![CDATA[x]]>',
  'javascript:alert(1)',
  '</text></svg><svg onload=alert(1)>',
  '&lt;b&gt; &amp; &#60;script&#62;',
  '{a|rich} {b} {c} ${x}',
  'a\u0000b\u0008c\ud800d',
  '<style>*{display:none}</style>',
  'url(#zr0-c0) class="zr0-cls-0" ecmeta_x="1"',
]

async function svgOf(code: string, locale: 'en' | 'zh' = 'en'): Promise<string> {
  const { ok, stderr, charts } = await run(code, { locale })
  expect({ ok, stderr, charts: charts.length }).toEqual({ ok: true, stderr: '', charts: 1 })
  return String(charts[0]?.content)
}

/** Elements and attributes that a picture may have; every other one is a hole. */
const ELEMENTS = [
  'svg',
  'rect',
  'path',
  'text',
  'circle',
  'g',
  'defs',
  'clipPath',
  'tspan',
  'polyline',
  'polygon',
  'line',
]
function elementsOf(svg: string): { names: Set<string>; attributes: Set<string>; texts: string[] } {
  const names = new Set<string>()
  const attributes = new Set<string>()
  const texts: string[] = []
  // Strict: what is no tag, no attribute in double quotes and no escaped text is left over, and that throws.
  const rest = svg.replace(
    /<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*>|([^<>]+)/g,
    (_all, _close, name?: string, given?: string, text?: string) => {
      if (name !== undefined) names.add(name)
      for (const [, attribute = ''] of (given ?? '').matchAll(/\s([\w:-]+)=/g)) attributes.add(attribute)
      if (text !== undefined && text.trim() !== '') texts.push(text)
      return ''
    },
  )
  if (rest !== '') throw new Error(`not well-formed: ${rest.slice(0, 200)}`)
  return { names, attributes, texts }
}
const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const list = (values: unknown[]) => JSON.stringify(values)
const KINDS: [string, (text: string) => string][] = [
  [
    'line',
    (text) =>
      `chart.line({ title: ${text}, x_label: ${text}, y_label: ${text}, x: [${text}, 'b'], series: [{ name: ${text}, values: [1, 2] }, { name: 'b', values: [2, 1] }] })`,
  ],
  [
    'bar',
    (text) =>
      `chart.bar({ title: ${text}, x_label: ${text}, y_label: ${text}, x: [${text}, 'b'], series: [{ name: ${text}, values: [1, 2] }, { name: 'c', values: [1, 2] }] })`,
  ],
  ['lying bars', (text) => `chart.bar({ title: ${text}, horizontal: true, x: [${text}, 'b'], y: [1, 2] })`],
  [
    'scatter',
    (text) =>
      `chart.scatter({ title: ${text}, series: [{ name: ${text}, x: [1, 2], values: [3, 4] }, { name: 'b', values: [[1, 2]] }] })`,
  ],
  ['histogram', (text) => `chart.histogram({ title: ${text}, x_label: ${text}, values: [1, 2, 2, 3] })`],
  ['pie', (text) => `chart.pie({ title: ${text}, labels: [${text}, 'b'], values: [1, 2] })`],
  [
    'box',
    (text) => `chart.box({ title: ${text}, y_label: ${text}, series: { [${text}]: [1, 2, 3, 4, 100], b: [1, 2] } })`,
  ],
]

describe('S1-18 a chart', () => {
  it.each(KINDS)('%s: no text of the model becomes markup', async (_kind, code) => {
    for (const text of HOSTILE) {
      const { names, attributes, texts } = elementsOf(await svgOf(code(JSON.stringify(text))))
      expect([...names].filter((name) => !ELEMENTS.includes(name))).toEqual([])
      expect(
        [...attributes].filter((name) => /^on|href|src|style$|class|ecmeta/i.test(name) && name !== 'style'),
      ).toEqual([])
      expect(texts.some((one) => unescaped(one).includes(text.slice(0, 5).replace(/[\u0000-\u001f].*/, '')))).toBe(true)
      expect(texts.join('').isWellFormed()).toBe(true)
    }
  })

  it.each(Object.getOwnPropertyNames(Object.prototype))(
    'F69 %s as a text of any chart is drawn, and changes no object of the host',
    async (name) => {
      const texts = [name, `a ${name} b`, `${name}\\n${name}`].map((text) => JSON.stringify(text)).join(', ')
      const { ok, charts } = await run(`for (const t of [${texts}]) {
        const axes = { title: t, x_label: t, y_label: t }
        chart.bar({ ...axes, x: [t, 'b'], series: [{ name: t, values: [1, 2] }, { name: 'u', values: [2, 1] }] })
        chart.bar({ ...axes, x: [t], y: [1], horizontal: true })
      }
      const axes = { title: ${JSON.stringify(name)}, x_label: ${JSON.stringify(name)} }
      chart.line({ ...axes, x: [axes.title, 'b'], y: [1, 2] })
      chart.scatter({ ...axes, series: [{ name: axes.title, x: [1], y: [2] }, { name: 'u', x: [1], y: [2] }] })`)
      expect({ ok, charts: charts.length }).toEqual({ ok: true, charts: 8 })
      const svg = charts.map(({ content }) => String(content)).join('')
      expect(svg).toContain(`${name.slice(0, 1)}\u2060${name.slice(1)}`)
      expect(svg).not.toContain(name)
      expect(Object.keys(Object.prototype)).toEqual([])
      for (const host of [Object, Object.prototype.toString, Object.prototype.valueOf])
        expect(Object.keys(host)).toEqual([])
    },
  )

  it('shows its title, axes, series and categories, in Chinese too', async () => {
    const svg = await svgOf(
      `chart.line({ title: '各地区月度销售额', x_label: '月份', y_label: '销售额（元）', x: ['2024-01', '2024-02'],
        series: [{ name: '华东', values: [120000, 340000] }, { name: '华南', values: [90000, null] }] })`,
      'zh',
    )
    const { texts } = elementsOf(svg)
    for (const text of ['各地区月度销售额', '月份', '销售额（元）', '华东', '华南', '2024-01', '2024-02', '35万'])
      expect(texts, text).toContain(text)
  })

  it('is the same SVG on every run', async () => {
    for (const [, code] of KINDS) {
      const [one, other] = [await svgOf(code('"a"')), await svgOf(code('"a"'))]
      expect(one).toBe(other)
      expect(one).not.toMatch(/zr\d/)
    }
  })

  it.each([
    [
      'rows by the names of their columns',
      `chart.bar({ data: [{ r: 'N', v: 1 }, { r: 'S', v: 2 }], x: 'r', y: 'v' })`,
      `chart.bar({ x_label: 'r', y_label: 'v', x: ['N', 'S'], y: [1, 2] })`,
    ],
    [
      'several columns',
      `chart.line({ data: [{ r: 'N', v: 1, w: 5 }, { r: 'S', v: 2, w: 6 }], x: 'r', y: ['v', 'w'] })`,
      `chart.line({ x_label: 'r', x: ['N', 'S'], series: { v: [1, 2], w: [5, 6] } })`,
    ],
    [
      'a series for each value of a column',
      `chart.line({ data: [{ p: 1, v: 1, k: 'a' }, { p: 2, v: 2, k: 'a' }, { p: 2, v: 9, k: 'b' }], x: 'p', y: 'v', by: 'k' })`,
      `chart.line({ x_label: 'p', y_label: 'v', x: [1, 2], series: [{ name: 'a', values: [1, 2] }, { name: 'b', values: [null, 9] }] })`,
    ],
    [
      'typed arrays',
      `chart.scatter({ x: new Float64Array([1, 2]), y: new Uint8Array([3, 4]) })`,
      `chart.scatter({ x: [1, 2], y: [3, 4] })`,
    ],
    [
      'pie of rows',
      `chart.pie({ data: [{ r: 'N', v: 1 }, { r: 'S', v: 2 }], x: 'r', y: 'v' })`,
      `chart.pie({ labels: ['N', 'S'], values: [1, 2] })`,
    ],
    [
      'what is no number',
      `chart.line({ x: ['a', 'b', 'c'], y: ['1', NaN, undefined] })`,
      `chart.line({ x: ['a', 'b', 'c'], y: [1, null, null] })`,
    ],
  ])('accepts %s', async (_name, code, same) => {
    expect(await svgOf(code)).toBe(await svgOf(same))
  })

  it('counts each number of a histogram once, in bins of the same width', async () => {
    const values = Array.from({ length: 1_000 }, (_, place) => (place * 7_919) % 100)
    const { texts } = elementsOf(await svgOf(`chart.histogram({ values: ${list(values)}, bins: 10 })`))
    expect(texts).toContain('0 – 10')
    expect(texts).toContain('90 – 100')
    expect(texts).toContain('Count')
  })

  it('keeps the peaks of a long line, thins many points, and says so', async () => {
    const code = `const y = d3.range(100000).map((i) => Math.sin(i / 9000)); y[54321] = 50; chart.line({ x: d3.range(100000), y })
      chart.scatter({ x: d3.range(100000), y })`
    const { ok, stderr, charts } = await run(code)
    expect({ ok, stderr }).toEqual({
      ok: true,
      stderr: 'chart.line: drew 1494 of 100000 points\nchart.scatter: drew 2000 of 100000 points',
    })
    expect(elementsOf(String(charts[0]?.content)).texts).toContain('50')
    for (const { content } of charts) expect(content.length).toBeLessThan(262_144)
  })

  it('names each of thirty categories', async () => {
    const names = Array.from({ length: 30 }, (_, place) => `产品类别 ${place + 1}`)
    const { texts } = elementsOf(
      await svgOf(`chart.bar({ x: ${list(names)}, y: ${list(names.map((_, place) => place * 1_000))} })`),
    )
    for (const name of names) expect(texts).toContain(name)
  })

  it.each([
    ['too many bars', 'chart.bar({ x: d3.range(300), y: d3.range(300) })', /at most 200 bars; draw the largest/],
    [
      'too many series',
      'chart.line({ x: [1], series: d3.range(20).map((i) => ({ name: i, values: [i] })) })',
      /at most 12 series/,
    ],
    [
      'too many bars of several series',
      'chart.bar({ x: d3.range(200), series: d3.range(12).map((i) => ({ name: i, values: d3.range(200) })) })',
      /at most 1200 values/,
    ],
    ['too many charts', 'for (let i = 0; i < 9; i++) chart.bar({ x: ["a"], y: [i] })', /at most 8 charts in one run/],
    ['no numbers', 'chart.line({ x: ["a"], y: [null] })', /y has no numbers/],
    ['no points', 'chart.scatter({ x: ["a"], y: ["b"] })', /no points with two numbers/],
    ['a chart of a megabyte', 'chart.line({ title: "x".repeat(2e6), x: [1], y: [1] })', /at most 1000000 characters/],
    ['numbers beyond all bounds', 'chart.line({ x: [1, 2], y: [1e308, -1e308] })', /series\.0\.values\.0/],
    [
      'too many boxes',
      'chart.box({ series: d3.range(61).map((i) => ({ name: i, values: [i] })) })',
      /at most 60 boxes/,
    ],
  ])('is refused for %s, with advice', async (_name, code, said) => {
    const { ok, stderr } = await run(code)
    expect(ok).toBe(false)
    expect(stderr).toMatch(said)
  })

  it('stays within its bound at the largest size of each kind', async () => {
    const series =
      'd3.range(12).map((k) => ({ name: "series " + k, values: d3.range(N).map((i) => Math.sin(i * (k + 1)) * 1e6) }))'
    for (const code of [
      `const N = 5000; chart.line({ x: d3.range(N), series: ${series}, stacked: true })`,
      `const N = 100; chart.bar({ x: d3.range(N).map((i) => '名称很长的类别'.repeat(9) + i), series: ${series} })`,
      `chart.scatter({ series: d3.range(12).map((k) => ({ name: k, values: d3.range(400).map((i) => [i * 1.234567, Math.sin(i) * k]) })) })`,
      `chart.box({ series: d3.range(60).map((k) => ({ name: '类别' + k, values: d3.range(3000).map((i) => Math.tan(i * k + 1)) })) })`,
      `chart.pie({ labels: d3.range(500), values: d3.range(500) })`,
    ]) {
      const { ok, stderr, charts } = await run(code)
      expect({ ok, charts: charts.length }, code + stderr).toEqual({ ok: true, charts: 1 })
      expect(String(charts[0]?.content).length).toBeLessThan(262_144)
    }
  })
})

/**
 * Every reader of outside text takes time in proportion to it, whatever stands in it: another tenant of the isolate waits so long. In the
 * CI each reader gets all shapes at 4 KB, and the worst of them at 64 KB and 1 MB; `npm run growth` does all of them and prints the figures.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expressionsIn } from '../../scripts/lib/expressions/found.mjs'
import { unmeasured } from '../../scripts/lib/expressions/readers.mjs'
import { ELSEWHERE } from './elsewhere.ts'
import { growthOf, worstShapes } from './growth.ts'
import { PARSERS, type Parser } from './parsers.ts'
import { SHAPES, type Shape } from './shapes.ts'

const ALL = process.env['GROWTH'] === 'all'
const WORST = 1
const SRC = join(import.meta.dirname, '../../src')

const shareOf = ({ share }: Parser, shapes: Readonly<Record<string, Shape>>) =>
  share === undefined
    ? shapes
    : Object.fromEntries(Object.entries(shapes).filter((_, at) => at % share.of === share.at))

describe('a reader of outside text', () => {
  it.each(Object.entries(PARSERS))(
    'takes time in proportion to its text: %s',
    { timeout: 600_000 },
    async (name, parser) => {
      // Compiled once, so that the first shape does not pay for it.
      for (const warm of ['a', '{"a":[1]}', 'buy milk tomorrow at 7; 买牛奶']) await parser.read(warm)
      const known = { ...SHAPES, ...parser.shapes }
      const shapes = ALL ? Object.keys(known) : await worstShapes(parser, shareOf(parser, known), WORST)
      const flaws: string[] = []
      for (const shape of shapes) {
        const { flaw, ...took } = await growthOf(parser, known[shape] ?? String)
        if (flaw !== null) flaws.push(`${shape}: ${flaw}`)
        if (ALL) console.log(JSON.stringify({ parser: name, shape, ...took }))
      }
      expect(flaws).toEqual([])
    },
  )

  it('is found out when it takes the square of its text', async () => {
    const square: Parser = {
      modules: [],
      reaches: { chars: 40_000, by: 'this test' },
      read: (text) => /<\s*(\/?)\s*>/.test(text),
    }
    expect(await worstShapes(square, SHAPES, 1)).toEqual(['an opening sign and spaces'])
    const shape = SHAPES['an opening sign and spaces'] ?? String
    expect((await growthOf(square, shape)).flaw).toMatch(/^40000 characters take/)
  })
})

describe('the table of readers', () => {
  it('has at least 30 shapes of each, all different', () => {
    const texts = new Set(Object.values(SHAPES).map((shape) => shape(300)))
    expect(texts.size).toBe(Object.keys(SHAPES).length)
    expect(texts.size).toBeGreaterThan(100)
  })

  it('has every module of the service that reads with repetitions, or says why it need not', async () => {
    const files = globSync('**/*.ts', { cwd: SRC }).filter((file) => !file.startsWith('console/'))
    const named = new Set([...Object.values(PARSERS).flatMap(({ modules }) => modules), ...Object.keys(ELSEWHERE)])
    const modules = await Promise.all(
      files.map(async (file) => ({ file, ...(await expressionsIn(file, readFileSync(join(SRC, file), 'utf8'))) })),
    )
    expect(unmeasured(modules, named)).toEqual([])
    const known = new Set(files)
    expect([...named].filter((file) => !file.endsWith('/') && !known.has(file))).toEqual([])
  })
})

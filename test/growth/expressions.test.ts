/** The check of regular expressions goes red on what takes more than linear time, and on nothing else. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { complaints, type Exception } from '../../scripts/lib/expressions/checked.mjs'
import { EXCEPTIONS } from '../../scripts/lib/expressions/exceptions.mjs'
import { expressionsIn, expressionsMade } from '../../scripts/lib/expressions/found.mjs'
import { unmeasured } from '../../scripts/lib/expressions/readers.mjs'

const complaintsOf = async (text: string, exceptions: readonly Exception[] = []) => {
  const { literals } = await expressionsIn('src/seeded.ts', text)
  return complaints({ expressions: literals, late: [], exceptions })
}

describe('the check of regular expressions', () => {
  it.each([
    '/```+[ \\t]*json\\b/i',
    '/<\\s*(\\/?)\\s*tasks/',
    '/^\\s*import\\b/m',
    '/^-\\s*\\[\\s*(x?)\\s*\\]/',
    '/[,\\s]*please$/',
    '/\\s+$/',
    '/^[^\\S\\n]*\\/\\//m',
    '/print\\(.*%/',
    '/<!--[^]*?-->/',
    '/<([^>]+)>;/',
    '/x[^\\n]{0,5000}y/',
    '/^(?:a|b|ab)*c/',
    '/^(?:我的?|的)*$/u',
    '/^(a+)+$/',
  ])('names %s, its file and its line', async (literal) => {
    const [complaint = '', ...others] = await complaintsOf(`const one = 1\nexport const read = ${literal}\n`)
    expect(others).toEqual([])
    expect(complaint.startsWith('src/seeded.ts:2: /')).toBe(true)
  })

  it.each([
    '/`{3,}[ \\t]*/g',
    '/<\\s*(?:(\\/)\\s*)?tasks/',
    '/^[ \\t]*import\\b/m',
    '/(?<!\\s)\\s+$/',
    '/^\\s+$/',
    '/"[^"]*"/',
    '/<([^<>]+)>;/',
    '/bearer\\s+\\S+/i',
    '/^(\\d{4})-(\\d{2})$/',
    '/(?:^|,)(?:a|b)*,c/',
    '/(?:\\n|^)[ \\t]*-{3,}$/',
    '/^(?:const|let)\\s[^=\\n\\r\\u2028\\u2029]+=/m',
  ])('lets %s be', async (literal) => expect(await complaintsOf(`export const read = ${literal}\n`)).toEqual([]))

  const POLYNOMIAL = 'export const read = /\\s+$/\n'
  const excuse = { file: 'src/seeded.ts', source: '\\s+$', proof: 'at most ten characters' }
  it('lets what has an exception be, by its file and source, or by its folder', async () => {
    expect(await complaintsOf(POLYNOMIAL, [excuse])).toEqual([])
    expect(await complaintsOf(POLYNOMIAL, [{ file: 'src/', proof: 'short texts' }])).toEqual([])
    expect(await complaintsOf(POLYNOMIAL, [{ ...excuse, file: 'src/other.ts' }])).toHaveLength(2)
  })
  it('takes no exception for exponential time: no bound on a text that people write is short enough', async () => {
    const [complaint] = await complaintsOf('export const read = /^(?:a|a)*$/\n', [
      { file: 'src/', proof: 'short texts' },
    ])
    expect(complaint).toContain('exponential')
  })
  it('names an exception that excuses nothing any more', async () => {
    expect(await complaintsOf('export const read = /a/\n', [excuse])).toEqual([
      'the exception of src/seeded.ts \\s+$ excuses nothing: remove it',
    ])
  })
  it('asks a proof of each exception', () => {
    for (const { proof } of EXCEPTIONS) expect(proof.length).toBeGreaterThan(40)
  })

  /** What is found in modules by these names when they are loaded, with as many places as they are read to have unless it is said. */
  async function foundIn(modules: Record<string, string>, places?: number) {
    const root = join(import.meta.dirname, '../..')
    const folder = await mkdtemp(join(root, 'node_modules', '.seeded-'))
    try {
      const files = await Promise.all(
        Object.entries(modules).map(async ([name, text]) => {
          const file = join(folder, name).slice(root.length + 1)
          await writeFile(join(root, file), text)
          return { file, made: places ?? (await expressionsIn(file, text)).made }
        }),
      )
      const found = await expressionsMade(root, files)
      const named = <Found extends { file: string }>(all: Found[]) =>
        all.map((one) => ({ ...one, file: basename(one.file) }))
      return { made: named(found.made), late: named(found.late), missed: named(found.missed) }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  const LATE = 'export const late = (text) => new RegExp(text)\n'
  it('looks at what modules make of texts as they are loaded, and names what they make later', async () => {
    const made = "const END: string = '$'\nexport const read = new RegExp(`\\\\s+${END}`, 'u')\n"
    expect(await foundIn({ 'seeded.ts': made + LATE.replace('text', 'text: string') })).toEqual({
      made: [{ file: 'seeded.ts', line: 2, source: '\\s+$', flags: 'u' }],
      late: [{ file: 'seeded.ts', line: 3 }],
      missed: [],
    })
  })
  it.each(['seeded.mjs', 'seeded.js', 'seeded.tsx'])('looks at them in %s too', async (file) => {
    const typed = file.endsWith('x') ? 'interface Shown { a: string }\nexport const shown = <p>{1}</p>\n' : '\n\n'
    const late = file.endsWith('x') ? LATE.replace('text', 'text: string') : LATE
    expect(await foundIn({ [file]: `${typed}export const read = new RegExp('\\\\s+$')\n${late}` })).toEqual({
      made: [{ file, line: 3, source: '\\s+$', flags: '' }],
      late: [{ file, line: 4 }],
      missed: [],
    })
  })
  it('looks at them without new, under globalThis, and however they are spaced', async () => {
    const text = `// new RegExp('a') in a remark, and 'RegExp(' in a text
export const said = "new RegExp('b')"
export const read = [RegExp('\\\\s+$'), new RegExp  ('c', 'g'), globalThis.RegExp('d'), new RegExp]
export const late = (text) =>
  RegExp(text)
`
    const { made, late, missed } = await foundIn({ 'seeded.mjs': text })
    expect(made.map(({ line, source, flags }) => `${line} /${source}/${flags}`)).toEqual([
      '3 /\\s+$/',
      '3 /c/g',
      '3 /d/',
      '3 /(?:)/',
    ])
    expect([late, missed]).toEqual([[{ file: 'seeded.mjs', line: 5 }], []])
  })
  it('names a file in which it has looked at fewer places, or more, than there are', async () => {
    const text = "export const read = new RegExp('a')\n"
    expect(await foundIn({ 'seeded.mjs': text }, 2)).toMatchObject({
      missed: [{ file: 'seeded.mjs', made: 2, looked: 1 }],
    })
    expect(
      complaints({ expressions: [], late: [], missed: [{ file: 'a.mjs', made: 2, looked: 1 }], exceptions: [] }),
    ).toEqual(['a.mjs: makes expressions at 2 places, of which 1 was looked at'])
  })

  it.each([
    "text.match('a+$')",
    'text.search(`${start}$`)',
    "text.matchAll('a' + start)",
    "text?.match('a')",
    '[text].map(RegExp)',
    'Reflect.construct(RegExp, [text])',
    'new (globalThis.RegExp.bind(null, text))()',
  ])('names %s: nobody sees the expression that it makes', async (code) => {
    const { literals, made, unseen } = await expressionsIn(
      'a.ts',
      `const start: string = ''\nexport const read = ${code}\n`,
    )
    expect([literals, made, unseen]).toEqual([[], 0, [{ file: 'a.ts', line: 2 }]])
    expect(complaints({ expressions: [], late: [], unseen, exceptions: [] })).toEqual([
      'a.ts:2: makes an expression where nobody sees it: write it down, or make it with RegExp at the top of the module',
    ])
  })
  it.each([
    'text.match(/a/)',
    'text.search(MARK)',
    "text.split('a')",
    "read[match]('a')",
    'text instanceof RegExp',
    '({ RegExp: 1 })',
  ])('lets %s be', async (code) =>
    expect(await expressionsIn('a.mjs', `export const read = ${code}\n`)).toMatchObject({ unseen: [] }),
  )
})

describe('the check of the tables of readers', () => {
  it('names a module that reads with a repetition and stands in no table, itself or by its folder', async () => {
    const moduleOf = async (file: string, text: string) => ({ file, ...(await expressionsIn(file, text)) })
    const modules = await Promise.all([
      moduleOf('tools/words.ts', 'export const words = /\\s+/\n'),
      moduleOf('tools/made.ts', "export const words = new RegExp('a')\n"),
      moduleOf('tools/once.ts', 'export const once = /^[+*]a\\+$/\n'),
      moduleOf('tools/named.ts', 'export const named = /a{2,}/\n'),
      moduleOf('kit/words.ts', 'export const words = /a*/\n'),
    ])
    expect(unmeasured(modules, new Set(['tools/named.ts', 'kit/']))).toEqual(['tools/words.ts', 'tools/made.ts'])
  })
})

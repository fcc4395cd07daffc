/** What is blotted out of an answer: a value in each of its spellings, and nothing else. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newWorkBudget, redactor } from '../../src/shell/secrets/redaction.ts'

const VALUE = 'k"y\\ /+&=%<7>~é'.replace('é', 'e')
const { redact } = redactor(new Map([['orders', VALUE]]))
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')
const base64url = (text: string) => Buffer.from(text, 'latin1').toString('base64url')
const unicode = (text: string) =>
  [...text].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
const json = (text: string) => JSON.stringify(text).slice(1, -1)
const percent = (text: string) =>
  [...text].map((sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')
const html = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Each way of writing a value that is known to the redaction. */
const FORMS: [string, (value: string) => string][] = [
  ['as it is', (value) => value],
  ['in JSON', json],
  ['in JSON with \\/', (value) => json(value).replaceAll('/', '\\/')],
  ['in JSON as \\u0041', unicode],
  ['in JSON as \\u00ff in upper case', (value) => unicode(value).replaceAll(/[a-f]/g, (digit) => digit.toUpperCase())],
  ['in JSON within JSON', (value) => json(json(value))],
  ['as a text of Python', (value) => value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")],
  ['percent-encoded', encodeURIComponent],
  ['as part of an address', (value) => encodeURI(value)],
  ['percent-encoded as a whole', percent],
  ['percent-encoded in upper case', (value) => percent(value).toUpperCase()],
  ['percent-encoded twice', (value) => encodeURIComponent(encodeURIComponent(value))],
  ['as a field of a form', (value) => new URLSearchParams({ value }).toString().slice('value='.length)],
  ['percent-encoded within JSON', (value) => json(percent(value))],
  ['in HTML', html],
  ['in HTML in upper case', (value) => html(value).replaceAll(/&[a-z]+;/g, (entity) => entity.toUpperCase())],
  ['in HTML as numbers', (value) => [...value].map((sign) => `&#${sign.charCodeAt(0)};`).join('')],
  ['in HTML as hex numbers', (value) => [...value].map((sign) => `&#X${sign.charCodeAt(0).toString(16)};`).join('')],
  ['in HTML within JSON', (value) => json(html(value))],
  ['in base64', base64],
  ['in base64 without its end', (value) => base64(value).replaceAll('=', '')],
  ['in base64 for addresses', base64url],
  ['in base64 percent-encoded', (value) => encodeURIComponent(base64(value))],
  ['in base64 within JSON with \\/', (value) => base64(value).replaceAll('/', '\\/')],
  ['as a query carries it, in base64', (value) => base64(encodeURIComponent(value))],
  ['as Basic carries it, in base64', (value) => base64(base64(value))],
]
/** A value as a password behind a user name, and in front of something: each of the three positions of base64. */
const NAMES = ['u', 'us', 'use', '']

describe('U51 a value is blotted out', () => {
  it.each(FORMS)('%s', (_what, form) => {
    const redacted = redact(`before ${form(VALUE)} after`)
    expect(redacted).toMatch(/^before \[secret:orders\]=* after$/)
  })

  it.each(NAMES.flatMap((name) => ['', 'x', 'xy'].map((rest) => [name, rest] as const)))(
    'in base64 between %j and %j',
    (name, rest) => {
      for (const encode of [base64, base64url]) {
        const encoded = encode(`${name}:${VALUE}${rest}`).replaceAll('=', '')
        // No character is left that has a bit of the value.
        const before = Math.floor((8 * (name.length + 1)) / 6)
        const end = Math.ceil((8 * (name.length + 1 + VALUE.length)) / 6)
        const left = `${encoded.slice(0, before)}[secret:orders]${encoded.slice(end)}`
        expect(redact(`Basic ${encoded}, and more`)).toBe(`Basic ${left}, and more`)
      }
    },
  )

  it('wherever it stands, as often as it stands, also where it overlaps itself', () => {
    const { redact: twice } = redactor(new Map([['a', 'abcabcabc']]))
    expect(twice('abcabcabc abcabcabcabc, abcabcab')).toBe('[secret:a] [secret:a], abcabcab')
    const { redact: same } = redactor(new Map([['a', 'aaaaaaaa']]))
    expect(same(`${'a'.repeat(1_001)}b${'a'.repeat(7)}`)).toBe(`[secret:a]b${'a'.repeat(7)}`)
  })

  it('with the name of its own secret, and of the longer one where one holds the other', () => {
    const { redact: both } = redactor(
      new Map([
        ['short', 'password'],
        ['long', 'password-of-all'],
      ]),
    )
    expect(both('password, password-of-all')).toBe('[secret:short], [secret:long]')
  })

  it.each([
    'nothing of it is here',
    'k"y\\ /+&=%<7>',
    '100 % sure \\ and \\u00 and %zz and &; and &#; and &#x;',
    '\\',
    '%',
    '&',
    '\ud800 \u{1F600} 漢字',
    '',
  ])('and %j stays as it is', (text) => expect(redact(text)).toBe(text))

  it('also one that a server has made, of any characters', () => {
    const { redact: made } = redactor([['token', '令牌令牌令牌\ud800']])
    expect(made('a 令牌令牌令牌\ud800 b')).toBe('a [secret:token] b')
    expect(made(Buffer.from('令牌令牌令牌\ufffd', 'utf8').toString('base64'))).toBe('[secret:token]')
  })

  it('and nothing is blotted out where nothing was revealed', () => {
    expect(redactor(new Map()).redact('sk-1 %20 \\u0041')).toBe('sk-1 %20 \\u0041')
  })
})

describe('U51 in a long text', () => {
  const HOSTILE = '%2561\\\\u0061&amp;#97;+'
  const longer = (part: string, chars: number) => part.repeat(Math.ceil(chars / part.length))
  const nothing = async () => {}
  const LEFT_OUT = '[left out: too long to be searched for secrets]'

  it('of a megabyte in JSON each value is found', () => {
    const lines = longer('a line, here it is\\n', 1_000_000)
    expect(redact(`${lines}${VALUE}${lines.slice(0, 30_000)}${VALUE}`)).toBe(
      `${lines}[secret:orders]${lines.slice(0, 30_000)}[secret:orders]`,
    )
  })

  it('that is made to take long, a sentence stands in place of what is not looked through', () => {
    const text = longer(HOSTILE, 1_000_000)
    const redacted = redact(`${text}${VALUE}`)
    expect(redacted).not.toContain(VALUE)
    expect(redacted.endsWith(LEFT_OUT)).toBe(true)
    expect(redacted.startsWith(text.slice(0, 40_000))).toBe(true)
  })

  it('all texts of one answer share the work', () => {
    const budget = newWorkBudget()
    const texts = Array.from({ length: 200 }, () => redact(`${longer(HOSTILE, 10_000)}${VALUE}`, budget))
    expect(texts[0]?.endsWith('[secret:orders]')).toBe(true)
    expect(texts.at(-1)).toBe(LEFT_OUT)
  })

  it('each value is found where others are served in between', async () => {
    let pauses = 0
    const text = longer(HOSTILE, 1_000_000)
    const redacted = await redactor(new Map([['orders', VALUE]])).redactLong(`${text}${VALUE}`, async () => {
      pauses += 1
    })
    expect(redacted).toBe(`${text}[secret:orders]`)
    expect(pauses).toBeGreaterThan(20)
  })

  it('a value at any place is found once, also where two pieces meet', async () => {
    const whole = redactor(new Map([['orders', VALUE]]))
    for (let before = 49_152 - VALUE.length - 1; before <= 49_153; before++) {
      const text = `${'x'.repeat(before)}${VALUE}${'y'.repeat(100)}`
      const redacted = `${'x'.repeat(before)}[secret:orders]${'y'.repeat(100)}`
      expect([whole.redact(text), await whole.redactLong(text, nothing)]).toEqual([redacted, redacted])
    }
  })
})

const ascii = fc.string({
  minLength: 8,
  maxLength: 40,
  unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
})
/** Values as a secret may have them. A value that could follow from a label and the text after it would be found there again. */
const value = ascii.filter(
  (text) => text === text.trim() && !text.toLowerCase().includes('secret:') && !/[[\]]/.test(text),
)
const noise = fc.string({ maxLength: 30, unit: 'binary' })
const wrapped = fc.constantFrom(...FORMS.map(([, form]) => form))
const user = fc.string({ maxLength: 5 })

describe('U51 for any value', () => {
  it('none of its spellings is left, whatever stands around them', () => {
    fc.assert(
      fc.property(
        value,
        fc.array(fc.tuple(noise, wrapped), { minLength: 1, maxLength: 5 }),
        user,
        (secret, parts, name) => {
          const basic = base64(`${name}:${secret}`)
          // A mark of noise before it would change what a spelling says.
          const text = `${parts.map(([before, form]) => `${before}\n${form(secret)}\n`).join('')}${basic}`
          const redacted = redactor(new Map([['n', secret]])).redact(text)
          for (const [, form] of FORMS) expect(redacted).not.toContain(form(secret))
          expect(redacted).not.toContain(basic)
          expect(redacted.split('[secret:n]').length - 1).toBeGreaterThan(0)
        },
      ),
    )
  })

  it('a text without it stays as it is', () => {
    fc.assert(
      fc.property(value, noise, (secret, text) => {
        fc.pre(!text.includes(secret))
        expect(redactor(new Map([['n', `${secret}${secret}`]])).redact(text)).toBe(text)
      }),
    )
  })
})

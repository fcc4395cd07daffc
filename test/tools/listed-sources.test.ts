/** What becomes of every list, whatever kind of source it is from: its bounds, its names, and the values of secrets in it. */
import { describe, expect, it } from 'vitest'
import {
  LIST_BYTES_MAX,
  LISTED_TOOLS_MAX,
  looseName,
  type OpenApiSource,
} from '../../src/core/terms/tools/client-tools.ts'
import { freeName } from '../../src/tools/listed-name.ts'
import { toolsOver } from '../support/client-tools.ts'
import { documentWith, OK_RESPONSE, SOURCE } from '../support/openapi.ts'
import { CALL } from '../support/remote-tool.ts'

const VALUE = 'sk-live-2b7e151628aed2a6'
const reveal = async () => ({ ok: true as const, value: VALUE })

const listOf = (document: object, source: Partial<OpenApiSource> = {}, pauses: { count: number } = { count: 0 }) =>
  toolsOver(async () => Response.json(document), {
    secrets: { reveal },
    pause: async () => void (pauses.count += 1),
  }).list({ source: { ...SOURCE, ...source }, position: 0 }, CALL)

async function shownOf(answer: ReturnType<typeof listOf>) {
  const listing = await answer
  if (listing.kind === 'tools_unlisted') throw new Error(listing.reason)
  return listing.tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
}

/** An operation that takes so many characters of a list at least. */
const operation = (operationId: string, chars: number, more: object = {}) => ({
  get: { operationId, description: 'a'.repeat(1_000), parameters: fieldsOf(chars), ...OK_RESPONSE, ...more },
})
const fieldsOf = (chars: number) =>
  Array.from({ length: Math.ceil(chars / 100) }, (_, index) => ({
    name: `field_${index}`,
    in: 'query',
    description: `about this field ${index}`.padEnd(60, '.'),
    schema: { type: 'string' },
  }))

describe('U24 a list of tools', () => {
  const large = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`/${index}`, operation(`read${index}`, 6_000)]),
  )
  const names = Array.from({ length: 12 }, (_, index) => `read${index}`)

  it('has room behind a tool that does not fit, and names what is left out', async () => {
    const answer = await listOf(documentWith({ ...large, '/small': { get: { operationId: 'small', ...OK_RESPONSE } } }))
    if (answer.kind === 'tools_unlisted') throw new Error(answer.reason)
    const kept = answer.tools.map(({ name }) => name)
    const lost = [...names, 'small'].map((name) => `shop.${name}`).filter((name) => !kept.includes(name))
    expect(kept).toContain('shop.small')
    expect(lost.length).toBeGreaterThan(0)
    expect(answer.notes.at(-1)).toBe(
      `${lost.length} tools are left out, because a list has at most ${LISTED_TOOLS_MAX} tools and ${LIST_BYTES_MAX} bytes: ${lost.join(', ')}`,
    )
  })

  it('is refused where a tool that the source names does not fit', async () => {
    expect(await listOf(documentWith(large), { operations: names })).toMatchObject({
      kind: 'tools_unlisted',
      reason: expect.stringMatching(/^\d of the tools that it names do not fit, because a list has at most/),
      passing: false,
    })
    expect(await listOf(documentWith(large), { operations: ['read3'] })).toMatchObject({ kind: 'tools_listed' })
  })
})

describe('U51 a document that was fetched with a secret', () => {
  const headers = { 'x-key': 'secret:docs' }

  it('is read whole however long it is, and others are served in between', async () => {
    const text = String.raw`a\b & 100 % of "it"`
    const operations = Array.from({ length: 400 }, (_, index) => [
      `/${index}`,
      operation(`read${index}`, 100, { description: text.repeat(60), tags: [index < 3 ? 'few' : 'many'] }),
    ])
    const document = documentWith(Object.fromEntries(operations))
    expect(JSON.stringify(document).length).toBeGreaterThan(500_000)
    const [with_secret, without] = [{ count: 0 }, { count: 0 }]
    const shown = await shownOf(listOf(document, { tags: ['few'], headers }, with_secret))
    expect(shown).toHaveLength(3)
    expect(shown).toEqual(await shownOf(listOf(document, { tags: ['few'] }, without)))
    expect(with_secret.count - without.count).toBeGreaterThan(10)
  })

  it('makes no name of the value that was sent', async () => {
    const parameters = [{ name: `${VALUE}.x`, in: 'query', schema: { type: 'string' } }]
    const document = documentWith({ [`/${VALUE}`]: { get: { operationId: `${VALUE}.y`, parameters, ...OK_RESPONSE } } })
    const answer = await listOf(document, { headers })
    expect(answer.kind).toBe('tools_listed')
    expect(looseName(JSON.stringify(answer))).not.toContain(looseName(VALUE))
  })
})

describe('O0-04 the name of a listed tool', () => {
  const long = `shop.${'x'.repeat(100)}`
  const taken = (...names: string[]) => new Set(names.map(looseName))

  it('stays as it is where it is free and short', () => {
    expect(freeName('shop.read', 'key', taken('shop.write'))).toBe('shop.read')
  })

  it.each([
    ['too long', long, taken()],
    ['taken, also without case and signs', 'shop.read_all', taken('shop.readAll')],
    ['empty', 'shop.', taken()],
  ])('ends in a hash of its key where it is %s', (_what, name, others) => {
    const made = freeName(name, 'key', others)
    expect(made).toMatch(/^shop\.(?:[a-z_]+_)?[0-9a-f]{6}$/)
    expect(made.length).toBeLessThanOrEqual(64)
    expect(freeName(name, 'other key', others)).not.toBe(made)
  })

  it('ends in a longer hash where another has the shorter one', () => {
    const short = freeName(long, 'key', taken())
    const made = freeName(long, 'key', taken(short))
    expect(made).toMatch(/_[0-9a-f]{16}$/)
    expect(made.length).toBe(64)
  })
})

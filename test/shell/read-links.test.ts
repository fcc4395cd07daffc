/** Signed links for reading: nothing but what was signed opens them, for as long as was signed. */
import { describe, expect, it } from 'vitest'
import { signedLinks } from '../../src/shell/links/signed-links.ts'
import { EVENTS_LINK, readLinksBy } from '../../src/shell/links/read-links.ts'

const SECRET = 'a secret of the tests'
const DAY_MS = 24 * 3_600_000
const READABLE = {
  tenant: 'a-tenant-with-as-long-a-name-as-one-may-have.acme',
  task: `task_${'0123456789abcdef'.repeat(2)}`,
  link_epoch: 0,
}
const links = readLinksBy(signedLinks([SECRET]), EVENTS_LINK)
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Every single change of a character, every truncation, and parts that are swapped. */
function mutations(token: string): string[] {
  const [payload, mac] = [token.slice(0, -43), token.slice(-43)]
  const changed = [...token].flatMap((old, at) =>
    [...ALPHABET, '.', '='].flatMap((char) =>
      char === old ? [] : [`${token.slice(0, at)}${char}${token.slice(at + 1)}`],
    ),
  )
  const cut = Array.from({ length: token.length }, (_, at) => [token.slice(0, at), token.slice(at + 1)]).flat()
  return [...changed, ...cut, `${mac}${payload}`, `${token}=`, ` ${token}`, `${token}${mac}`]
}

describe('a link to read', () => {
  it('U22 opens what was signed, until it expires a day later', async () => {
    const token = await links.sign(READABLE, 1_000)
    expect(await links.open(token, 1_000)).toEqual(READABLE)
    expect(await links.open(token, 1_000 + DAY_MS - 1)).toEqual(READABLE)
    expect(await links.open(token, 1_000 + DAY_MS)).toBeNull()
  })

  it('U22 no change of it opens anything', async () => {
    const all = mutations(await links.sign(READABLE, 0))
    expect(all.length).toBeGreaterThan(10_000)
    const opened = await Promise.all(all.map((token) => links.open(token, 0)))
    expect(opened.filter((one) => one !== null)).toEqual([])
  })

  it('neither does one that was signed with another secret, or for another purpose', async () => {
    const other = await readLinksBy(signedLinks(['another secret']), EVENTS_LINK).sign(READABLE, 0)
    expect(await links.open(other, 0)).toBeNull()
    const token = await readLinksBy(signedLinks([SECRET]), { ...EVENTS_LINK, purpose: 'answer' }).sign(READABLE, 0)
    expect(await links.open(token, 0)).toBeNull()
  })

  it('a token is made of characters that need no escape, whatever the tenant is called', async () => {
    const odd = { tenant: 'a.b_c-1', task: 'task_1', link_epoch: 3 }
    const token = await links.sign(odd, 0)
    expect(encodeURIComponent(token)).toBe(token)
    expect(await links.open(token, 0)).toEqual(odd)
  })
})

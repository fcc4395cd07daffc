/** The signature of links: what sign() made is opened for its purpose, and nothing else is. */
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signedLinks } from '../../src/shell/links/signed-links.ts'

const links = signedLinks(['a secret of sixteen'])
const CLAIMS = ['acme', 'task_1', 7, 1_800_000_000_000, 'Ünïcode 中文']

describe('signed links', () => {
  it('U23 the same claims are the same token, which says them again', async () => {
    const token = await links.sign('answer', CLAIMS)
    expect(token).toMatch(/^[A-Za-z0-9_-]+$/)
    expect(await signedLinks(['a secret of sixteen']).sign('answer', CLAIMS)).toBe(token)
    expect(await links.open('answer', token)).toEqual(CLAIMS)
  })

  it('the purpose and the secret are part of what is signed', async () => {
    const token = await links.sign('answer', CLAIMS)
    expect(await links.open('read', token)).toBeNull()
    expect(await signedLinks(['a secret of another']).open('answer', token)).toBeNull()
    expect(await links.sign('read', CLAIMS)).not.toBe(token)
  })

  it('U41 names its key: the newest secret signs, all verify, and none but them', async () => {
    const [old, other] = ['a secret of sixteen', 'a secret of another']
    const both = signedLinks([other, old])
    const [before, after] = [await links.sign('answer', CLAIMS), await both.sign('answer', CLAIMS)]
    expect([await both.open('answer', before), await both.open('answer', after)]).toEqual([CLAIMS, CLAIMS])
    expect(await links.open('answer', after)).toBeNull()
    expect(await signedLinks([other]).sign('answer', CLAIMS)).toBe(after)
    expect(Buffer.from(after, 'base64url').toString()).toMatch(/^\[2,"[A-Za-z0-9_-]{8}","answer",/)
    await expect(signedLinks([]).sign('answer', CLAIMS)).rejects.toThrow('SIGNING_SECRET')
  })

  it('U41 opens a link of an earlier release, which names no key, under the same secret', async () => {
    const bytes = Buffer.from(JSON.stringify([1, 'answer', ...CLAIMS]))
    const mac = createHmac('sha256', 'a secret of sixteen').update(bytes).digest()
    const token = Buffer.concat([bytes, mac]).toString('base64url')
    expect(await links.open('answer', token)).toEqual(CLAIMS)
    expect(await signedLinks(['a newer one of ours', 'a secret of sixteen']).open('answer', token)).toEqual(CLAIMS)
    expect(await links.open('read', token)).toBeNull()
    expect(await signedLinks(['a newer one of ours']).open('answer', token)).toBeNull()
  })

  it('a token has one spelling: unused bits, padding and the other alphabet are refused', async () => {
    // Claims of three lengths give tokens that end in a character with none, two and four unused bits.
    for (const more of ['', 'x', 'xx']) {
      const token = await links.sign('answer', [more])
      const spellings = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].map(
        (last) => token.slice(0, -1) + last,
      )
      const opened = await Promise.all(spellings.map((spelling) => links.open('answer', spelling)))
      expect(opened.filter((claims) => claims !== null)).toEqual([[more]])
      for (const other of [`${token}=`, `${token}==`, ` ${token}`, `${token}\n`]) {
        expect(await links.open('answer', other)).toBeNull()
      }
    }
  })

  it.each(['', 'A', 'AAAA', 'A'.repeat(43), 'A'.repeat(44), 'A'.repeat(100_000), 'é'.repeat(60), '****'])(
    'what is no token is refused: %#',
    async (text) => {
      expect(await links.open('answer', text)).toBeNull()
    },
  )
})

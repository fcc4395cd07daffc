/** The seal of secrets: what opens, under which key, and what does not open any more. */
import { describe, expect, it } from 'vitest'
import { secretSealing } from '../../src/shell/seal.ts'

const [OLD, NEW] = ['the first secret of the service', 'the second secret of the service']
const OF = { tenant: 'alice', name: 'orders', hosts: ['a.example', 'b.example'] }
const VALUE = 'sk-of-the-orders'

describe('U51 a sealed value', () => {
  it('opens for what it was sealed for', async () => {
    const sealing = secretSealing([OLD])
    expect(await sealing.open(OF, await sealing.seal(OF, VALUE))).toEqual({
      ok: true,
      value: { value: VALUE, is_newest: true },
    })
  })

  it.each([
    ['another tenant', { ...OF, tenant: 'bob' }],
    ['another name', { ...OF, name: 'order' }],
    ['more hosts', { ...OF, hosts: [...OF.hosts, 'evil.example'] }],
    ['other hosts', { ...OF, hosts: ['evil.example', 'b.example'] }],
    ['hosts in another order', { ...OF, hosts: OF.hosts.toReversed() }],
    ['parts that only read the same in a row', { ...OF, tenant: 'alice","orders', name: '' }],
  ])('does not open for %s', async (_what, other) => {
    const sealing = secretSealing([OLD])
    expect(await sealing.open(other, await sealing.seal(OF, VALUE))).toEqual({ ok: false, error: 'damaged' })
  })

  it('does not open when any of its bytes is changed', async () => {
    const sealing = secretSealing([OLD])
    const { key_id, sealed } = await sealing.seal(OF, VALUE)
    const bytes = [...atob(sealed)]
    for (const index of bytes.keys()) {
      const changed = bytes.with(index, String.fromCharCode((bytes[index] ?? '').charCodeAt(0) ^ 1)).join('')
      expect(await sealing.open(OF, { key_id, sealed: btoa(changed) })).toEqual({ ok: false, error: 'damaged' })
    }
    for (const cut of ['', 'AAAA', '!', sealed.slice(0, -4)])
      expect(await sealing.open(OF, { key_id, sealed: cut })).toEqual({ ok: false, error: 'damaged' })
  })

  it('is another text each time, and has nothing of the value', async () => {
    const sealing = secretSealing([OLD])
    const all = await Promise.all(Array.from({ length: 20 }, () => sealing.seal(OF, VALUE)))
    expect(new Set(all.map(({ sealed }) => sealed)).size).toBe(20)
    expect(new Set(all.map(({ sealed }) => sealed.slice(0, 16))).size).toBe(20)
    for (const { sealed } of all) expect(atob(sealed)).not.toContain('orders')
  })

  it('tells a key apart by an id that a link does not show', async () => {
    const [one, again, other] = await Promise.all(
      [OLD, OLD, NEW].map((secret) => secretSealing([secret]).seal(OF, VALUE)),
    )
    expect(again?.key_id).toBe(one?.key_id)
    expect(other?.key_id).not.toBe(one?.key_id)
  })

  it('opens under an older secret, which is said, and under no secret that is not configured', async () => {
    const old = await secretSealing([OLD]).seal(OF, VALUE)
    const both = secretSealing([NEW, OLD])
    expect(await both.open(OF, old)).toEqual({ ok: true, value: { value: VALUE, is_newest: false } })
    expect(await secretSealing([NEW]).open(OF, old)).toEqual({ ok: false, error: 'key_is_gone' })
    const fresh = await both.seal(OF, VALUE)
    expect(await secretSealing([NEW]).open(OF, fresh)).toEqual({ ok: true, value: { value: VALUE, is_newest: true } })
  })

  it('holds the longest value', async () => {
    const sealing = secretSealing([OLD])
    const value = 'x'.repeat(8_192)
    expect(await sealing.open(OF, await sealing.seal(OF, value))).toMatchObject({ value: { value } })
  })
})

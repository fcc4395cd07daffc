/** How a call gets the value of a secret: for its hosts only, under any key that is configured, and with a note of the use. */
import { describe, expect, it } from 'vitest'
import type { Locale } from '../../src/core/terms/locale.ts'
import type { StoredSecret } from '../../src/core/workspace/secrets.ts'
import { secretFiller } from '../../src/shell/secrets/filler.ts'
import { tenantSecrets } from '../../src/shell/secrets/reveal.ts'
import { secretService } from '../../src/shell/secrets/secret-service.ts'
import { secretSealing } from '../../src/shell/seal.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import { CALLER, FREE, UNBOUNDED } from '../support/scripted.ts'

const OLD = 'the first secret of the service'
const NEW = 'the second secret of the service'
const { tenant } = CALLER
const API = new URL('https://api.example.com/v1')
const VALUE = 'sk-of-the-orders'

/** A store with the secret `orders`, sealed under the old key, and whoever reads it by the keys of `now`. */
async function opened(...keys: string[]) {
  const clock = { now: Date.UTC(2026, 10, 21, 12) }
  const counted = { writes: 0 }
  const store = memoryStore(() => ({ now_ms: clock.now, boot: 'boot', prices: FREE, daily: UNBOUNDED }))
  const watched = {
    workspace(of: string) {
      const workspace = store.workspace(of)
      const tell: typeof workspace.tell = (command) => {
        counted.writes += 1
        return workspace.tell(command)
      }
      return { ...workspace, tell }
    },
  }
  const before = secretService({ store, sealing: secretSealing([OLD]) })
  const put = (name: string, value = VALUE, hosts = ['api.example.com'], of = tenant) =>
    before.putSecret({ ...CALLER, tenant: of }, { name, value, hosts })
  await put('orders')
  const sealing = secretSealing(keys.length === 0 ? [OLD] : keys)
  const secrets = tenantSecrets({ store: watched, sealing, clock: { now_ms: () => clock.now } })
  const reveal = (name = 'orders', address = API, locale: Locale = 'en', of = tenant) =>
    secrets.reveal(of, name, address, locale)
  const stored = async (): Promise<StoredSecret | null> =>
    store.workspace(tenant).ask({ kind: 'secret', name: 'orders' })
  const service = secretService({ store, sealing })
  return { clock, counted, put, secrets, reveal, stored, service, store }
}
const value = (text: string) => ({ ok: true, value: text })
const error = (text: string) => ({ ok: false, error: text })

describe('U51 a secret is revealed', () => {
  it('for an address at one of its hosts', async () => {
    const { reveal } = await opened()
    expect(await reveal()).toEqual(value(VALUE))
  })

  it.each<[Locale, string]>([
    ['en', 'the secret "orders" may not be sent to evil.example:8443, only to api.example.com'],
    ['zh', '密钥“orders”不可发送到 evil.example:8443，只可发送到 api.example.com'],
  ])('for no other address, as is said in %s', async (locale, text) => {
    const { reveal, counted } = await opened()
    expect(await reveal('orders', new URL('https://evil.example:8443/api.example.com'), locale)).toEqual(error(text))
    expect(counted.writes).toBe(0)
  })

  it.each<[Locale, string]>([
    ['en', 'there is no secret "order"; did you mean "orders"?'],
    ['zh', '没有名为“order”的密钥'],
  ])('by its exact name only, as is said in %s', async (locale, text) => {
    const { reveal } = await opened()
    expect(await reveal('order', API, locale)).toEqual(error(text))
  })

  it('to its own tenant only', async () => {
    const { reveal } = await opened()
    expect(await reveal('orders', API, 'en', 'other')).toEqual(error('there is no secret "orders"'))
  })

  it('never from a row that was copied to another tenant or to another name', async () => {
    const { reveal, stored, store } = await opened()
    const row = await stored()
    if (row === null) throw new Error('nothing is stored')
    const { key_id, sealed, hosts } = row
    const copy = (name: string) =>
      ({ kind: 'put_secret', secret: { name, hosts, key_id, sealed }, secrets_max: 9 }) as const
    await store.workspace('other').tell(copy('orders'))
    await store.workspace(tenant).tell(copy('copied'))
    const damaged = (name: string) => error(`the secret "${name}" cannot be opened as it is stored: put it again`)
    expect(await reveal('orders', API, 'en', 'other')).toEqual(damaged('orders'))
    expect(await reveal('copied')).toEqual(damaged('copied'))
    expect(await reveal('copied', API, 'zh')).toEqual(error('密钥“copied”的存储内容无法解开：请重新写入该密钥'))
  })
})

describe('U51 when SIGNING_SECRET is replaced', () => {
  it('a value under the older secret is revealed, and is under the newest from then on', async () => {
    const both = await opened(NEW, OLD)
    const before = await both.stored()
    // It was used just now, so that only the new seal is a reason to write.
    if (before !== null)
      await both.store.workspace(tenant).tell({ kind: 'note_secret_use', name: 'orders', used: before, resealed: null })
    expect(await both.reveal()).toEqual(value(VALUE))
    const after = await both.stored()
    expect(after?.key_id).not.toBe(before?.key_id)
    const alone = tenantSecrets({ store: both.store, sealing: secretSealing([NEW]), clock: { now_ms: () => 0 } })
    expect(await alone.reveal(tenant, 'orders', API, 'en')).toEqual(value(VALUE))
    const { writes } = both.counted
    expect(await both.reveal()).toEqual(value(VALUE))
    expect(both.counted.writes).toBe(writes)
  })

  it('a value that is put while it is revealed is not overwritten by the one before', async () => {
    const { reveal, stored, store, service } = await opened(NEW, OLD)
    const workspace = store.workspace(tenant)
    const used = await stored()
    if (used === null) throw new Error('nothing is stored')
    await service.putSecret(CALLER, { name: 'orders', value: 'sk-put-meanwhile', hosts: ['api.example.com'] })
    const resealed = await secretSealing([NEW]).seal({ tenant, ...used }, VALUE)
    await workspace.tell({ kind: 'note_secret_use', name: 'orders', used, resealed })
    expect(await reveal()).toEqual(value('sk-put-meanwhile'))
  })

  it.each<[Locale, string]>([
    ['en', 'the secret "orders" was sealed under a SIGNING_SECRET that is not configured any more: put it again'],
    ['zh', '密钥“orders”所用的 SIGNING_SECRET 已不在配置中：请重新写入该密钥'],
  ])('a value whose secret is gone is refused in %s, until it is put again', async (locale, text) => {
    const { reveal, service, counted } = await opened(NEW)
    expect(await reveal('orders', API, locale)).toEqual(error(text))
    expect(counted.writes).toBe(0)
    await service.putSecret(CALLER, { name: 'orders', value: VALUE, hosts: ['api.example.com'] })
    expect(await reveal()).toEqual(value(VALUE))
  })
})

describe('U51 the last use of a secret', () => {
  it('is written at most once a minute', async () => {
    const { reveal, stored, clock, counted } = await opened()
    const first = clock.now
    expect((await stored())?.last_used).toBeNull()
    for (const later of [0, 1_000, 59_999]) {
      clock.now = first + later
      await reveal()
    }
    expect([counted.writes, (await stored())?.last_used]).toEqual([1, first])
    clock.now = first + 60_000
    await reveal()
    expect([counted.writes, (await stored())?.last_used]).toEqual([2, first + 60_000])
  })

  it('stays when the secret is put again, and so does the day of its creation', async () => {
    const { reveal, put, clock, service } = await opened()
    await reveal()
    clock.now += 5_000
    await put('orders', 'sk-another-value', ['other.example'])
    expect(await service.getSecret(CALLER, 'orders')).toEqual({
      ok: true,
      value: {
        name: 'orders',
        hosts: ['other.example'],
        created_at: '2026-11-21T12:00:00.000Z',
        updated_at: '2026-11-21T12:00:05.000Z',
        last_used_at: '2026-11-21T12:00:00.000Z',
      },
    })
  })
})

describe('U51 the texts of a call', () => {
  it('are filled where they name a secret, and are else as they are', async () => {
    const { secrets } = await opened()
    const filler = secretFiller(secrets, { tenant, locale: 'en' })
    const headers = { authorization: 'Bearer secret:orders', 'x-key': 'secret:orders', accept: 'text/plain' }
    expect(await filler.fillAll(headers, API)).toEqual({
      ok: true,
      value: { authorization: `Bearer ${VALUE}`, 'x-key': VALUE, accept: 'text/plain' },
    })
  })

  it('name what is wrong by the name of the text', async () => {
    const { secrets } = await opened()
    const filler = secretFiller(secrets, { tenant, locale: 'en' })
    expect(await filler.fillAll({ a: 'b', authorization: 'secret:orderz' }, API)).toEqual(
      error('authorization: there is no secret "orderz"; did you mean "orders"?'),
    )
    expect(await filler.fillAll({ authorization: 'secret:' }, API)).toEqual(
      error('authorization: must name a secret as secret:NAME, NAME being 1 to 64 of A-Z a-z 0-9 _ -'),
    )
  })

  it('have the arguments of a model before the value only, and an argument reads no secret', async () => {
    const { secrets, put } = await opened()
    await put('odd', 'value-{who}-value')
    const filler = secretFiller(secrets, { tenant, locale: 'en' })
    const fillIn = (text: string) => text.replaceAll('{who}', 'secret:other')
    expect(await filler.fill('{who} secret:orders', API, fillIn)).toEqual(value(`secret:other ${VALUE}`))
    expect(await filler.fill('{who}', API, fillIn)).toEqual(value('secret:other'))
    expect(await filler.fill('{who} secret:odd', API, fillIn)).toEqual(value('secret:other value-{who}-value'))
  })

  it('ask for each secret once for a place', async () => {
    let asked = 0
    const secrets = { reveal: async () => ({ ok: true as const, value: `value-${++asked}` }) }
    const filler = secretFiller(secrets, { tenant, locale: 'en' })
    const other = new URL('https://api.example.com:8443/')
    for (const address of [API, API, other])
      expect(await filler.fill('secret:a', address)).toEqual(value(address === other ? 'value-2' : 'value-1'))
    expect(asked).toBe(2)
  })

  it('and both values are blotted out where a secret was put between two requests of a call', async () => {
    const { secrets, put } = await opened()
    const filler = secretFiller(secrets, { tenant, locale: 'en' })
    await filler.fill('secret:orders', API)
    await put('orders', 'sk-put-meanwhile')
    await filler.fill('secret:orders', new URL('https://api.example.com:8443/'))
    expect(filler.redact(`${VALUE} sk-put-meanwhile`)).toBe('[secret:orders] [secret:orders]')
  })

  it('and what they have revealed is blotted out of an answer', async () => {
    const { secrets, put } = await opened()
    await put('pin', 'pin-of-somebody')
    await put('unused', 'value-of-nobody')
    const filler = secretFiller(secrets, { tenant, locale: 'en' })
    const echo = `${VALUE} pin-of-somebody value-of-nobody`
    expect(filler.redact(echo)).toBe(echo)
    await filler.fill('secret:orders', API)
    expect(filler.redact(echo)).toBe('[secret:orders] pin-of-somebody value-of-nobody')
    await filler.fill('secret:pin', API)
    expect(filler.redact(echo)).toBe('[secret:orders] [secret:pin] value-of-nobody')
  })
})

describe('U51 what a request names', () => {
  it('is looked up by name, and each unknown name is told once with the nearest one', async () => {
    const { service } = await opened()
    expect(await service.unknownSecrets(CALLER, ['orders', 'order', 'order', 'zz'])).toEqual({
      ok: true,
      value: [
        { name: 'order', hint: '; did you mean "orders"?' },
        { name: 'zz', hint: '' },
      ],
    })
  })
})

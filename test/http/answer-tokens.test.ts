/** F45: ten thousand tokens that are not ours are one answer, and so is every token of ours that opens nothing. */
import { describe, expect, it } from 'vitest'
import { signedLinks } from '../../src/shell/links/signed-links.ts'
import { serviceCaller } from '../../src/shell/caller.ts'
import { linkBench, pathOf, tokenOf } from '../support/link-bench.ts'
import { ask, planned } from '../support/scripted.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const decode = (token: string) => Buffer.from(token, 'base64url')
const encode = (...parts: Uint8Array[]) => Buffer.concat(parts).toString('base64url')

function flipped(token: string): string[] {
  const bytes = decode(token)
  return Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const changed = Uint8Array.from(bytes)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    return encode(changed)
  })
}
const replaced = (token: string) =>
  Array.from({ length: token.length * 16 }, (_, n) => {
    const [at, shift] = [n >> 4, 1 + (n & 15) * 3]
    const other = ALPHABET[(ALPHABET.indexOf(token[at] ?? '') + shift) % 64] ?? ''
    return token.slice(0, at) + other + token.slice(at + 1)
  })
const cut = (token: string) =>
  Array.from({ length: token.length - 1 }, (_, n) => [token.slice(0, n + 1), token.slice(n + 1)]).flat()
const longer = (token: string) => [...ALPHABET].flatMap((char) => [token + char, char + token])
const macOf = (token: string) => decode(token).subarray(-32)
const claimsOf = (token: string) => decode(token).subarray(0, -32)
const swapped = (tokens: string[]) =>
  tokens.flatMap((one) =>
    tokens
      .filter((other) => other !== one)
      .flatMap((other) => [encode(claimsOf(one), macOf(other)), encode(macOf(other), claimsOf(one))]),
  )

describe('tokens', () => {
  it('F45 none of 10,000 changed tokens is accepted, and all get the same answer', async () => {
    const bench = linkBench({ plan: [planned('A'), planned('A'), planned('A')], thought: [ask(), ask(), ask()] })
    const own = await bench.asking()
    const tasks = [own, await bench.asking(), await bench.asking({ tenant: 'other' })]
    const tokens = tasks.map(tokenOf)
    const foreign = signedLinks(['another secret of ours'])
    const claims = JSON.parse(claimsOf(tokens[0] ?? '').toString('utf8')).slice(3)
    const made = [await foreign.sign('answer', claims), await bench.ports.links.sign('read', claims)]
    const forged = [
      ...tokens.flatMap((token) => [...flipped(token), ...replaced(token), ...cut(token), ...longer(token)]),
      ...swapped(tokens),
      ...made,
    ]
    const distinct = [...new Set(forged)].filter((token) => !tokens.includes(token))
    expect(distinct.length).toBeGreaterThan(10_000)
    const answers = new Map<string, number>()
    const note = async (response: Response) => {
      const known = `${response.status} ${response.headers.get('content-type')} ${await response.text()}`
      answers.set(known, (answers.get(known) ?? 0) + 1)
    }
    for (const [index, token] of distinct.entries()) {
      const post = index % 2 === 0
      const headers = { 'content-type': 'text/plain' }
      await note(await bench.quick(post ? 'POST' : 'GET', `/answers/${token}`, post ? 'forged' : null, headers))
    }
    expect([...answers.values()]).toEqual([distinct.length])
    expect([...answers.keys()][0]).toMatch(/^404 application\/problem\+json .*"code":"link_not_found"/)
    for (const [index, task] of tasks.entries()) {
      const read = await bench.service.getTask(serviceCaller(index === 2 ? 'other' : 'acme'), task.id)
      expect(read).toMatchObject({ ok: true, value: { task: { status: 'input_required', version: task.version } } })
    }
  })

  it('F45 what is signed by us and names no question is answered the same', async () => {
    const bench = linkBench({ plan: [planned('A'), planned('A')], thought: [ask(), ask()] })
    const task = await bench.asking()
    const gone = await bench.asking()
    const deleted = pathOf(gone)
    expect((await bench.service.deleteTask(serviceCaller('acme'), gone.id)).ok).toBe(true)
    const [tenant, id, seq, expires, nonce] = JSON.parse(claimsOf(tokenOf(task)).toString('utf8')).slice(3)
    const sign = (...claims: (string | number)[]) => bench.ports.links.sign('answer', claims)
    const unknown = [
      await sign('other', id, seq, expires, nonce),
      await sign(tenant, `${id}x`, seq, expires, nonce),
      await sign(tenant, id, seq - 1, expires, nonce),
      await sign(tenant, id, seq + 1, expires, nonce),
      await sign(tenant, id, seq, expires, 'another slice'),
      await sign(tenant, id, 'x', expires, nonce),
      await sign(tenant, id),
    ]
    const forged = await (await bench.send('GET', '/answers/AAAA')).text()
    for (const path of [...unknown.map((token) => `/answers/${token}`), deleted, '/answers/%00', '/answers/a.b']) {
      for (const [method, body] of [
        ['GET', null],
        ['POST', 'x'],
      ] as const) {
        const response = await bench.send(method, path, body, { 'content-type': 'text/plain' })
        expect([response.status, await response.text()]).toEqual([404, forged])
      }
    }
  })
})

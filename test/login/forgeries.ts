/** Tokens that must not be accepted, each made of what an attacker can have: the public keys, right tokens, and keys of their own. */
import { createHmac } from 'node:crypto'
import { exportSPKI, importJWK, SignJWT } from 'jose'
import type { TokenFault } from '../../src/http/shapes/http-refusal.ts'
import { claims, newKey, NOW_S, sign, type SigningKey } from './stand-in.ts'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const unsigned = (header: object, payload: object) => `${part(header)}.${part(payload)}.`
const hmac = (header: object, payload: object, secret: string) => {
  const text = `${part(header)}.${part(payload)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
const parts = (token: string) => token.split('.') as [string, string, string] // a token that was just signed

interface Forger {
  /** A key of the issuer, of which the attacker knows the public part. */
  key: SigningKey
  /** RSA, published too. */
  rsa: SigningKey
  own: SigningKey
  /** The attacker's address. */
  elsewhere: string
  /** What a right token says. */
  say: typeof claims
  now_s: number
}
type Forgery = [title: string, fault: TokenFault, forge: (by: Forger) => Promise<string>]

const pem = async ({ jwk, alg }: SigningKey) => exportSPKI((await importJWK(jwk, alg)) as CryptoKey) // of no `oct` key

export const FORGERIES: Forgery[] = [
  ['algorithm none', 'algorithm', async ({ say }) => unsigned({ alg: 'none' }, say())],
  ['algorithm nOnE', 'algorithm', async ({ say }) => unsigned({ alg: 'nOnE' }, say())],
  ['no algorithm', 'algorithm', async ({ say }) => unsigned({ typ: 'JWT' }, say())],
  [
    'algorithm none in front of a right signature',
    'algorithm',
    async ({ key, say }) => {
      const [, payload, signature] = parts(await sign(key, say()))
      return `${part({ alg: 'none', kid: key.kid })}.${payload}.${signature}`
    },
  ],
  [
    'HS256 with the public key as PEM',
    'algorithm',
    async ({ rsa, say }) => hmac({ alg: 'HS256', kid: rsa.kid }, say(), await pem(rsa)),
  ],
  [
    'HS256 with the public key as JWK',
    'algorithm',
    async ({ rsa, say }) => hmac({ alg: 'HS256', kid: rsa.kid }, say(), JSON.stringify(rsa.jwk)),
  ],
  [
    'HS256 with the modulus',
    'algorithm',
    async ({ rsa, say }) => hmac({ alg: 'HS256', kid: rsa.kid }, say(), String(rsa.jwk['n'])),
  ],
  ['HS256 with an empty secret', 'algorithm', async ({ key, say }) => hmac({ alg: 'HS256', kid: key.kid }, say(), '')],
  [
    'another key under the name of a right one',
    'signature',
    async ({ own, key, say }) => sign({ ...own, kid: key.kid }, say()),
  ],
  ['another key without a name', 'signature', async ({ own, say }) => sign(own, say(), { kid: undefined })],
  ['another key under its own name', 'key', async ({ own, say }) => sign(own, say())],
  ['a name that is a path', 'key', async ({ own, say }) => sign({ ...own, kid: '../../../../dev/null' }, say())],
  ['another issuer', 'issuer', async ({ key, say }) => sign(key, say({ iss: 'https://login.example.org' }))],
  [
    'the issuer with another end',
    'issuer',
    async ({ key, say }) => sign(key, say({ iss: `${String(say()['iss'])}/` })),
  ],
  ['the issuer in a list', 'issuer', async ({ key, say }) => sign(key, say({ iss: [say()['iss']] }))],
  ['no issuer', 'issuer', async ({ key, say }) => sign(key, say({ iss: undefined }))],
  ['another audience', 'audience', async ({ key, say }) => sign(key, say({ aud: 'billing' }))],
  ['other audiences', 'audience', async ({ key, say }) => sign(key, say({ aud: ['billing', 'loop-agent-2'] }))],
  ['no audience', 'audience', async ({ key, say }) => sign(key, say({ aud: undefined }))],
  ['an audience that is no text', 'audience', async ({ key, say }) => sign(key, say({ aud: { 'loop-agent': true } }))],
  ['expired', 'expired', async ({ key, say, now_s }) => sign(key, say({ exp: now_s - 31 }))],
  ['no expiry', 'expiry', async ({ key, say }) => sign(key, say({ exp: undefined }))],
  ['an expiry that is a text', 'expiry', async ({ key, say, now_s }) => sign(key, say({ exp: String(now_s + 600) }))],
  ['not yet valid', 'not_yet_valid', async ({ key, say, now_s }) => sign(key, say({ nbf: now_s + 31 + 60 }))],
  [
    'a changed payload',
    'signature',
    async ({ key, say }) => {
      const [header, , signature] = parts(await sign(key, say()))
      return `${header}.${part(say({ org: 'globex' }))}.${signature}`
    },
  ],
  [
    'a changed header',
    'signature',
    async ({ key, say }) => {
      const [, payload, signature] = parts(await sign(key, say()))
      return `${part({ alg: key.alg, kid: key.kid, typ: 'at+jwt' })}.${payload}.${signature}`
    },
  ],
  [
    'the signature of another token',
    'signature',
    async ({ key, say }) => {
      const [header, payload] = parts(await sign(key, say({ org: 'globex' })))
      return `${header}.${payload}.${parts(await sign(key, say()))[2]}`
    },
  ],
  [
    'no signature',
    'signature',
    async ({ key, say }) => {
      const [header, payload] = parts(await sign(key, say()))
      return `${header}.${payload}.`
    },
  ],
  [
    'a signature of zeros',
    'signature',
    async ({ key, say }) => {
      const [header, payload] = parts(await sign(key, say()))
      return `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`
    },
  ],
  [
    'an RSA signature under the name of an elliptic key',
    'key',
    async ({ rsa, key, say }) => sign({ ...rsa, kid: key.kid }, say()),
  ],
  [
    'its own key in the header',
    'signature',
    async ({ own, key, say }) => sign({ ...own, kid: key.kid }, say(), { jwk: own.jwk }),
  ],
  [
    'an address of its own keys in the header (jku)',
    'signature',
    async ({ own, key, say, elsewhere }) => sign({ ...own, kid: key.kid }, say(), { jku: `${elsewhere}/jwks.json` }),
  ],
  [
    'an address of its own certificate in the header (x5u)',
    'signature',
    async ({ own, key, say, elsewhere }) => sign({ ...own, kid: key.kid }, say(), { x5u: `${elsewhere}/cert.pem` }),
  ],
  [
    'its own certificate in the header (x5c)',
    'signature',
    async ({ own, key, say }) => sign({ ...own, kid: key.kid }, say(), { x5c: ['MIIB'] }),
  ],
  [
    'an extension that has to be understood',
    'malformed',
    async ({ key, say }) => {
      const header = { alg: key.alg, kid: key.kid, crit: ['exp'], exp: 1 }
      return new SignJWT(say()).setProtectedHeader(header).sign(key.secret, { crit: { exp: true } })
    },
  ],
  ['a token for logging out', 'type', async ({ key, say }) => sign(key, say(), { typ: 'logout+jwt' })],
  ['a token bound to a key of its client', 'bound', async ({ key, say }) => sign(key, say({ cnf: { jkt: 'x' } }))],
  ['a token of nobody', 'subject', async ({ key, say }) => sign(key, say({ sub: undefined }))],
  ['an encrypted token', 'malformed', async () => `${part({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.a.b.c.d`],
  [
    'two parts',
    'malformed',
    async ({ key, say }) =>
      parts(await sign(key, say()))
        .slice(0, 2)
        .join('.'),
  ],
  [
    'a header that is no JSON',
    'malformed',
    async ({ key, say }) =>
      `e30x.${parts(await sign(key, say()))
        .slice(1)
        .join('.')}`,
  ],
  [
    'claims that are a list',
    'malformed',
    async ({ key }) => `${part({ alg: key.alg, kid: key.kid })}.${part([1])}.AAAA`,
  ],
  ['a token that is too long', 'too_long', async ({ key, say }) => sign(key, say({ groups: 'x'.repeat(16_384) }))],
]

/** Each of these is right. */
export const newForger = async (): Promise<Omit<Forger, 'elsewhere'>> => ({
  key: await newKey('ec-1'),
  rsa: await newKey('rsa-1', 'RS256'),
  own: await newKey('own'),
  say: claims,
  now_s: NOW_S,
})

/** An issuer of tokens: its keys, its documents, and what a network answers that knows it. Nothing of it listens. */
import { exportJWK, generateKeyPair, SignJWT, type JWTHeaderParameters } from 'jose'
import type { IssuerPorts } from '../../src/http/gate/login/issuer.ts'
import { readLogin, type LoginConfig, type LoginVariables } from '../../src/config-login.ts'

export const ISSUER = 'https://login.example.com/realms/acme'
export const AUDIENCE = 'loop-agent'
/** When the tests play, in seconds since the epoch. */
export const NOW_S = 1_800_000_000

export type Jwk = Record<string, unknown>
export interface SigningKey {
  kid: string
  alg: string
  secret: CryptoKey
  jwk: Jwk
}

export async function newKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const pair = await generateKeyPair(alg, { extractable: true })
  const jwk = { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' }
  return { kid, alg, secret: pair.privateKey, jwk }
}

export const claims = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  iss: ISSUER,
  aud: AUDIENCE,
  sub: 'user-1',
  org: 'acme',
  iat: NOW_S - 60,
  exp: NOW_S + 600,
  ...more,
})

export const sign = (
  { kid, alg, secret }: SigningKey,
  payload: Record<string, unknown> = claims(),
  header: Partial<JWTHeaderParameters> = {},
): Promise<string> => new SignJWT(payload).setProtectedHeader({ alg, kid, typ: 'JWT', ...header }).sign(secret)

/** The configuration of the tests, and what is laid over it. */
export function loginOf(more: LoginVariables = {}): LoginConfig {
  const usual = { AUTH_ISSUER: ISSUER, AUTH_AUDIENCE: AUDIENCE, AUTH_TENANT_CLAIM: 'org' }
  const { login, errors } = readLogin({ ...usual, ...more }, { loopback: false })
  if (login === null) throw new Error(errors.join('; '))
  return login
}

export interface StandIn {
  ports: IssuerPorts
  /** What it publishes from now on. */
  publish(...keys: Jwk[]): void
  /** A document at an address: JSON, or what a network makes of it. */
  documents: Map<string, unknown>
  /** What the network was asked, in order. */
  asked: string[]
  logged: Record<string, unknown>[]
  /** What its token endpoint answers to a form. */
  exchange: (form: URLSearchParams, headers: Headers) => Response
  /** Whether anybody answers. */
  isAway: boolean
  now_ms: number
}

const base = ISSUER
export const JWKS = `${base}/keys`
const TOKEN = `${base}/token`
export const DISCOVERY = `${base}/.well-known/openid-configuration`

export function standIn(...keys: Jwk[]): StandIn {
  const documents = new Map<string, unknown>([
    [
      DISCOVERY,
      {
        issuer: ISSUER,
        jwks_uri: JWKS,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: TOKEN,
      },
    ],
  ])
  const state: StandIn = {
    documents,
    asked: [],
    logged: [],
    exchange: () => Response.json({ error: 'invalid_grant' }, { status: 400 }),
    isAway: false,
    now_ms: NOW_S * 1000,
    publish: (...published) => void documents.set(JWKS, { keys: published }),
    ports: {
      reach: { loopback: false },
      now_ms: () => state.now_ms,
      log: (line) => void state.logged.push(line),
      fetch: async (input, init = {}) => {
        const url = String(input)
        state.asked.push(url)
        if (state.isAway) throw new TypeError('fetch failed')
        if (url === TOKEN) return state.exchange(new URLSearchParams(String(init.body)), new Headers(init.headers))
        const document = documents.get(url)
        if (document instanceof Response) return document.clone()
        return document === undefined ? new Response('no such page', { status: 404 }) : Response.json(document)
      },
    },
  }
  state.publish(...keys)
  return state
}

/** What the console asks for while a person signs in, and what it is told: the code flow of OAuth with PKCE (RFC 7636), without a client secret. */
import * as z from 'zod'
import { Scope } from '../../core/registry/scopes.ts'

/** Codes and tokens are texts without blanks, as long as the issuer likes; no known one comes near this. */
const CODE_MAX = 4_096
const REFRESH_TOKEN_MAX = 16_384
const opaque = (max: number) =>
  z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII without blanks')
    .max(max)

/** The address of a console: the root of an origin. */
const RedirectUri = z
  .string()
  .max(300)
  .regex(/^https?:\/\/[A-Za-z0-9.:[\]-]+\/$/, 'must be the address of the console, such as https://agent.example.com/')

export const ExchangeCode = z.strictObject({
  code: opaque(CODE_MAX).describe('`code` of the address to which the issuer has sent the person back'),
  code_verifier: z
    .string()
    .regex(/^[A-Za-z0-9._~-]{43,128}$/, 'must be 43 to 128 letters, digits and . _ ~ -')
    .describe('the text whose SHA-256 was the `code_challenge`'),
  nonce: opaque(200).describe('the `nonce` of the sign-in'),
  redirect_uri: RedirectUri.describe('the `redirect_uri` of the sign-in'),
})
export type ExchangeCode = z.output<typeof ExchangeCode>

export const RefreshLogin = z.strictObject({
  refresh_token: opaque(REFRESH_TOKEN_MAX).describe('as the sign-in, or the refresh before, has given it'),
})

const Access = z
  .object({ kind: z.literal('cloudflare_access') })
  .describe('Cloudflare Access signs in whoever opens the console')
const Oidc = z
  .object({
    kind: z.literal('oidc'),
    issuer: z.string(),
    client_id: z.string(),
    scope: z.string().describe('what the console asks the issuer for'),
    audience: z.string().nullable().describe('`audience` of the request to the issuer; null: it needs none'),
    authorization_endpoint: z
      .string()
      .nullable()
      .describe('where the sign-in begins; null: the issuer cannot be reached now'),
  })
  .describe('the code flow of OpenID Connect with PKCE')

/** How a person can sign in at the console. */
export const SignInMethods = z.object({
  login: z.discriminatedUnion('kind', [Oidc, Access]).nullable().describe('null: by a key only'),
})
export type SignInMethods = z.output<typeof SignInMethods>

/** A login that was verified, for the header Authorization. */
export const LoginToken = z.object({
  token: z.string().describe('the token that this service accepts: the access token, or else the ID token'),
  expires_in: z.int().describe('seconds from now'),
  refresh_token: z.string().nullable().describe('null: the issuer gave none'),
  tenant: z.string(),
  scopes: z.array(Scope),
  key_name: z.string().describe('the name of the login, as tasks show it'),
})
export type LoginToken = z.output<typeof LoginToken>

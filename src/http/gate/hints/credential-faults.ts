/** What is wrong with the key or the token of a request, in English. problem-texts-zh.ts has the same in Chinese. */
import type { KeyMistake, TenantFault, TokenFault } from '../../shapes/http-refusal.ts'

/** The owner of a token can look into it, so a word on where to look is enough. No value of it is repeated, and none that is expected is told. */
export const TOKEN_FAULTS: Readonly<Record<TokenFault, string>> = {
  too_long: 'This token is too long: at most 16384 characters are read.',
  malformed: 'This token cannot be read: it must be a signed JWT in compact form, three parts with dots between them.',
  algorithm:
    'This token is not signed by an accepted algorithm (alg): RS, PS or ES with 256, 384 or 512 bits, or EdDSA.',
  type: 'This is another type of token (typ) than an access token or an ID token.',
  issuer: 'This token is of another issuer (iss) than the one that is accepted here.',
  key: 'The issuer has no key with the name that this token gives (kid).',
  signature: 'The signature of this token is wrong: it was changed, or signed by another key.',
  audience: 'This token is meant for another service: its audience (aud) is not this one.',
  expiry: 'This token does not say when it expires (exp).',
  expired: 'This token has expired (exp): get a new one.',
  not_yet_valid: 'This token is not valid yet (nbf).',
  bound: 'This token is bound to a key of its client (cnf), which cannot be checked here: get one without.',
  subject: 'This token does not say whose it is: it needs sub, common_name, client_id or azp.',
  cross_site: 'A page of another site has sent this request. It counts with a key or token in Authorization only.',
  sign_in: 'The issuer has not accepted this sign-in, or not any more: begin it again.',
  nonce: 'What the issuer gave does not belong to this sign-in: begin it again.',
}

/** The end of a sentence that begins with the claim. */
export const TENANT_FAULTS: Readonly<Record<TenantFault, string>> = {
  missing: 'is missing, and it has to name the tenant',
  no_text: 'is no text and no list of texts, and it has to name the tenant',
  no_name: 'is not the name of a tenant: at most 64 letters, digits, dots, underscores and hyphens',
  unlisted: 'has no value that stands for a tenant here: ask whoever runs the service',
  several: 'has values that stand for several tenants, and a token can be of one only',
}

/** `mistake`: how a key was sent. `token`: what is wrong with a token. Without both, the credential is unknown or missing. */
export function unauthorizedDetail(
  given: boolean,
  mistake: KeyMistake | undefined,
  token: TokenFault | undefined,
): string {
  if (token !== undefined) return TOKEN_FAULTS[token]
  if (mistake === undefined)
    return given ? 'This key or link is not known, or not any more.' : 'Send a key: Authorization: Bearer <key>.'
  switch (mistake.kind) {
    case 'no_scheme':
      return 'Put "Bearer " before the key: Authorization: Bearer <key>.'
    case 'no_key':
      return 'The key after "Bearer" is missing: Authorization: Bearer <key>. Is the variable that has your key set?'
    case 'quoted':
      return 'Leave out the quotes in the value: Authorization: Bearer <key>.'
    case 'placeholder':
      return 'Put your key in place of the text after "Bearer". A shell replaces $KEY only outside of single quotes.'
    case 'colon':
      return 'Put a blank in place of the sign after "Bearer": Authorization: Bearer <key>.'
    case 'twice':
      return 'Write "Bearer" once: Authorization: Bearer <key>.'
    case 'in_query':
      return 'Send the key as a header and not in the query: Authorization: Bearer <key>.'
    case 'damaged':
      return 'This key is damaged: its checksum does not fit. Copy the whole key, from la_ to its last character.'
    case 'expired':
      return 'This key has expired. Take the one that has replaced it, or ask whoever administers your keys.'
    case 'revoked':
      return 'This key was revoked. Ask whoever administers your keys for another one.'
    case 'other_scheme':
      return `Write "Bearer" in place of "${mistake.scheme}", and the key itself behind it: Authorization: Bearer <key>.`
    case 'other_header':
      return `Send the key as Authorization: Bearer <key> in place of ${mistake.header}.`
  }
}

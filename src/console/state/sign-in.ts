/** A sign-in of this tab: what is kept while the person is at the issuer, and how they have come back. */
import { clientOf } from '../api/client.ts'
import { NO_CREDENTIAL, type StoredLogin } from '../api/credential.ts'
import { post } from '../api/request.ts'
import {
  arrivalOf,
  beginSignIn,
  pendingOf,
  type Arrival,
  type LoginToken,
  type OidcLogin,
  type PendingSignIn,
} from '../api/sign-in.ts'
import { storageSlot } from './storage.ts'

const store = storageSlot(() => sessionStorage, 'loop-agent.sign-in')

/** Requests that need no credential. */
export const openClient = clientOf(NO_CREDENTIAL, () => undefined)

/** Leaves the page for the issuer. Resolves to false if there is no address to go to. */
export async function goToIssuer(login: OidcLogin): Promise<boolean> {
  const begun = await beginSignIn(login, { origin: location.origin, fragment: location.hash }, Date.now())
  if (begun === null) return false
  store.write(JSON.stringify(begun.pending))
  location.assign(begun.address)
  return true
}

let arrival: Arrival | null = null

/** Called once, before the page is drawn. The code leaves the address at once, so that no reload, bookmark or link repeats it. */
export function readArrival(): void {
  arrival = arrivalOf(location.search, pendingOf(store.read()), Date.now())
  if (arrival === null) return
  store.remove()
  const fragment = arrival.kind === 'code' ? arrival.pending.fragment : location.hash
  history.replaceState(null, '', location.pathname + fragment)
}

/** How the reader has come back, for the first who asks. */
export function takeArrival(): Arrival | null {
  const taken = arrival
  arrival = null
  return taken
}

export const storedLoginOf = ({ token, expires_in, refresh_token, key_name }: LoginToken): StoredLogin => ({
  token,
  expires_ms: Date.now() + expires_in * 1000,
  refresh_token,
  key_name,
})

export const exchangeCode = (code: string, { code_verifier, nonce, redirect_uri }: PendingSignIn) =>
  openClient.send<LoginToken>(post('/auth/token', { code, code_verifier, nonce, redirect_uri }))

/** null: the issuer gives no newer token. Rejects if nobody has said so. */
export async function refreshLogin(refresh_token: string): Promise<StoredLogin | null> {
  const answer = await openClient.send<LoginToken>(post('/auth/refresh', { refresh_token }))
  if (answer.ok) return storedLoginOf(answer.value)
  if (answer.problem.status >= 400 && answer.problem.status < 500 && answer.problem.status !== 429) return null
  throw new Error(answer.problem.code)
}

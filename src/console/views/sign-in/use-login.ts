/** Asks how one can log in here, ends a sign-in from which the reader has come back, and enters where a proxy has signed them in. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { get } from '../../api/request.ts'
import type { Arrival, OidcLogin, SignInMethods } from '../../api/sign-in.ts'
import type { Problem } from '../../api/wire.ts'
import { useSession } from '../../state/session.tsx'
import { exchangeCode, goToIssuer, openClient, takeArrival } from '../../state/sign-in.ts'

/** Why the reader is not signed in although they have come back: `code` of the issuer, or a sign-in that this tab has not begun. */
type Failed = Exclude<Arrival, { kind: 'code' }> | { kind: 'nowhere' }

export interface Login {
  /** null: there is none, or it is not known yet. */
  oidc: OidcLogin | null
  /** A sign-in is under way. */
  busy: boolean
  failed: Failed | null
  problem: Problem | null
  begin: () => void
}

export function useLogin(): Login {
  const session = useSession()
  const latest = useRef(session)
  latest.current = session
  const [arrival] = useState(takeArrival)
  const [oidc, setOidc] = useState<OidcLogin | null>(null)
  const [{ busy, failed, problem }, set] = useState<Pick<Login, 'busy' | 'failed' | 'problem'>>({
    busy: arrival?.kind === 'code',
    failed: arrival === null || arrival.kind === 'code' ? null : arrival,
    problem: null,
  })
  useEffect(() => {
    let isGone = false
    const end = (found: Problem | null) => !isGone && set((before) => ({ ...before, busy: false, problem: found }))
    const exchange = async (of: Extract<Arrival, { kind: 'code' }>) => {
      const answer = await exchangeCode(of.code, of.pending)
      if (answer.ok) latest.current.enterLogin(answer.value)
      else end(answer.problem)
    }
    /** The proxy adds the login to this request too, so its answer says whether it is accepted. */
    const tryAccess = async () => {
      const answer = await openClient.send(get('/tasks?limit=1'))
      if (answer.ok) latest.current.enterAccess()
      else end(answer.problem)
    }
    const look = async () => {
      const answer = await openClient.send<SignInMethods>(get('/auth'))
      const login = answer.ok ? answer.value.login : null
      if (login?.kind === 'oidc' && !isGone) setOidc(login)
      if (login?.kind === 'cloudflare_access') await tryAccess()
    }
    void look()
    if (arrival?.kind === 'code') void exchange(arrival)
    return () => {
      isGone = true
    }
  }, [arrival])
  const begin = async () => {
    if (oidc === null) return
    set({ busy: true, failed: null, problem: null })
    // The browser may still keep the reader here, who has typed something and not sent it.
    const isLeaving = await goToIssuer(oidc)
    set({ busy: false, failed: isLeaving ? null : { kind: 'nowhere' }, problem: null })
  }
  return { oidc, busy, failed, problem, begin: () => void begin() }
}

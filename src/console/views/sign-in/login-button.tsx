/** The way to the issuer of logins, and what came of a sign-in. */
import { canSignIn } from '../../api/sign-in.ts'
import { Button } from '../../parts/button.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useSession } from '../../state/session.tsx'
import type { Login } from './use-login.ts'

const WORDS = wordTable({
  begin: [(host: string) => `Sign in with ${host}`, (host) => `通过 ${host} 登录`],
  busy: ['Signing in …', '正在登录…'],
  or: ['Or with a key:', '或使用密钥：'],
  refused: [
    (error: string) => `The issuer has not signed you in (${error}). Sign in again, or use a key.`,
    (error) => `签发者没有让您登录（${error}）。请重新登录，或使用密钥。`,
  ],
  foreign: [
    'This sign-in was not begun in this tab, or too long ago. Begin it again.',
    '这次登录不是在本标签页开始的，或已过太久。请重新开始。',
  ],
  nowhere: [
    'The issuer of logins cannot be reached now. A key works as before.',
    '现在无法访问登录的签发者。密钥照常可用。',
  ],
  insecure: [
    'A login needs this page over https. A key works as before.',
    '登录需要通过 https 打开本页面。密钥照常可用。',
  ],
  ended: ['The login has ended. Sign in again.', '登录已经结束，请重新登录。'],
  reload: ['The login has ended. Load this page again.', '登录已经结束，请重新加载本页面。'],
})

export function LoginButton({ login: { oidc, busy, failed, begin } }: { login: Login }) {
  const { refused } = useSession()
  const words = useWords(WORDS)
  const notes = {
    nowhere: words.nowhere,
    foreign: words.foreign,
    refused: words.refused(failed?.kind === 'refused' ? failed.error : ''),
  }
  const ended = refused === 'login' ? words.ended : refused === 'access' ? words.reload : null
  const note = failed === null ? ended : notes[failed.kind]
  const unusable =
    oidc === null ? null : !canSignIn() ? words.insecure : oidc.authorization_endpoint === null ? words.nowhere : null
  return (
    <>
      {note !== null && (
        <p class="problem" role="alert">
          {note}
        </p>
      )}
      {unusable !== null && note !== unusable && <p class="small">{unusable}</p>}
      {busy && oidc === null && <output>{words.busy}</output>}
      {oidc !== null && (
        <>
          <div class="row">
            <Button kind="main" busy={busy} disabled={unusable !== null} onClick={begin}>
              {busy ? words.busy : words.begin(URL.parse(oidc.issuer)?.host ?? oidc.issuer)}
            </Button>
          </div>
          <p class="small">{words.or}</p>
        </>
      )}
    </>
  )
}

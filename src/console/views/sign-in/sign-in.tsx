/** Asks for a login, where one is configured, or for the API key. Either is tried before it is stored. */
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useTitle } from '../../state/use-title.ts'
import { KeyForm } from './key-form.tsx'
import { LoginButton } from './login-button.tsx'
import { useLogin } from './use-login.ts'
import './sign-in.css'

const WORDS = wordTable({
  title: ['See and steer every task', '查看并掌控每一个任务'],
  contract: ['The HTTP contract', 'HTTP 接口约定'],
})

export function SignInView() {
  const words = useWords(WORDS)
  useTitle(words.title)
  const login = useLogin()
  return (
    <div class="entry card stack">
      <h1>{words.title}</h1>
      <LoginButton login={login} />
      <ProblemNote problem={login.problem} />
      <KeyForm isSecond={login.oidc !== null} />
      <a class="small" href="/docs">
        {words.contract}
      </a>
    </div>
  )
}

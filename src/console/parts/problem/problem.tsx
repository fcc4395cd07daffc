/** A refusal in the words of the service. The page has words of its own only where no service answered. */
import type { Problem } from '../../api/wire.ts'
import { usePreferences, useWords, wordTable } from '../../state/preferences.tsx'
import { meaningInChinese } from './problem-words.ts'
import './problem.css'

const WORDS = wordTable({
  unreachable: [
    'The service did not answer. Nothing you entered is lost: try again.',
    '服务没有应答。您输入的内容没有丢失，请重试。',
  ],
  unreadable: [
    'Something between here and the service answered in its place. Try again.',
    '应答的不是本服务，而是中间的某个环节。请重试。',
  ],
  wait: [(seconds: number) => `It can be tried again in ${seconds} s.`, (seconds) => `${seconds} 秒后可以重试。`],
})

export function ProblemNote({ problem }: { problem: Problem | null }) {
  const words = useWords(WORDS)
  const { locale } = usePreferences()
  if (problem === null) return null
  // An error that the sentence contains already is not repeated.
  const errors = problem.errors.filter(({ message }) => !problem.detail.includes(message))
  const own = problem.code === 'unreachable' || problem.code === 'unreadable' ? words[problem.code] : null
  // The service writes in the language of the browser, which the reader may have changed here.
  const isChinese = /\p{Script=Han}/u.test(problem.detail)
  const meaning = locale === 'zh' && own === null && !isChinese ? meaningInChinese(problem.code) : null
  return (
    <div class="problem" role="alert">
      {meaning !== null && <p>{meaning}</p>}
      <p lang={own === null ? (isChinese ? 'zh-Hans' : 'en') : undefined}>{own ?? problem.detail}</p>
      {errors.length > 0 && (
        <ul lang="en">
          {errors.map(({ pointer, message }) => (
            <li key={pointer + message}>{message}</li>
          ))}
        </ul>
      )}
      {problem.retry_after_s !== null && <p>{words.wait(problem.retry_after_s)}</p>}
      {own === null && <code>{problem.code}</code>}
    </div>
  )
}

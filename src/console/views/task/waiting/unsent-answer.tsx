/** A question that was settled while its answer was typed or sent. It shows the outcome and returns the typed text. */
import { Button } from '../../../parts/button.tsx'
import { Copy } from '../../../parts/copy.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import type { SettledAnswer } from './answer-drafts.ts'

const WORDS = wordTable({
  elsewhere: [
    'This has been settled elsewhere. What you typed was not sent.',
    '该请求已在别处处理，您输入的内容没有发送。',
  ],
  notTaken: ['This has been settled elsewhere. Your answer was not taken.', '该请求已在别处处理，您的回答未被采纳。'],
  unknown: [
    'This has been settled. Your answer was sent, and no reply came: it may be the one that counts.',
    '该请求已处理。您的回答已发出但没有收到应答，生效的可能就是它。',
  ],
  afterwards: [
    'Your answer has been taken. What else you typed was not sent.',
    '您的回答已被采纳，另外输入的内容没有发送。',
  ],
  answered: ['The answer that counts:', '生效的回答：'],
  typed: ['What you typed:', '您输入的内容：'],
  copy: ['Copy', '复制'],
  dismiss: ['Dismiss', '知道了'],
})

export function UnsentAnswer({ of: { draft, counts, verdict }, dismiss }: { of: SettledAnswer; dismiss: () => void }) {
  const words = useWords(WORDS)
  const message = verdict === 'elsewhere' && draft.sent !== null ? words.notTaken : words[verdict]
  return (
    <div class="waiting card stack" role="alert">
      <p>
        <strong>{message}</strong>
      </p>
      <p class="said soft">{draft.question}</p>
      {counts !== null && (
        <p class="said">
          {words.answered} <strong>{counts}</strong>
        </p>
      )}
      <div>
        <p>{words.typed}</p>
        <pre>{draft.typed}</pre>
      </div>
      <div class="row">
        <Copy text={draft.typed}>{words.copy}</Copy>
        <Button onClick={dismiss}>{words.dismiss}</Button>
      </div>
    </div>
  )
}

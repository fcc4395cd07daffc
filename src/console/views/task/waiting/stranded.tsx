/** A question that was settled elsewhere while its answer was being typed: it says so, and gives back what was typed. */
import { Button } from '../../../parts/button.tsx'
import { Copy } from '../../../parts/copy.tsx'
import { useWords } from '../../../state/preferences.tsx'
import { useTask } from '../task-context.tsx'
import type { Draft } from './drafts.ts'

const WORDS = {
  en: {
    settled: 'This has been settled elsewhere. What you typed was not sent.',
    answered: 'The answer that counts:',
    typed: 'What you typed:',
    copy: 'Copy',
    dismiss: 'Dismiss',
  },
  zh: {
    settled: '该请求已在别处处理，您输入的内容没有发送。',
    answered: '生效的回答：',
    typed: '您输入的内容：',
    copy: '复制',
    dismiss: '知道了',
  },
}

export function Stranded({ draft, dismiss }: { draft: Draft; dismiss: () => void }) {
  const words = useWords(WORDS)
  const { events } = useTask()
  const told = events.findLast(
    ({ type, payload }) => type === 'clarification_answered' && payload['request_id'] === draft.request_id,
  )?.payload['answer']
  return (
    <div class="waiting card stack" role="alert">
      <p>
        <strong>{words.settled}</strong>
      </p>
      <p class="said soft">{draft.question}</p>
      {typeof told === 'string' && (
        <p class="said">
          {words.answered} <strong>{told}</strong>
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

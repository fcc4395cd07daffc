/** A typed text that cannot be sent any more. Its writer can copy or dismiss it. */
import { useWords, wordTable } from '../state/preferences.tsx'
import { Button } from './button.tsx'
import { Copy } from './copy.tsx'

const WORDS = wordTable({ copy: ['Copy', '复制'], dismiss: ['Dismiss', '知道了'] })

export function UnsentText({ why, text, dismiss }: { why: string; text: string; dismiss: () => void }) {
  const words = useWords(WORDS)
  return (
    <div class="stack" role="alert">
      <p>{why}</p>
      <pre class="said">{text}</pre>
      <div class="row">
        <Copy text={text}>{words.copy}</Copy>
        <Button onClick={dismiss}>{words.dismiss}</Button>
      </div>
    </div>
  )
}

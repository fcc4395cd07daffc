/** Copies a text, or the curl line of a request. If the browser forbids copying, the text is shown and selected. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { curlOf, type ApiRequest } from '../api/request.ts'
import { useWords, wordTable } from '../state/preferences.tsx'
import { Button } from './button.tsx'
import './copy.css'

const WORDS = wordTable({
  copied: ['copied', '已复制'],
  failed: ['The browser does not let it be copied. Here it is:', '浏览器不允许复制，内容如下：'],
  curl: ['curl', 'curl'],
  curlOf: [(action: string) => `Copy the curl line of “${action}”`, (action) => `复制“${action}”的 curl 命令`],
})
const SHOWN_MS = 1_500

export function Copy({ text, children, label }: { text: string; children: string; label?: string }) {
  const words = useWords(WORDS)
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = async () => {
    const copied = await copyToClipboard(text)
    setOutcome(copied ? 'copied' : 'failed')
    clearTimeout(timer.current)
    if (copied) timer.current = setTimeout(() => setOutcome(null), SHOWN_MS)
  }
  return (
    <>
      <Button kind="quiet" onClick={() => void copy()} {...(label === undefined ? {} : { label })}>
        <svg class="copy-sign" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M5 5V2.5h8.5V11H11M2.5 5H11v8.5H2.5z" />
        </svg>
        <code>{children}</code>
        <output class="small">{outcome === 'copied' ? words.copied : ''}</output>
      </Button>
      {outcome === 'failed' && <SelectedText text={text} />}
    </>
  )
}

/** Returns whether the text is copied. Without a secure context there is no clipboard. */
async function copyToClipboard(text: string): Promise<boolean> {
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (clipboard === undefined) return false
  return clipboard.writeText(text).then(
    () => true,
    () => false,
  )
}

function SelectedText({ text }: { text: string }) {
  const words = useWords(WORDS)
  const box = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    box.current?.focus()
    box.current?.select()
  }, [])
  return (
    <label class="copy-by-hand small">
      {words.failed}
      <textarea ref={box} class="number" readOnly rows={2} value={text} />
    </label>
  )
}

export function CopyCurl({ request, of }: { request: ApiRequest; of: string }) {
  const words = useWords(WORDS)
  return (
    <Copy text={curlOf(request, location.origin)} label={words.curlOf(of)}>
      {words.curl}
    </Copy>
  )
}

/** Copies a text; of a request, the curl line that does the same. */
import { useRef, useState } from 'preact/hooks'
import { curlOf } from '../api/curl.ts'
import type { ApiRequest } from '../api/request.ts'
import { useWords } from '../state/preferences.tsx'
import { Button } from './button.tsx'
import './copy.css'

const WORDS = {
  en: {
    copied: 'copied',
    failed: 'not copied',
    curl: 'curl',
    curlOf: (action: string) => `Copy the curl line of “${action}”`,
  },
  zh: { copied: '已复制', failed: '未能复制', curl: 'curl', curlOf: (action: string) => `复制“${action}”的 curl 命令` },
}
const SHOWN_MS = 1_500

export function Copy({ text, children, label }: { text: string; children: string; label?: string }) {
  const words = useWords(WORDS)
  const [said, say] = useState<'copied' | 'failed' | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const copy = async () => {
    const copied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    say(copied ? 'copied' : 'failed')
    clearTimeout(timer.current)
    timer.current = setTimeout(() => say(null), SHOWN_MS)
  }
  return (
    <Button kind="quiet" onClick={() => void copy()} {...(label === undefined ? {} : { label })}>
      <svg class="copy-sign" viewBox="0 0 16 16" aria-hidden="true">
        <path d="M5 5V2.5h8.5V11H11M2.5 5H11v8.5H2.5z" />
      </svg>
      <code>{children}</code>
      <output class="small">{said === null ? '' : words[said]}</output>
    </Button>
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

/** Keeps what cannot be shown to its own place: a part that fails to draw says so, and the rest of the page stays. */
import type { ComponentChildren } from 'preact'
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { useWords } from '../../state/preferences.tsx'
import { Button } from '../button.tsx'
import './problem.css'

const WORDS = {
  en: {
    failed: 'This part could not be shown. The rest of the page works as before.',
    again: 'Try again',
  },
  zh: { failed: '这一部分无法显示，页面的其余部分不受影响。', again: '重试' },
}

interface Props {
  /** What is shown: when that is another, it is tried again by itself. */
  of: string | number
  children: ComponentChildren
}

export function ErrorBoundary({ of, children }: Props) {
  const words = useWords(WORDS)
  // Preact hands on what was thrown, whatever that is.
  const [error, reset]: [unknown, () => void] = useErrorBoundary()
  const isFailed = error !== undefined
  useEffect(() => {
    if (isFailed) reset()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what is shown brings another try about: the failure itself would, for good
  }, [of])
  if (!isFailed) return children
  return (
    <div class="problem" role="alert">
      <p>{words.failed}</p>
      <code>{error instanceof Error ? error.message : String(error)}</code>
      <div>
        <Button onClick={reset}>{words.again}</Button>
      </div>
    </div>
  )
}

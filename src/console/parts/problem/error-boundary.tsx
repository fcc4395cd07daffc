/** Catches the error of a part that cannot be drawn. The part says so, and the rest of the page stays. */
import type { ComponentChildren } from 'preact'
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { Button } from '../button.tsx'
import './problem.css'

const WORDS = wordTable({
  failed: [
    'This part could not be shown. The rest of the page works as before.',
    '这一部分无法显示，页面的其余部分不受影响。',
  ],
  again: ['Try again', '重试'],
})

interface Props {
  /** Names what is shown. When it changes, the part is drawn again. */
  of: string | number
  children: ComponentChildren
}

export function ErrorBoundary({ of, children }: Props) {
  const words = useWords(WORDS)
  // Preact passes on any value that was thrown.
  const [error, reset]: [unknown, () => void] = useErrorBoundary()
  const isFailed = error !== undefined
  useEffect(() => {
    if (isFailed) reset()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a change of `of` may draw again: the error itself would do so without end
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

/** Says why something could not be read, with a button that reads it again. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Problem } from '../../api/wire.ts'
import { useWords } from '../../state/preferences.tsx'
import { Button } from '../button.tsx'
import { ProblemNote } from './problem.tsx'

const WORDS = { en: { again: 'Try again' }, zh: { again: '重试' } }

export function TryAgain({ of }: { of: { problem: Problem | null; busy: boolean; again: () => void } }) {
  const words = useWords(WORDS)
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = box
    return () => {
      // After a success the button is gone, so the focus moves to the fold around it, or to the view.
      if (current?.contains(document.activeElement) === true)
        (
          current.closest('details')?.querySelector<HTMLElement>('summary') ??
          current.closest<HTMLElement>('[tabindex="-1"]')
        )?.focus()
    }
  }, [])
  return (
    <div ref={box} class="stack">
      <ProblemNote problem={of.problem} />
      <div>
        <Button busy={of.busy} onClick={of.again}>
          {words.again}
        </Button>
      </div>
    </div>
  )
}

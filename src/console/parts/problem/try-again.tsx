/** Says why something could not be read, with a button that reads it again. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useWords, wordTable } from '../../state/preferences.tsx'
import type { Resource } from '../../state/use-resource.ts'
import { Button } from '../button.tsx'
import { ProblemNote } from './problem.tsx'

const WORDS = wordTable({ again: ['Try again', '重试'] })

export function TryAgain({ of }: { of: Omit<Resource<unknown>, 'value'> }) {
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
        <Button busy={of.loading} onClick={of.refresh}>
          {words.again}
        </Button>
      </div>
    </div>
  )
}

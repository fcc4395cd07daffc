/** The outcome of an action: a refusal, or a note that an earlier request had done it and its answer was lost. */
import { useWords, wordTable } from '../../state/preferences.tsx'
import type { Action } from '../../state/use-action.ts'
import { ProblemNote } from './problem.tsx'

const WORDS = wordTable({
  replayed: [
    'This had been done already: only its answer was lost. What is shown is up to date.',
    '这一操作先前已经完成，只是应答丢失了。现在显示的是最新状态。',
  ],
})

export function ActionNote({ of: { problem, replayed } }: { of: Pick<Action, 'problem' | 'replayed'> }) {
  const words = useWords(WORDS)
  return (
    <>
      <ProblemNote problem={problem} />
      <output class="small">{replayed ? words.replayed : ''}</output>
    </>
  )
}

/** Pages of a list that is newest first: on to older ones, and back to the beginning. */
import { useWords } from '../state/preferences.tsx'
import { Button } from './button.tsx'

const WORDS = {
  en: { pages: 'Pages', newest: 'Newest', older: 'Older' },
  zh: { pages: '翻页', newest: '最新', older: '更早' },
}

interface Props {
  /** Of the page shown; null: the first one. */
  after: string | null
  /** Of the page after it; null: there is none. */
  next: string | null
  onTurn: (after: string | null) => void
}

export function Pager({ after, next, onTurn }: Props) {
  const words = useWords(WORDS)
  if (after === null && next === null) return null
  return (
    <nav class="row" aria-label={words.pages}>
      <Button disabled={after === null} onClick={() => onTurn(null)}>
        {words.newest}
      </Button>
      <Button disabled={next === null} onClick={() => onTurn(next)}>
        {words.older}
      </Button>
    </nav>
  )
}

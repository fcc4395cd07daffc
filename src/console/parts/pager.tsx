/** The buttons of a list that is newest first: to the next older page, and back to the first page. */
import { useWords } from '../state/preferences.tsx'
import { Button } from './button.tsx'

const WORDS = {
  en: { pages: 'Pages', newest: 'Newest', older: 'Older' },
  zh: { pages: '翻页', newest: '最新', older: '更早' },
}

interface Props {
  /** The cursor of the page that is shown; null on the first page. */
  after: string | null
  /** The cursor of the next page; null if there is none. */
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

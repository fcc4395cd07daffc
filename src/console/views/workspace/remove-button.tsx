/** Deletes something after asking once more, in place; the focus follows: to the question, and back when it is answered with no. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { useWords } from '../../state/preferences.tsx'

const WORDS = {
  en: { remove: 'Delete', yes: 'Yes, delete', no: 'Keep' },
  zh: { remove: '删除', yes: '确认删除', no: '保留' },
}

interface Props {
  /** What it is about, for who does not see where the button stands. */
  of: string
  question: string
  busy: boolean
  onRemove: () => void
}

export function RemoveButton({ of, question, busy, onRemove }: Props) {
  const words = useWords(WORDS)
  const [asking, ask] = useState(false)
  const place = useRef<HTMLSpanElement>(null)
  const before = useRef(asking)
  useLayoutEffect(() => {
    if (before.current === asking) return
    before.current = asking
    place.current?.querySelector<HTMLButtonElement>('button:last-of-type')?.focus()
  }, [asking])
  return (
    <span ref={place} class="row">
      {asking ? (
        <>
          <span role="alert">{question}</span>
          <Button kind="danger" busy={busy} label={`${words.yes}: ${of}`} onClick={onRemove}>
            {words.yes}
          </Button>
          <Button label={`${words.no}: ${of}`} onClick={() => ask(false)}>
            {words.no}
          </Button>
        </>
      ) : (
        <Button kind="quiet" label={`${words.remove}: ${of}`} onClick={() => ask(true)}>
          {words.remove}
        </Button>
      )}
    </span>
  )
}

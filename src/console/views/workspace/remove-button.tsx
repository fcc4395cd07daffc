/** A delete button that asks once more in its place. The focus moves to the question, and back after a no. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'

const WORDS = wordTable({
  remove: ['Delete', '删除'],
  yes: ['Yes, delete', '确认删除'],
  no: ['Keep', '保留'],
})

interface Props {
  /** The name of what is deleted, for screen readers. */
  of: string
  question: string
  busy: boolean
  onRemove: () => void
}

export function RemoveButton({ of, question, busy, onRemove }: Props) {
  const words = useWords(WORDS)
  const [isAsking, setAsking] = useState(false)
  const place = useRef<HTMLSpanElement>(null)
  const before = useRef(isAsking)
  useLayoutEffect(() => {
    if (before.current === isAsking) return
    before.current = isAsking
    place.current?.querySelector<HTMLButtonElement>('button:last-of-type')?.focus()
  }, [isAsking])
  return (
    <span ref={place} class="row">
      {isAsking ? (
        <>
          <span role="alert">{question}</span>
          <Button kind="danger" busy={busy} label={`${words.yes}: ${of}`} onClick={onRemove}>
            {words.yes}
          </Button>
          <Button label={`${words.no}: ${of}`} onClick={() => setAsking(false)}>
            {words.no}
          </Button>
        </>
      ) : (
        <Button kind="quiet" label={`${words.remove}: ${of}`} onClick={() => setAsking(true)}>
          {words.remove}
        </Button>
      )}
    </span>
  )
}

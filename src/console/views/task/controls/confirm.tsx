/** Asks before something that cannot be taken back. Whoever says no is where they were: the browser gives the focus back to the opener. */
import { useEffect, useId, useRef } from 'preact/hooks'
import type { ApiRequest } from '../../../api/request.ts'
import type { Problem } from '../../../api/wire.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { ProblemNote } from '../../../parts/problem.tsx'
import { useWords } from '../../../state/preferences.tsx'

const WORDS = { en: { keep: 'Leave it as it is' }, zh: { keep: '保持原样' } }

interface Props {
  title: string
  text: string
  request: ApiRequest
  busy: boolean
  problem: Problem | null
  confirm: () => void
  close: () => void
}

export function Confirm({ title, text, request, busy, problem, confirm, close }: Props) {
  const words = useWords(WORDS)
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // Closed before it is taken away, or nobody gets the focus back.
    return () => shown?.close()
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={close}>
      <div class="stack">
        <h2 id={id}>{title}</h2>
        <p>{text}</p>
        <ProblemNote problem={problem} />
        <div class="row">
          <Button onClick={() => dialog.current?.close()}>{words.keep}</Button>
          <Button kind="danger" busy={busy} onClick={confirm}>
            {title}
          </Button>
          <span class="push">
            <CopyCurl request={request} of={title} />
          </span>
        </div>
      </div>
    </dialog>
  )
}

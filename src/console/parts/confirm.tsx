/** Asks before an action that cannot be undone. */
import type { ApiRequest } from '../api/request.ts'
import type { Problem } from '../api/wire.ts'
import { useWords } from '../state/preferences.tsx'
import { Button } from './button.tsx'
import { CopyCurl } from './copy.tsx'
import { Dialog } from './dialog.tsx'
import { ProblemNote } from './problem/problem.tsx'

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
  return (
    <Dialog title={title} onClose={close}>
      <p>{text}</p>
      <ProblemNote problem={problem} />
      <div class="row">
        <Button disabled={busy} onClick={close}>
          {words.keep}
        </Button>
        <Button kind="danger" busy={busy} onClick={confirm}>
          {title}
        </Button>
        <span class="push">
          <CopyCurl request={request} of={title} />
        </span>
      </div>
    </Dialog>
  )
}

/** Asks before an action that cannot be undone. */
import type { ComponentChildren } from 'preact'
import type { ApiAnswer } from '../api/client.ts'
import type { ApiRequest } from '../api/request.ts'
import type { Action } from '../state/use-action.ts'
import { useWords, wordTable } from '../state/preferences.tsx'
import { Button } from './button.tsx'
import { CopyCurl } from './copy.tsx'
import { Dialog } from './dialog.tsx'
import { ProblemNote } from './problem/problem.tsx'

const WORDS = wordTable({ keep: ['Leave it as it is', '保持原样'] })

interface Props {
  title: string
  text: string
  request: ApiRequest
  action: Pick<Action, 'busy' | 'problem'> & { run: (request: ApiRequest) => Promise<ApiAnswer<unknown> | null> }
  onDone: () => void
  close: () => void
  /** Another way, after a refusal. */
  children?: ComponentChildren
}

export function Confirm({ title, text, request, action, onDone, close, children }: Props) {
  const words = useWords(WORDS)
  const { busy, problem } = action
  const confirm = async () => {
    const answer = await action.run(request)
    if (answer?.ok === true) onDone()
  }
  return (
    <Dialog title={title} onClose={close}>
      <p>{text}</p>
      <ProblemNote problem={problem} />
      <div class="row">
        <Button disabled={busy} onClick={close}>
          {words.keep}
        </Button>
        <Button kind="danger" busy={busy} onClick={() => void confirm()}>
          {title}
        </Button>
        <span class="push">
          <CopyCurl request={request} of={title} />
        </span>
      </div>
      {children}
    </Dialog>
  )
}

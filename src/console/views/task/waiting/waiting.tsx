/** What the task waits for, and the form for it: first thing on the page when there is something. */
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Pending } from '../../../api/wire.ts'
import { drafts as unsent } from '../../../state/drafts.ts'
import { useWords } from '../../../state/preferences.tsx'
import { useFocusOnward, WAITING_HEADING } from '../focus-onward.ts'
import { useTask } from '../task-context.tsx'
import { Approval } from './approval.tsx'
import { answerDraft, closedOf, kept, type Draft, type DraftChange } from './drafts.ts'
import { Question } from './question.tsx'
import { AwaitedReport } from './report.tsx'
import { Resume } from './resume.tsx'
import { Stranded } from './stranded.tsx'
import './waiting.css'

const WORDS = {
  en: {
    question: 'It needs an answer',
    approval: 'It needs your approval',
    resume: 'It is paused',
    report: 'It waits for a worker',
  },
  zh: { question: '需要您的回答', approval: '需要您的批准', resume: '已暂停', report: '正在等待外部执行者' },
}

const requestOf = (pending: Pending | null) =>
  pending?.kind === 'question' || pending?.kind === 'approval' ? pending.request_id : null

export function Waiting() {
  const { task } = useTask()
  const words = useWords(WORDS)
  const { pending } = task
  const [drafts, set] = useState<Draft[]>([])
  useFocusOnward(`${task.status} ${pending?.kind} ${requestOf(pending)}`)
  const keep = useCallback((change: DraftChange) => set((before) => kept(before, change)), [])
  const closed = closedOf(drafts, requestOf(pending))
  // Shown below, they are not to come back into a form.
  useEffect(() => closed.forEach(({ request_id }) => unsent.drop(answerDraft(request_id))), [closed])
  return (
    <>
      <output class="aside">{pending === null ? '' : words[pending.kind]}</output>
      {closed.map((draft) => (
        <Stranded
          key={draft.request_id}
          draft={draft}
          dismiss={() => set((before) => before.filter((other) => other.request_id !== draft.request_id))}
        />
      ))}
      {pending !== null && (
        <section class={`waiting card stack ${pending.kind}`} aria-labelledby={WAITING_HEADING}>
          <h2 id={WAITING_HEADING} tabIndex={-1}>
            {words[pending.kind]}
          </h2>
          <Form pending={pending} keep={keep} />
        </section>
      )}
    </>
  )
}

export interface FormProps {
  /** What is being typed, and what became of it. */
  keep: (change: DraftChange) => void
}

/** By its request, so that a refresh leaves a form as it is, and another question has a form of its own. */
function Form({ pending, keep }: FormProps & { pending: Pending }) {
  switch (pending.kind) {
    case 'question':
      return <Question key={pending.request_id} pending={pending} keep={keep} />
    case 'approval':
      return <Approval key={pending.request_id} pending={pending} keep={keep} />
    case 'resume':
      return <Resume hint={pending.hint} />
    case 'report':
      return <AwaitedReport pending={pending} />
  }
}

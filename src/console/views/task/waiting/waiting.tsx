/** What the task waits for, and the form for it: first thing on the page when there is something. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Pending } from '../../../api/wire.ts'
import { useWords } from '../../../state/preferences.tsx'
import { useTask } from '../task-context.tsx'
import { Approval } from './approval.tsx'
import { kept, stranded, type Draft } from './drafts.ts'
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
  const { heading, leaving } = useFocusOnward(`${pending?.kind} ${requestOf(pending)}`)
  const form = {
    leaving,
    keep: (draft: Draft) => set((before) => kept(before, draft)),
  }
  return (
    <>
      <output class="aside">{pending === null ? '' : words[pending.kind]}</output>
      {stranded(drafts, requestOf(pending)).map((draft) => (
        <Stranded
          key={draft.request_id}
          draft={draft}
          dismiss={() => set((before) => before.filter((other) => other.request_id !== draft.request_id))}
        />
      ))}
      {pending !== null && (
        <section class={`waiting card stack ${pending.kind}`} aria-labelledby="waiting-heading">
          <h2 id="waiting-heading" ref={heading} tabIndex={-1}>
            {words[pending.kind]}
          </h2>
          <Form pending={pending} {...form} />
        </section>
      )}
    </>
  )
}

export interface FormProps {
  /** Around a request that may take the form away: where the focus goes then. */
  leaving: <T>(send: () => Promise<T>) => Promise<T>
  keep: (draft: Draft) => void
}

/** By its request, so that a refresh leaves a form as it is, and another question has a form of its own. */
function Form({ pending, ...form }: FormProps & { pending: Pending }) {
  switch (pending.kind) {
    case 'question':
      return <Question key={pending.request_id} pending={pending} {...form} />
    case 'approval':
      return <Approval key={pending.request_id} pending={pending} {...form} />
    case 'resume':
      return <Resume hint={pending.hint} {...form} />
    case 'report':
      return <AwaitedReport pending={pending} />
  }
}

/** Who has answered by keyboard goes on at what is asked next, else at the controls, and not at the top of the page. */
function useFocusOnward(place: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  const going = useRef(false)
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (going.current && isLost) (heading.current ?? document.getElementById('task-controls'))?.focus()
    going.current = false
  }, [place])
  const leaving = async <T,>(send: () => Promise<T>) => {
    going.current = true
    return await send()
  }
  return { heading, leaving }
}

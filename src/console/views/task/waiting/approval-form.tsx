/** The form for an action or a plan that needs approval: approve, reject, or ask for changes. */
import { useEffect, useState } from 'preact/hooks'
import type { Pending } from '../../../api/wire.ts'
import { handleSubmit, TextAreaField } from '../../../parts/form.tsx'
import { ActionNote } from '../../../parts/problem/action-note.tsx'
import { useDraft } from '../../../state/drafts.ts'
import { RequestButton } from '../../../parts/request-button.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { useTask } from '../task-context.tsx'
import { CommandNotice } from './command-notice.tsx'
import { answerDraftKey, type KeepDraft } from './answer-drafts.ts'
import { useAnswerSender, type AnswerSender } from './use-answer-sender.ts'

const WORDS = wordTable({
  action: ['It is about to do this:', '即将执行：'],
  plan: ['This is its plan:', '计划如下：'],
  emptyPlan: ['The plan has no items.', '计划为空。'],
  approve: ['Approve', '批准'],
  reject: ['Reject', '拒绝'],
  rejectsPlan: ['To reject the plan ends the task.', '拒绝计划会结束任务。'],
  rejectsAction: [
    'A rejected action counts as one that failed; the task goes on without it.',
    '被拒绝的操作按失败计，任务会继续。',
  ],
  changes: ['Or say what is to be changed', '或说明需要修改的地方'],
  ask: ['Ask for changes', '要求修改'],
})
const VERDICTS = [
  ['approve', 'main'],
  ['reject', 'danger'],
] as const
type Request = Extract<Pending, { kind: 'approval' }>

export function ApprovalForm({ pending, keep }: { pending: Request; keep: KeepDraft }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const { request_id, action } = pending
  const answering = useAnswerSender(request_id, keep)
  const [lastSent, setLastSent] = useState('')
  const { value: typed, change } = useDraft(answerDraftKey(task.id, request_id), '')
  const question = action === null ? words.plan : action.input
  useEffect(() => {
    keep({ request_id, question, typed, answer: typed })
  }, [keep, request_id, question, typed])
  const send = async (input: string) => {
    if (answering.busy || input.trim() === '') return
    setLastSent(input)
    // An approval or a rejection does not send the text of the field.
    const answer = await answering.send(input, input === typed ? typed : '')
    // A text that was typed meanwhile stays.
    if (answer?.ok === true && input === typed) change((now) => (now === typed ? '' : now))
  }
  const isBusy = (input: string) => answering.busy && lastSent === input
  return (
    <>
      <Proposal action={action} />
      <p class="soft small">{action === null ? words.rejectsPlan : words.rejectsAction}</p>
      <div class="row">
        {VERDICTS.map(([verdict, kind]) => (
          <span key={verdict} class="row">
            <RequestButton
              kind={kind}
              text={words[verdict]}
              busy={isBusy(verdict)}
              request={answering.request(verdict)}
              onClick={() => void send(verdict)}
            />
          </span>
        ))}
      </div>
      <Changes
        {...{ typed, answering }}
        change={(text) => change(() => (text.trim() === '' ? '' : text))}
        busy={isBusy(typed)}
        say={() => void send(typed)}
      />
      <ActionNote of={answering} />
      <CommandNotice answer={answering.command} />
    </>
  )
}

interface ChangesProps {
  typed: string
  change: (text: string) => void
  say: () => void
  busy: boolean
  answering: AnswerSender
}

function Changes({ typed, change, say, busy, answering }: ChangesProps) {
  const words = useWords(WORDS)
  return (
    <form class="stack" onSubmit={handleSubmit(say)}>
      <TextAreaField label={words.changes} required rows={2} value={typed} change={change} />
      <div class="row">
        <RequestButton
          type="submit"
          text={words.ask}
          busy={busy}
          request={typed.trim() === '' ? null : answering.request(typed)}
        />
      </div>
    </form>
  )
}

function Proposal({ action }: { action: Request['action'] }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  if (action !== null)
    return (
      <div class="stack">
        <p>
          {words.action} <code>{action.tool}</code>
        </p>
        <pre>{action.input}</pre>
      </div>
    )
  const { items } = task.plan
  if (items.length === 0) return <p>{words.emptyPlan}</p>
  return (
    <div>
      <p>{words.plan}</p>
      <ol>
        {items.map(({ id, title, description }) => (
          <li key={id}>
            {title}
            {description !== '' && description !== title && <span class="soft"> – {description}</span>}
          </li>
        ))}
      </ol>
    </div>
  )
}

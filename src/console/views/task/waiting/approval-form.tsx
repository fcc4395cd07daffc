/** The form for an action or a plan that needs approval: approve, reject, or ask for changes. */
import { useEffect, useState } from 'preact/hooks'
import type { Pending } from '../../../api/wire.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { Field } from '../../../parts/field.tsx'
import { ActionNote } from '../../../parts/problem/action-note.tsx'
import { useDraft } from '../../../state/drafts.ts'
import { useWords } from '../../../state/preferences.tsx'
import { useTask } from '../task-context.tsx'
import { CommandNotice } from './command-notice.tsx'
import { answerDraftKey, type KeepDraft } from './answer-drafts.ts'
import { useAnswerSender, type AnswerSender } from './use-answer-sender.ts'

const WORDS = {
  en: {
    action: 'It is about to do this:',
    plan: 'This is its plan:',
    emptyPlan: 'The plan has no items.',
    approve: 'Approve',
    reject: 'Reject',
    rejectsPlan: 'To reject the plan ends the task.',
    rejectsAction: 'A rejected action counts as one that failed; the task goes on without it.',
    changes: 'Or say what is to be changed',
    ask: 'Ask for changes',
  },
  zh: {
    action: '即将执行：',
    plan: '计划如下：',
    emptyPlan: '计划为空。',
    approve: '批准',
    reject: '拒绝',
    rejectsPlan: '拒绝计划会结束任务。',
    rejectsAction: '被拒绝的操作按失败计，任务会继续。',
    changes: '或说明需要修改的地方',
    ask: '要求修改',
  },
}
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
        <span class="row">
          <Button kind="main" busy={isBusy('approve')} onClick={() => void send('approve')}>
            {words.approve}
          </Button>
          <CopyCurl request={answering.request('approve')} of={words.approve} />
        </span>
        <span class="row">
          <Button kind="danger" busy={isBusy('reject')} onClick={() => void send('reject')}>
            {words.reject}
          </Button>
          <CopyCurl request={answering.request('reject')} of={words.reject} />
        </span>
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
  const isEmpty = typed.trim() === ''
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        say()
      }}
    >
      <Field label={words.changes}>
        {(attributes) => (
          <textarea
            {...attributes}
            required
            rows={2}
            value={typed}
            onInput={({ currentTarget: { value } }) => change(value)}
          />
        )}
      </Field>
      <div class="row">
        <Button type="submit" busy={busy}>
          {words.ask}
        </Button>
        {!isEmpty && <CopyCurl request={answering.request(typed)} of={words.ask} />}
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

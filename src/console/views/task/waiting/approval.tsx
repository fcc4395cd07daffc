/** An action or a plan that waits for a person's word: yes, no, or what is to be changed. */
import { useState } from 'preact/hooks'
import { ofTask, post } from '../../../api/request.ts'
import type { Pending } from '../../../api/wire.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { Field } from '../../../parts/field.tsx'
import { ActionNote } from '../../../parts/action-note.tsx'
import { useWords } from '../../../state/preferences.tsx'
import { useTask, useTaskAction } from '../task-context.tsx'
import type { Draft } from './drafts.ts'
import type { FormProps } from './waiting.tsx'

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
    rejectsAction: '被拒绝的动作按失败计，任务会继续。',
    changes: '或说明需要修改的地方',
    ask: '要求修改',
  },
}
type Asked = Extract<Pending, { kind: 'approval' }>

export function Approval({ pending, keep }: FormProps & { pending: Asked }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const action = useTaskAction()
  const [sent, send] = useState('')
  const [typed, type] = useState('')
  const { request_id } = pending
  const request = (input: string) => post(ofTask(task.id, 'input'), { input, request_id })
  const draft = (text: string, state: Draft['state']) =>
    keep({ request_id, question: pending.action === null ? words.plan : pending.action.input, typed: text, state })
  const say = async (input: string) => {
    if (action.busy || input.trim() === '') return
    send(input)
    draft(typed, 'sending')
    const answer = await action.run(request(input))
    draft(typed, answer?.ok === true ? 'sent' : 'typing')
  }
  return (
    <>
      <Proposed action={pending.action} />
      <p class="soft small">{pending.action === null ? words.rejectsPlan : words.rejectsAction}</p>
      <div class="row">
        <Button kind="main" busy={action.busy && sent === 'approve'} onClick={() => void say('approve')}>
          {words.approve}
        </Button>
        <CopyCurl request={request('approve')} of={words.approve} />
        <Button kind="danger" busy={action.busy && sent === 'reject'} onClick={() => void say('reject')}>
          {words.reject}
        </Button>
        <CopyCurl request={request('reject')} of={words.reject} />
      </div>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void say(typed)
        }}
      >
        <Field label={words.changes}>
          {(ties) => (
            <textarea
              {...ties}
              rows={2}
              value={typed}
              onInput={({ currentTarget: { value } }) => {
                type(value)
                draft(value, 'typing')
              }}
            />
          )}
        </Field>
        <div class="row">
          <Button type="submit" disabled={typed.trim() === ''} busy={action.busy && sent === typed}>
            {words.ask}
          </Button>
          <CopyCurl request={request(typed)} of={words.ask} />
        </div>
      </form>
      <ActionNote of={action} />
    </>
  )
}

function Proposed({ action }: { action: Asked['action'] }) {
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

/** A question, with a form for what it wants as an answer. What was typed stays until the service has taken it. */
import { useMemo, useState } from 'preact/hooks'
import { ofTask, post } from '../../../api/request.ts'
import type { Pending } from '../../../api/wire.ts'
import { Button } from '../../../parts/button.tsx'
import { Copy, CopyCurl } from '../../../parts/copy.tsx'
import { ActionNote } from '../../../parts/action-note.tsx'
import { Time } from '../../../parts/time.tsx'
import { useWords } from '../../../state/preferences.tsx'
import { useTask, useTaskAction } from '../task-context.tsx'
import { shapeOf } from './answer-fields.ts'
import { AnswerInputs } from './answer-inputs.tsx'
import { answerText, type Flaw, type Typed } from './answer-text.ts'
import type { Draft } from './drafts.ts'
import type { FormProps } from './waiting.tsx'

const WORDS = {
  en: {
    answer: 'Answer',
    until: 'It can be answered until',
    link: 'Answer link',
    linkHelp: 'Send this link to someone without a key: it answers this one question.',
  },
  zh: {
    answer: '回答',
    until: '回答期限：',
    link: '回答链接',
    linkHelp: '可把此链接发给没有密钥的人，它只能回答这一个问题。',
  },
}
type Asked = Extract<Pending, { kind: 'question' }>

export function Question({ pending, keep }: FormProps & { pending: Asked }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const action = useTaskAction()
  const { request_id, prompt, choices, response_schema } = pending
  const shape = useMemo(() => shapeOf(choices, response_schema), [choices, response_schema])
  const [typed, set] = useState<Typed>({})
  const [flaws, complain] = useState<Record<string, Flaw>>({})
  const read = answerText(shape, typed)
  const request = post(ofTask(task.id, 'input'), { input: read.ok ? read.text : '', request_id })
  const draft = (said: Typed, state: Draft['state']) =>
    keep({ request_id, question: prompt, typed: Object.values(said).join('\n'), state })
  const change = (name: string, value: string) => {
    const next = { ...typed, [name]: value }
    set(next)
    complain((before) => Object.fromEntries(Object.entries(before).filter(([flawed]) => flawed !== name)))
    draft(next, 'typing')
  }
  const submit = async () => {
    if (!read.ok) return complain(read.flaws)
    draft(typed, 'sending')
    const answer = await action.run(request)
    draft(typed, answer?.ok === true ? 'sent' : 'typing')
  }
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!action.busy) void submit()
      }}
    >
      <p class="said waiting-prompt">{prompt}</p>
      <AnswerInputs shape={shape} typed={typed} flaws={flaws} change={change} />
      <ActionNote of={action} />
      <div class="row">
        <Button kind="main" type="submit" busy={action.busy}>
          {words.answer}
        </Button>
        <CopyCurl request={request} of={words.answer} />
        {pending.expires_at !== null && (
          <span class="soft small push">
            {words.until} <Time at={pending.expires_at} />
          </span>
        )}
      </div>
      {pending.answer_url !== null && (
        <div class="row waiting-link">
          <Copy text={pending.answer_url} label={words.link}>
            {words.link}
          </Copy>
          <span class="soft small">{words.linkHelp}</span>
        </div>
      )}
    </form>
  )
}

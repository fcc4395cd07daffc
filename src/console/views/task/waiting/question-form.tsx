/** The form for the answer to a question. What is typed stays until the service has accepted it. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Pending } from '../../../api/wire.ts'
import { Copy } from '../../../parts/copy.tsx'
import { ActionNote } from '../../../parts/problem/action-note.tsx'
import { handleSubmit } from '../../../parts/form.tsx'
import { Time } from '../../../parts/time/time.tsx'
import { useDraft } from '../../../state/drafts.ts'
import { RequestButton } from '../../../parts/request-button.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { answerShapeOf, type AnswerShape } from './answer-fields.ts'
import { AnswerInputs } from './answer-inputs.tsx'
import { answerText, type AnswerErrors, type TypedValues } from './answer-text.ts'
import { CommandNotice } from './command-notice.tsx'
import { useAnswerSender } from './use-answer-sender.ts'
import { answerDraftKey, type KeepDraft } from './answer-drafts.ts'
import { useTask } from '../task-context.tsx'

const WORDS = wordTable({
  answer: ['Answer', '回答'],
  until: ['It can be answered until', '回答期限：'],
  link: ['Answer link', '回答链接'],
  linkHelp: [
    'Send this link to someone without a key: it answers this one question.',
    '可把此链接发给没有密钥的人，它只能回答这一个问题。',
  ],
})
type Request = Extract<Pending, { kind: 'question' }>

const NOTHING: [name: string, text: string][] = []
const NO_ERRORS: AnswerErrors = new Map()

export function QuestionForm({ pending, keep }: { pending: Request; keep: KeepDraft }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const { request_id, prompt, choices, other_answers, response_schema } = pending
  const answering = useAnswerSender(request_id, keep)
  const shape = useMemo(
    () => answerShapeOf(choices, other_answers, response_schema),
    [choices, other_answers, response_schema],
  )
  const draft = useDraft(answerDraftKey(task.id, request_id), NOTHING)
  const typed: TypedValues = useMemo(() => new Map(draft.value), [draft.value])
  const [errors, setErrors] = useState(NO_ERRORS)
  const { form, focusError } = useFocusOnError()
  const read = answerText(shape, typed)
  const answer = read.ok ? read.value : null
  useEffect(() => {
    keep({ request_id, question: prompt, typed: linesOf(typed), answer })
  }, [keep, request_id, prompt, typed, answer])
  const change = (name: string, value: string) => {
    // A field with its preset is not part of the draft.
    draft.change((now) => [...new Map([...now, [name, value]])].filter(([of, text]) => text !== presetIn(shape, of)))
    setErrors(new Map([...errors].filter(([field]) => field !== name)))
  }
  const submit = async () => {
    if (answering.busy) return
    if (!read.ok) {
      setErrors(read.error)
      return focusError()
    }
    const sent = await answering.send(read.value, linesOf(typed))
    if (sent?.ok !== true) return
    if (sent.value.command === undefined) return draft.clear()
    // The text was a command, so the question is still open. A text that was typed meanwhile stays.
    draft.change((now) => (now === draft.value ? NOTHING : now))
  }
  return (
    <form ref={form} class="stack" noValidate onSubmit={handleSubmit(submit)}>
      <p class="said waiting-prompt">{prompt}</p>
      <AnswerInputs shape={shape} typed={typed} errors={errors} change={change} />
      <ActionNote of={answering} />
      <div class="row">
        <RequestButton
          kind="main"
          type="submit"
          text={words.answer}
          busy={answering.busy}
          request={answer === null ? null : answering.request(answer)}
        />
        {pending.expires_at !== null && (
          <span class="soft small push">
            {words.until} <Time at={pending.expires_at} />
          </span>
        )}
      </div>
      <CommandNotice answer={answering.command} />
      {pending.answer_url !== null && <AnswerLink url={pending.answer_url} />}
    </form>
  )
}

function AnswerLink({ url }: { url: string }) {
  const words = useWords(WORDS)
  return (
    <div class="row waiting-link">
      <Copy text={url} label={words.link}>
        {words.link}
      </Copy>
      <span class="soft small">{words.linkHelp}</span>
    </div>
  )
}

const presetIn = (shape: AnswerShape, name: string) =>
  (shape.kind === 'fields' ? shape.fields.find((field) => field.name === name)?.preset : undefined) ?? ''
const linesOf = (typed: TypedValues) => [...typed.values()].join('\n')

/** Moves the focus to the first error after each refused submit, once the errors are drawn. */
function useFocusOnError() {
  const form = useRef<HTMLFormElement>(null)
  const [refusals, setRefusals] = useState(0)
  useLayoutEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] input')?.focus()
  }, [refusals])
  return { form, focusError: () => setRefusals((before) => before + 1) }
}

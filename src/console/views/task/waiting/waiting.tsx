/** The card of the open request of a task, with the form for its answer. It comes first on the page. */
import { useCallback, useEffect, useRef } from 'preact/hooks'
import type { Envelope, Pending } from '../../../api/wire.ts'
import { drafts, useDraft } from '../../../state/drafts.ts'
import { TimeLeft } from '../../../parts/time/time-left.tsx'
import { Time } from '../../../parts/time/time.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { useFocusOnward, WAITING_HEADING } from '../focus-onward.ts'
import { useTask } from '../task-context.tsx'
import { ApprovalForm } from './approval-form.tsx'
import {
  answerDraftKey,
  closedDrafts,
  changeDrafts,
  answersDraftKey,
  verdictOf,
  type AnswerDraft,
  type KeepDraft,
} from './answer-drafts.ts'
import { FileRequest } from './file-request.tsx'
import { QuestionForm } from './question-form.tsx'
import { Resume } from './resume.tsx'
import { UnsentAnswer } from './unsent-answer.tsx'
import './waiting.css'

const WORDS = wordTable({
  question: ['It needs an answer', '需要您的回答'],
  approval: ['It needs your approval', '需要您的批准'],
  resume: ['It is paused', '已暂停'],
  report: ['It waits for a worker', '正在等待外部执行者'],
  tool: ['It waits for a tool', '正在等待外部工具'],
  file: ['It needs a file', '需要您上传文件'],
})

const requestOf = (pending: Pending | null) =>
  pending?.kind === 'question' || pending?.kind === 'approval' || pending?.kind === 'file' ? pending.request_id : null

export function WaitingCard() {
  const { task } = useTask()
  const words = useWords(WORDS)
  const { pending } = task
  useFocusOnward(`${task.status} ${pending?.kind} ${requestOf(pending)}`)
  const { keep, settled, dismiss } = useAnswerDrafts(requestOf(pending))
  return (
    <>
      <output class="aside">{pending === null ? '' : words[pending.kind]}</output>
      {settled.map((answer) => (
        <UnsentAnswer key={answer.draft.request_id} of={answer} dismiss={() => dismiss(answer.draft.request_id)} />
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

const NONE: AnswerDraft[] = []

/** Reads the answers that were typed for requests of this task in any view. `open` is the request that waits now. */
function useAnswerDrafts(open: string | null) {
  const { task, events } = useTask()
  const typed = useDraft(answersDraftKey(task.id), NONE)
  const { current } = useRef({ change: typed.change })
  current.change = typed.change
  const keep = useCallback<KeepDraft>((change) => current.change((before) => changeDrafts(before, change)), [current])
  const dismiss = (request_id: string) =>
    current.change((before) => before.filter((draft) => draft.request_id !== request_id))
  const closed = closedDrafts(typed.value, open).map((draft) => {
    const counts = acceptedAnswer(events, draft.request_id)
    return { draft, counts, verdict: verdictOf(draft, counts) }
  })
  useEffect(() => {
    // A text that is shown on its own must not come back into a form.
    drafts.dropAll(answerDraftKey(task.id, ''), open === null ? undefined : answerDraftKey(task.id, open))
    for (const { draft, verdict } of closed)
      if (verdict === null && draft.sent?.state !== 'under_way') dismiss(draft.request_id)
  })
  return {
    keep,
    dismiss,
    settled: closed.flatMap(({ verdict, ...one }) => (verdict === null ? [] : [{ ...one, verdict }])),
  }
}

/** Returns the answer that the service accepted; null while no event has told it. */
function acceptedAnswer(events: readonly Envelope[], request_id: string): string | null {
  const answer = events.findLast(
    ({ type, payload }) => type === 'clarification_answered' && payload['request_id'] === request_id,
  )?.payload['answer']
  return typeof answer === 'string' ? answer : null
}

/** The key of a form is its request, so that a refresh keeps the form and another question gets a new one. */
function Form({ pending, keep }: { pending: Pending; keep: KeepDraft }) {
  switch (pending.kind) {
    case 'question':
      return <QuestionForm key={pending.request_id} pending={pending} keep={keep} />
    case 'approval':
      return <ApprovalForm key={pending.request_id} pending={pending} keep={keep} />
    case 'resume':
      return <Resume hint={pending.hint} />
    case 'file':
      return <FileRequest key={pending.request_id} pending={pending} />
    case 'report':
      return <AwaitedReport pending={pending} />
    case 'tool':
      return <WorkingTool pending={pending} />
  }
}

const TOOL_WORDS = wordTable({
  works: ['It works on outside:', '正在外部执行：'],
  looks: ['It is looked at again', '下次查看时间：'],
  until: ['It is given up', '超过以下时间将放弃：'],
})

/** The tool whose call works on outside, with its deadline. */
function WorkingTool({ pending }: { pending: Extract<Pending, { kind: 'tool' }> }) {
  const words = useWords(TOOL_WORDS)
  return (
    <>
      <p>
        {words.works} <code>{pending.tool}</code> {pending.message}
      </p>
      <p class="soft">
        {words.looks} <Time at={pending.looks_at} />. {words.until} <Time at={pending.deadline} />{' '}
        <TimeLeft until={pending.deadline} />
      </p>
    </>
  )
}

const REPORT_WORDS = wordTable({
  waits: ['A worker has to report on', '等待外部执行者就以下委派提交报告：'],
  all: ['See it among the delegations', '在委派列表中查看'],
  until: ['Without a report the attempt counts as failed at', '若无报告，以下时间后按失败计：'],
})

/** The report that the task waits for, with its deadline. */
function AwaitedReport({ pending }: { pending: Extract<Pending, { kind: 'report' }> }) {
  const words = useWords(REPORT_WORDS)
  return (
    <>
      <p>
        {words.waits} <code>{pending.delegation_id}</code>. <a href="#/delegations">{words.all}</a>
      </p>
      <p class="soft">
        {words.until} <Time at={pending.deadline} /> <TimeLeft until={pending.deadline} />
      </p>
    </>
  )
}

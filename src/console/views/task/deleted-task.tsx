/** A task that has been deleted. The page shows its last state, and offers only the texts that were typed for it. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Problem, TaskView } from '../../api/wire.ts'
import { UnsentText } from '../../parts/unsent-text.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { fragmentOf } from '../../route.ts'
import { drafts, taskDraftKey } from '../../state/drafts.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { remarkDraftKey } from './controls/remark-form.tsx'
import { planDraftKey } from './plan/plan.tsx'
import type { PlanDraft } from './plan/plan-draft.ts'
import { answersDraftKey, type AnswerDraft } from './waiting/answer-drafts.ts'

const WORDS = wordTable({
  gone: ['It has been deleted. This is what the page knew of it last.', '它已被删除。以下是本页最后看到的内容。'],
  list: ['Back to the tasks', '返回任务列表'],
  typed: ['What you typed for it was not sent:', '您为它输入的内容没有发送：'],
})

export function DeletedTask({ task, problem }: { task: TaskView; problem: Problem }) {
  const words = useWords(WORDS)
  const [unsent, setUnsent] = useState(() => unsentTexts(task.id))
  const title = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    // The element that had the focus may be gone.
    if (document.activeElement === document.body) title.current?.focus()
  }, [])
  useEffect(() => drafts.dropAll(taskDraftKey(task.id, '')), [task.id])
  return (
    <div class="stack">
      <h1 ref={title} tabIndex={-1} class="said">
        {task.goal}
      </h1>
      <ProblemNote problem={problem} />
      <p>
        {words.gone} <a href={fragmentOf({ view: 'tasks', query: {} })}>{words.list}</a>
      </p>
      {unsent !== '' && (
        <UnsentText
          why={words.typed}
          text={unsent}
          dismiss={() => {
            setUnsent('')
            title.current?.focus()
          }}
        />
      )}
      <pre>{JSON.stringify(task, null, 2)}</pre>
    </div>
  )
}

/** Returns the unsent texts of a task: a remark, answers, and an edit of the plan. */
function unsentTexts(id: string): string {
  // Each key has drafts of one type (state/drafts.ts).
  const remark = drafts.read(remarkDraftKey(id)) as string | undefined
  const answers = (drafts.read(answersDraftKey(id)) ?? []) as AnswerDraft[]
  const planDraft = drafts.read(planDraftKey(id)) as PlanDraft | undefined
  const plan = (planDraft?.items ?? []).map(({ title }) => title).join('\n')
  return [remark ?? '', ...answers.map(({ typed }) => typed), plan].filter((text) => text !== '').join('\n\n')
}

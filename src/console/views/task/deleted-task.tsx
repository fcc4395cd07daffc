/** A task that has been deleted: nothing can be done to it any more, so nothing is offered but what was typed for it. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Problem, TaskView } from '../../api/wire.ts'
import { UnsentText } from '../../parts/unsent-text.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { fragmentOf } from '../../route.ts'
import { drafts, taskDraftKey } from '../../state/drafts.ts'
import { useWords } from '../../state/preferences.tsx'
import { remarkDraftKey } from './controls/remark-form.tsx'
import { planDraftKey } from './plan/plan.tsx'
import type { PlanDraft as Edited } from './plan/plan-draft.ts'
import { answersDraftKey, type AnswerDraft as Typed } from './waiting/answer-drafts.ts'

const WORDS = {
  en: {
    gone: 'It has been deleted. This is what the page knew of it last.',
    list: 'Back to the tasks',
    typed: 'What you typed for it was not sent:',
  },
  zh: {
    gone: '它已被删除。以下是本页最后看到的内容。',
    list: '返回任务列表',
    typed: '您为它输入的内容没有发送：',
  },
}

export function DeletedTask({ task, problem }: { task: TaskView; problem: Problem }) {
  const words = useWords(WORDS)
  const [left, dismiss] = useState(() => leftOf(task.id))
  const title = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    // What had the focus may be gone with the rest.
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
      {left !== '' && (
        <UnsentText
          why={words.typed}
          text={left}
          dismiss={() => {
            dismiss('')
            title.current?.focus()
          }}
        />
      )}
      <pre>{JSON.stringify(task, null, 2)}</pre>
    </div>
  )
}

/** A remark, answers, an edit of the plan: as far as they were typed. */
function leftOf(id: string): string {
  // Each key has drafts of one type (state/drafts.ts).
  const said = drafts.read(remarkDraftKey(id)) as string | undefined
  const answers = (drafts.read(answersDraftKey(id)) ?? []) as Typed[]
  const edited = drafts.read(planDraftKey(id)) as Edited | undefined
  const plan = (edited?.items ?? []).map(({ title }) => title).join('\n')
  return [said ?? '', ...answers.map(({ typed }) => typed), plan].filter((text) => text !== '').join('\n\n')
}

/** What came of it: the result with its artifacts, what is left over, the error. */
import { Markdown } from '../../../parts/markdown.tsx'
import { fragmentOf } from '../../../route.ts'
import { usePreferences, useWords } from '../../../state/preferences.tsx'
import { stopWords } from '../stop-words.ts'
import { useTask } from '../task-context.tsx'
import { HandoverNote } from './handover.tsx'
import './outcome.css'

const WORDS = {
  en: {
    result: 'Result',
    answer: 'Its latest answer',
    empty: 'It ended without a text.',
    artifacts: 'Artifacts:',
    files: 'all files',
    error: 'What went wrong',
  },
  zh: {
    result: '结果',
    answer: '最近的回答',
    empty: '结束时没有文字结果。',
    artifacts: '产出文件：',
    files: '全部文件',
    error: '出错原因',
  },
}

export function Outcome() {
  return (
    <>
      <Failure />
      <Result />
      <HandoverNote />
    </>
  )
}

function Failure() {
  const words = useWords(WORDS)
  const { locale } = usePreferences()
  const { error } = useTask().task
  if (error === null) return null
  return (
    <section class="outcome bad card stack" aria-label={words.error}>
      <h2>
        {words.error}: {stopWords(error.code, locale)}
      </h2>
      <p class="said">{error.detail}</p>
      <code class="soft">{error.code}</code>
    </section>
  )
}

/** Of a session there is one before its end too: the answer of a side turn. */
function Result() {
  const words = useWords(WORDS)
  const { task } = useTask()
  if (task.result === null) return null
  const { text, artifacts } = task.result
  const isLast = task.status === 'completed'
  if (text === '' && !isLast) return null
  const title = isLast ? words.result : words.answer
  return (
    <section class={`outcome card stack ${isLast ? 'good' : ''}`} aria-label={title}>
      <h2>{title}</h2>
      {text === '' ? <p class="soft">{words.empty}</p> : <Markdown text={text} />}
      {artifacts.length > 0 && (
        <p>
          {words.artifacts} {artifacts.map(({ name }) => name).join(', ')} (
          <a href={fragmentOf({ view: 'task', id: task.id, tab: 'files' })}>{words.files}</a>)
        </p>
      )}
    </section>
  )
}

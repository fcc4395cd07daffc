/** The outcome of a task: the error, the result with its artifacts, and the handover. */
import { useState } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'
import type { Outcome, TaskView } from '../../../api/wire.ts'
import { OutcomeMark } from '../../../parts/status.tsx'
import { Markdown } from '../../../parts/markdown/markdown.tsx'
import { fragmentOf } from '../../../route.ts'
import { usePreferences, useWords, wordTable } from '../../../state/preferences.tsx'
import { stopReasonText } from '../../../parts/stop-reasons.ts'
import { previewKindOf } from '../files/file-kinds.ts'
import { Picture } from '../files/picture.tsx'
import { useTask } from '../task-context.tsx'
import { HandoverNote } from './handover.tsx'
import './outcome.css'

const WORDS = wordTable({
  result: ['Result', '结果'],
  answer: ['Its latest answer', '最近的回答'],
  unmet: ['What was not reached', '未达成的部分'],
  empty: ['It ended without a text.', '结束时没有文字结果。'],
  data: ['Data', '数据'],
  artifacts: ['Artifacts:', '产出文件：'],
  files: ['all files', '全部文件'],
  error: ['What went wrong', '出错原因'],
  colon: [': ', '：'],
  more: ['Show all of it', '显示全部'],
  less: ['Show less', '收起'],
})

export function TaskOutcome() {
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
      <h2>{words.error + words.colon + stopReasonText(error.code, locale)}</h2>
      <p class="said">{error.detail}</p>
      <code class="soft">{error.code}</code>
    </section>
  )
}

/** A session has a result before its end too, which is the answer of a side turn. */
function Result() {
  const words = useWords(WORDS)
  const { task } = useTask()
  if (task.result === null) return null
  const { text, data = null, artifacts } = task.result
  const isLast = task.status === 'completed'
  if (text === '' && !isLast) return null
  const title = isLast ? words.result : words.answer
  return (
    <section class={`outcome card stack ${isLast ? CARD_KINDS[task.result.outcome ?? 'done'] : ''}`} aria-label={title}>
      <h2>{title}</h2>
      <Unmet result={task.result} />
      {text === '' ? <p class="soft">{words.empty}</p> : <Text text={text} />}
      {data !== null && <Data data={data} />}
      <Pictures names={artifacts.map(({ name }) => name)} />
      {artifacts.length > 0 && (
        <p>
          {words.artifacts} {artifacts.map(({ name }) => name).join(', ')} (
          <a href={fragmentOf({ view: 'task', id: task.id, tab: 'files' })}>{words.files}</a>)
        </p>
      )}
    </section>
  )
}

/** The typed result. */
function Data({ data }: { data: Record<string, unknown> }) {
  const words = useWords(WORDS)
  return (
    <figure class="outcome-data">
      <figcaption>{words.data}</figcaption>
      <pre>{JSON.stringify(data, null, 2)}</pre>
    </figure>
  )
}

/** The colour of the card of an ended task. */
const CARD_KINDS: Record<Outcome, 'good' | 'partial' | 'bad'> = { done: 'good', partial: 'partial', not_done: 'bad' }

/** Whether the goal was reached, and what of it was not. */
function Unmet({ result: { outcome, unmet } }: { result: NonNullable<TaskView['result']> }) {
  const words = useWords(WORDS)
  if (outcome === null) return null
  return (
    <>
      <p>
        <OutcomeMark of={outcome} />
      </p>
      {unmet.length > 0 && (
        <dl class="outcome-unmet" aria-label={words.unmet}>
          {unmet.map(({ item, reason }, index) => (
            // The list never changes, and an item may stand in it twice.
            <div key={index}>
              <dt>{item}</dt>
              <dd class="soft said">{reason}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}

/** A longer text would push the other parts off the page, so it is folded. */
const SHOWN_CHARS = 1_200
const SHOWN_LINES = 16

function Text({ text }: { text: string }) {
  const words = useWords(WORDS)
  const [isOpen, setOpen] = useState(false)
  const isLong = text.length > SHOWN_CHARS || text.split('\n').length > SHOWN_LINES
  return (
    <>
      <div class={isLong && !isOpen ? 'outcome-folded' : ''}>
        <Markdown text={text} />
      </div>
      {isLong && (
        <div>
          <Button expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? words.less : words.more}
          </Button>
        </div>
      )}
    </>
  )
}

/** More pictures are shown only in the tab of files. */
const PICTURES_MAX = 6

function Pictures({ names }: { names: string[] }) {
  const pictures = names.filter((name) => previewKindOf(name) === 'image').slice(0, PICTURES_MAX)
  if (pictures.length === 0) return null
  return (
    <div class="outcome-pictures">
      {pictures.map((name) => (
        <Picture key={name} name={name} />
      ))}
    </div>
  )
}

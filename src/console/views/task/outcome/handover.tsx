/** The handover of a task that did not reach its goal. It is folded for a paused task, because the form above says what helps. */
import type { Handover } from '../../../api/wire.ts'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { useTask } from '../task-context.tsx'

const WORDS = wordTable({
  handover: ['Handover', '交接'],
  completed: ['Completed', '已完成'],
  reason: ['Unfinished because', '未完成原因'],
  remaining: ['Remaining', '剩余'],
  next: ['Suggested next steps', '下一步建议'],
  nothing: ['nothing', '无'],
})

export function HandoverNote() {
  const words = useWords(WORDS)
  const { handover, status } = useTask().task
  if (handover === null) return null
  return (
    <details class="outcome card" open={status !== 'paused'}>
      <summary>
        <h2>{words.handover}</h2>
      </summary>
      <Parts handover={handover} />
    </details>
  )
}

function Parts({ handover }: { handover: Handover }) {
  const words = useWords(WORDS)
  return (
    <div class="outcome-parts">
      <List title={words.completed} lines={handover.completed} />
      <List title={words.remaining} lines={handover.remaining} />
      <div>
        <h3>{words.reason}</h3>
        <p class="said">{handover.unfinished_reason}</p>
      </div>
      <List title={words.next} lines={handover.next_steps} />
    </div>
  )
}

function List({ title, lines }: { title: string; lines: string[] }) {
  const words = useWords(WORDS)
  return (
    <div>
      <h3>{title}</h3>
      {lines.length === 0 ? (
        <p class="soft">{words.nothing}</p>
      ) : (
        <ul>
          {lines.map((line) => (
            <li key={line} class="said">
              {line}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

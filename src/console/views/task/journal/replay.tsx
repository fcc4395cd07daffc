/** Lets the service replay the journal, and shows whether the result is the same. */
import { useState } from 'preact/hooks'
import { taskPath, post } from '../../../api/request.ts'
import type { Replay } from '../../../api/wire.ts'
import { ActionNote } from '../../../parts/problem/action-note.tsx'
import { RequestButton } from '../../../parts/request-button.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { useAction } from '../../../state/use-action.ts'
import { useTask } from '../task-context.tsx'
import { Json } from './row-body.tsx'

const WORDS = wordTable({
  replay: ['Replay', '重放'],
  equal: [
    (rows: number) => `Equal: ${rows} rows were decided again, and all is as it is recorded.`,
    (rows) => `一致：重新推算了 ${rows} 行，与记录完全相同。`,
  ],
  differs: [
    (seq: number, path: string) => `Row ${seq} differs first, at ${path}.`,
    (seq, path) => `最先出现差异的是第 ${seq} 行的 ${path}。`,
  ],
  expected: ['Expected', '应为'],
  found: ['Stored', '实际记录'],
})

/** Returns the button for the row of buttons, and the result for the place below it. */
export function useReplay() {
  const words = useWords(WORDS)
  const { task } = useTask()
  const action = useAction()
  const { busy, run } = action
  const [result, setResult] = useState<Replay | null>(null)
  const request = post(taskPath(task.id, 'replay'))
  const replay = async () => {
    setResult(null)
    const answer = await run<Replay>(request)
    if (answer?.ok === true) setResult(answer.value)
  }
  const button = <RequestButton text={words.replay} busy={busy} request={request} onClick={() => void replay()} />
  const note = (
    <>
      <ActionNote of={action} />
      <output>{result?.equal === true && `✓ ${words.equal(result.events)}`}</output>
      <Difference of={result} />
    </>
  )
  return { button, note }
}

function Difference({ of }: { of: Replay | null }) {
  const words = useWords(WORDS)
  const first = of?.first_difference ?? null
  if (first === null) return null
  return (
    <div class="problem stack" role="alert">
      <p>✕ {words.differs(first.seq, first.path)}</p>
      <p>{words.expected}</p>
      <Json value={first.expected} label={words.expected} />
      <p>{words.found}</p>
      <Json value={first.found} label={words.found} />
    </div>
  )
}

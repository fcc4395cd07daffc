/** Has the service run its state machine again on what is recorded, and says whether the same comes out. */
import { useState } from 'preact/hooks'
import { taskPath, post } from '../../../api/request.ts'
import type { Replay } from '../../../api/wire.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { ActionNote } from '../../../parts/problem/action-note.tsx'
import { useWords } from '../../../state/preferences.tsx'
import { useAction } from '../../../state/use-action.ts'
import { useTask } from '../task-context.tsx'
import { Json } from './row-body.tsx'

const WORDS = {
  en: {
    replay: 'Replay',
    equal: (rows: number) => `Equal: ${rows} rows were decided again, and all is as it is recorded.`,
    differs: (seq: number, path: string) => `Row ${seq} differs first, at ${path}.`,
    expected: 'Expected',
    found: 'Stored',
  },
  zh: {
    replay: '重放',
    equal: (rows: number) => `一致：重新推算了 ${rows} 行，与记录完全相同。`,
    differs: (seq: number, path: string) => `最先出现差异的是第 ${seq} 行的 ${path}。`,
    expected: '应为',
    found: '实际记录',
  },
}

/** The button and its curl line stand among others; what came of it below them. */
export function useReplay() {
  const words = useWords(WORDS)
  const { task } = useTask()
  const action = useAction()
  const { busy, run } = action
  const [said, say] = useState<Replay | null>(null)
  const request = post(taskPath(task.id, 'replay'))
  const replay = async () => {
    say(null)
    const answer = await run<Replay>(request)
    if (answer?.ok === true) say(answer.value)
  }
  const button = (
    <>
      <Button busy={busy} onClick={() => void replay()}>
        {words.replay}
      </Button>
      <CopyCurl request={request} of={words.replay} />
    </>
  )
  const note = (
    <>
      <ActionNote of={action} />
      <output>{said?.equal === true && `✓ ${words.equal(said.events)}`}</output>
      <Difference of={said} />
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

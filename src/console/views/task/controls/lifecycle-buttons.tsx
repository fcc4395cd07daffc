/** The buttons that pause, resume, cancel and delete a task. The last two ask first. */
import { useState } from 'preact/hooks'
import { taskPath, post, type ApiRequest } from '../../../api/request.ts'
import { Button } from '../../../parts/button.tsx'
import { Confirm } from '../../../parts/confirm.tsx'
import { ActionNote } from '../../../parts/problem/action-note.tsx'
import { RequestButton } from '../../../parts/request-button.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { drafts, taskDraftKey } from '../../../state/drafts.ts'
import { useAction } from '../../../state/use-action.ts'
import { useMounted } from '../../../state/use-mounted.ts'
import { go } from '../../../state/use-route.ts'
import { useFocusOnward } from '../focus-onward.ts'
import { useTask, useTaskAction } from '../task-context.tsx'
import type { Offers } from './offers.ts'

const WORDS = wordTable({
  pause: ['Pause', '暂停'],
  resume: ['Resume', '恢复'],
  cancel: ['Cancel the task', '取消任务'],
  cancelText: [
    'The task ends for good. What is under way is not taken any more; what it has done stays.',
    '任务将彻底结束。进行中的操作不再生效，已完成的内容会保留。',
  ],
  delete: ['Delete', '删除'],
  deleteTitle: ['Delete the task', '删除任务'],
  deleteText: [
    'Everything stored for it is removed: journal, files, result. This cannot be undone.',
    '为它保存的一切（日志、文件、结果）都会被删除，且无法恢复。',
  ],
})

export function LifecycleButtons({ offers }: { offers: Offers }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const action = useTaskAction()
  const [question, setQuestion] = useState<'cancel' | 'delete' | null>(null)
  useFocusOnward(`${task.status} ${question}`)
  // One button does both, so the focus stays on it while the answer comes.
  const verb = offers.resume ? 'resume' : offers.pause ? 'pause' : null
  const request = post(taskPath(task.id, verb ?? 'pause'))
  return (
    <div class="controls-hold stack">
      <div class="row">
        {verb !== null && (
          <RequestButton
            text={words[verb]}
            busy={action.busy}
            request={request}
            onClick={() => void action.run(request)}
          />
        )}
        {offers.cancel && (
          <Button kind="danger" onClick={() => setQuestion('cancel')}>
            {words.cancel} …
          </Button>
        )}
        <Button kind="danger" onClick={() => setQuestion('delete')}>
          {words.delete} …
        </Button>
      </div>
      <ActionNote of={action} />
      {question === 'cancel' && <Cancel close={() => setQuestion(null)} />}
      {question === 'delete' && <Delete close={() => setQuestion(null)} />}
    </div>
  )
}

function Cancel({ close }: { close: () => void }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const action = useTaskAction()
  const request = post(taskPath(task.id, 'cancel'))
  return <Confirm title={words.cancel} text={words.cancelText} {...{ request, action, close }} onDone={close} />
}

function Delete({ close }: { close: () => void }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const action = useAction()
  const mounted = useMounted()
  const request: ApiRequest = { method: 'DELETE', path: taskPath(task.id) }
  const leave = () => {
    drafts.dropAll(taskDraftKey(task.id, ''))
    if (mounted.current) go({ view: 'tasks', query: {} })
  }
  return <Confirm title={words.deleteTitle} text={words.deleteText} {...{ request, action, close }} onDone={leave} />
}

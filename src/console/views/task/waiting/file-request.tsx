/** The file that the task lacks: what is asked for, the form that uploads it, and the way to go on without it. */
import type { Pending } from '../../../api/wire.ts'
import { taskPath, post } from '../../../api/request.ts'
import { ActionNote } from '../../../parts/problem/action-note.tsx'
import { RequestButton } from '../../../parts/request-button.tsx'
import { Time } from '../../../parts/time/time.tsx'
import { TimeLeft } from '../../../parts/time/time-left.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { UploadForm } from '../files/upload-form.tsx'
import { useTask, useTaskAction } from '../task-context.tsx'

const WORDS = wordTable({
  without: ['Go on without it', '没有该文件也继续'],
  said: ['There is no such file. Go on without it.', '没有该文件，请直接继续。'],
  help: ['The task goes on by itself when the file is there.', '文件上传后任务会自动继续。'],
  until: ['The task stops waiting at', '任务将在以下时间停止等待：'],
})

export function FileRequest({ pending }: { pending: Extract<Pending, { kind: 'file' }> }) {
  const words = useWords(WORDS)
  const { task, refresh } = useTask()
  const action = useTaskAction()
  const { request_id } = pending
  const request = post(taskPath(task.id, 'input'), { input: words.said, request_id })
  return (
    <>
      <p class="said">{pending.prompt}</p>
      <UploadForm wanted={pending} onUpload={refresh} />
      <p class="soft small">{words.help}</p>
      <div class="row">
        <RequestButton
          kind="quiet"
          text={words.without}
          busy={action.busy}
          request={request}
          onClick={() => void action.run(request)}
        />
      </div>
      <ActionNote of={action} />
      {pending.expires_at !== null && (
        <p class="soft small">
          {words.until} <Time at={pending.expires_at} /> <TimeLeft until={pending.expires_at} />
        </p>
      )}
    </>
  )
}

/** The uploads of a task that is created already. Refused files can be sent again. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { UploadProgress } from '../../parts/upload-progress.tsx'
import { fragmentOf } from '../../route.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { uploadRequest } from '../../api/upload-files.ts'
import type { UploadJob } from './upload-jobs.ts'

const WORDS = wordTable({
  title: ['Putting the files', '正在上传文件'],
  made: ['The task has been made.', '任务已创建。'],
  there: [
    (count: number, all: number) => `${count} of ${all} files are there`,
    (count, all) => `已上传 ${count} / ${all} 个文件`,
  ],
  state: [
    { waiting: 'waits', sending: 'being sent …', there: 'is there', refused: 'not taken' },
    { waiting: '等待中', sending: '正在发送……', there: '已就位', refused: '未被接受' },
  ],
  some: ['Not every file was taken. The task exists, and has not begun.', '有文件未被接受。任务已经存在，尚未开始。'],
  again: ['Try again', '重试'],
  leave: ['Go on without them', '不再上传'],
  go: ['Go to the task', '前往任务'],
  put: [(name: string) => `Put ${name}`, (name) => `上传 ${name}`],
})

interface Props {
  job: UploadJob
  /** Sends the refused files again. */
  again: () => void
  /** Goes to the task without the missing files. */
  leave: () => void
}

export function UploadView({ job: { id, uploads, busy }, again, leave }: Props) {
  const words = useWords(WORDS)
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  const finished = uploads.filter(({ state }) => state === 'there').length
  const task = { view: 'task', id, tab: 'activity' } as const
  return (
    <div class="new stack">
      <h1 ref={heading} tabIndex={-1}>
        {words.title}
      </h1>
      <p>{words.made}</p>
      <output>{words.there(finished, uploads.length)}</output>
      <progress aria-label={words.title} value={finished} max={uploads.length} />
      <ul class="new-files">
        {uploads.map((upload) => (
          <li key={upload.name} class="stack new-tight">
            <div class="row">
              <code>{upload.name}</code>
              <span class="soft small">{words.state[upload.state]}</span>
              {upload.state === 'sending' && <UploadProgress share={upload.share} />}
              <span class="push">
                <CopyCurl request={uploadRequest(id, upload)} of={words.put(upload.name)} />
              </span>
            </div>
            <ProblemNote problem={upload.problem} />
          </li>
        ))}
      </ul>
      {!busy && finished < uploads.length && <p>{words.some}</p>}
      <div class="row">
        {finished < uploads.length && (
          <>
            <Button kind="main" busy={busy} onClick={again}>
              {words.again}
            </Button>
            <Button onClick={leave}>{words.leave}</Button>
          </>
        )}
        <a href={fragmentOf(task)}>{words.go}</a>
      </div>
    </div>
  )
}

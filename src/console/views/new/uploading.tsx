/** The files of a task that has been made, as they are put; what is refused can be tried again, and the task is there all the same. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { Sent } from '../../parts/sent.tsx'
import { fragmentOf } from '../../route.ts'
import { useWords } from '../../state/preferences.tsx'
import { useClient } from '../../state/session.tsx'
import { useMounted } from '../../state/use-mounted.ts'
import { go } from '../../state/use-route.ts'
import { putFiles, putOf, waiting, type Chosen, type Upload } from '../../api/put-files.ts'

const WORDS = {
  en: {
    title: 'Putting the files',
    made: 'The task has been made.',
    there: (count: number, all: number) => `${count} of ${all} files are there`,
    state: { waiting: 'waits', sending: 'being sent …', there: 'is there', refused: 'not taken' },
    some: 'Not every file was taken. The task exists, and has not begun.',
    again: 'Try again',
    go: 'Go to the task',
    put: (name: string) => `Put ${name}`,
  },
  zh: {
    title: '正在上传文件',
    made: '任务已创建。',
    there: (count: number, all: number) => `已上传 ${count} / ${all} 个文件`,
    state: { waiting: '等待中', sending: '正在发送……', there: '已就位', refused: '未被接受' },
    some: '有文件未被接受。任务已经存在，尚未开始。',
    again: '重试',
    go: '前往任务',
    put: (name: string) => `上传 ${name}`,
  },
}

export function Uploading({ id, chosen }: { id: string; chosen: readonly Chosen[] }) {
  const words = useWords(WORDS)
  const { uploads, busy, put } = useUploads(id, chosen)
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  const there = uploads.filter(({ state }) => state === 'there').length
  const task = { view: 'task', id, tab: 'activity' } as const
  return (
    <div class="new stack">
      <h1 ref={heading} tabIndex={-1}>
        {words.title}
      </h1>
      <p>{words.made}</p>
      <output>{words.there(there, uploads.length)}</output>
      <progress aria-label={words.title} value={there} max={uploads.length} />
      <ul class="new-files">
        {uploads.map((upload) => (
          <li key={upload.name} class="stack new-tight">
            <div class="row">
              <code>{upload.name}</code>
              <span class="soft small">{words.state[upload.state]}</span>
              {upload.state === 'sending' && <Sent share={upload.share} />}
              <span class="push">
                <CopyCurl request={putOf(id, upload)} of={words.put(upload.name)} />
              </span>
            </div>
            <ProblemNote problem={upload.problem} />
          </li>
        ))}
      </ul>
      {!busy && there < uploads.length && <p>{words.some}</p>}
      <div class="row">
        {there < uploads.length && (
          <Button kind="main" busy={busy} onClick={() => void put()}>
            {words.again}
          </Button>
        )}
        <a href={fragmentOf(task)}>{words.go}</a>
      </div>
    </div>
  )
}

/** Begins at once; goes to the task when all are there, unless the reader has gone elsewhere. */
function useUploads(id: string, chosen: readonly Chosen[]) {
  const client = useClient()
  const [uploads, set] = useState<readonly Upload[]>(() => chosen.map(waiting))
  const [busy, setBusy] = useState(true)
  const shown = useMounted()
  const put = async (from: readonly Upload[]) => {
    setBusy(true)
    const all = await putFiles(client, id, from, (told) => {
      if (shown.current) set(told)
    })
    if (!shown.current) return
    setBusy(false)
    if (all.every(({ state }) => state === 'there')) go({ view: 'task', id, tab: 'activity' })
  }
  const first = useRef(() => put(uploads))
  useEffect(() => {
    void first.current()
  }, [])
  return { uploads, busy, put: () => put(uploads) }
}

/** The files of the task. Their names and contents may come from models and strangers, so they are shown and never run. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { taskPath, type ApiRequest } from '../../../api/request.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { ProblemNote } from '../../../parts/problem/problem.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { useAction } from '../../../state/use-action.ts'
import { useTask } from '../task-context.tsx'
import { FileRow } from './file-row.tsx'
import { UploadForm } from './upload-form.tsx'
import { filesPage, useFiles } from './use-files.ts'
import './files.css'

const WORDS = wordTable({
  title: ['Files', '文件'],
  list: ['the list of files', '文件列表'],
  reading: ['Reading the files …', '正在读取文件……'],
  none: [
    'There are no files yet. Put a table here, or wait for what the task writes.',
    '还没有文件。可以在这里上传表格，或等任务写出文件。',
  ],
  deleted: [(name: string) => `${name} is deleted.`, (name) => `${name} 已删除。`],
  delete: [(name: string) => `Delete ${name}`, (name) => `删除 ${name}`],
  deleteText: ['It is gone for good, also for the task itself.', '删除后无法恢复，任务本身也无法再读取它。'],
})

export function FilesTab() {
  const words = useWords(WORDS)
  const { task } = useTask()
  const { files, problem, refresh } = useFiles()
  const [toDelete, setToDelete] = useState<string | null>(null)
  const [message, setMessage] = useState('')
  const names = files?.map(({ name }) => name) ?? []
  const [title, deleted] = [useRef<HTMLHeadingElement>(null), useRef<string | null>(null)]
  useLayoutEffect(() => {
    if (deleted.current === null || names.includes(deleted.current)) return
    // The button that had the focus is gone with its row.
    deleted.current = null
    title.current?.focus()
  })
  return (
    <div class="stack">
      <div class="row">
        <h2 ref={title} tabIndex={-1}>
          {words.title}
        </h2>
        <span class="push">
          <CopyCurl request={filesPage(task.id, null)} of={words.list} />
        </span>
      </div>
      <UploadForm
        onUpload={() => {
          setMessage('')
          refresh()
        }}
      />
      <ProblemNote problem={problem} />
      <output class="small">{message}</output>
      {files === null && problem === null && <p class="soft">{words.reading}</p>}
      {files?.length === 0 && <p class="soft">{words.none}</p>}
      <ul class="files">
        {files?.map((file) => (
          <FileRow key={file.name} file={file} names={names} onDelete={() => setToDelete(file.name)} />
        ))}
      </ul>
      {toDelete !== null && (
        <DeleteDialog
          name={toDelete}
          close={() => setToDelete(null)}
          onDone={() => {
            setToDelete(null)
            setMessage(words.deleted(toDelete))
            deleted.current = toDelete
            refresh()
          }}
        />
      )}
    </div>
  )
}

interface DialogProps {
  name: string
  close: () => void
  onDone: () => void
}

function DeleteDialog({ name, close, onDone }: DialogProps) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const action = useAction()
  const request: ApiRequest = { method: 'DELETE', path: taskPath(task.id, 'files', name) }
  return <Confirm title={words.delete(name)} text={words.deleteText} {...{ request, action, close, onDone }} />
}

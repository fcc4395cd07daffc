/** One file with its actions. Its preview is read when it is opened. */
import { useState } from 'preact/hooks'
import { saveFile } from '../../../api/save-file.ts'
import { get, taskPath } from '../../../api/request.ts'
import type { FileView, Problem } from '../../../api/wire.ts'
import { Button } from '../../../parts/button.tsx'
import { Copy, CopyCurl } from '../../../parts/copy.tsx'
import { Fold } from '../../../parts/fold.tsx'
import { ProblemNote } from '../../../parts/problem/problem.tsx'
import { Time } from '../../../parts/time/time.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { useClient } from '../../../state/session.tsx'
import { useTask } from '../task-context.tsx'
import { previewKindOf, sizeText } from './file-kinds.ts'
import { Preview } from './preview.tsx'

const WORDS = wordTable({
  preview: ['Preview', '预览'],
  download: ['Download', '下载'],
  downloadOf: [(name: string) => `Download ${name}`, (name) => `下载 ${name}`],
  delete: ['Delete', '删除'],
  deleteOf: [(name: string) => `Delete ${name}`, (name) => `删除 ${name}`],
  link: ['link', '链接'],
  linkOf: [
    (name: string) => `Copy the link to ${name} that needs no key for some days`,
    (name) => `复制 ${name} 的链接（数日内无需密钥）`,
  ],
})

interface Props {
  file: FileView
  /** The names of all files of the task. */
  names: readonly string[]
  onDelete: () => void
}

export function FileRow({ file, names, onDelete }: Props) {
  const words = useWords(WORDS)
  const client = useClient()
  const { task } = useTask()
  const [state, set] = useState<{ busy: boolean; problem: Problem | null }>({ busy: false, problem: null })
  const { name, content_type, size, created_at, url } = file
  const request = get(taskPath(task.id, 'files', name))
  const download = async () => {
    set({ busy: true, problem: null })
    const answer = await client.fetchFile(request.path)
    if (answer.ok) saveFile(answer.value, name)
    set({ busy: false, problem: answer.ok ? null : answer.problem })
  }
  return (
    <li class="file">
      <div class="file-line">
        <div class="file-name">
          <b>{name}</b>
          <p class="soft small number">
            {content_type.split(';', 1)[0]} · {sizeText(size)} · <Time at={created_at} seconds />
          </p>
        </div>
        <div class="row">
          <Button busy={state.busy} label={words.downloadOf(name)} onClick={() => void download()}>
            {words.download}
          </Button>
          <Button kind="danger" label={words.deleteOf(name)} onClick={onDelete}>
            {words.delete}
          </Button>
          <CopyCurl request={request} of={words.downloadOf(name)} />
          <Copy text={url} label={words.linkOf(name)}>
            {words.link}
          </Copy>
        </div>
      </div>
      <ProblemNote problem={state.problem} />
      {previewKindOf(name) !== 'none' && (
        <Fold
          title={
            <>
              {words.preview}
              <span class="aside"> {name}</span>
            </>
          }
        >
          {/* A file that was written again gets a new preview. */}
          {() => <Preview key={created_at + String(size)} name={name} size={size} names={names} />}
        </Fold>
      )}
    </li>
  )
}

/** The file of a command as a worker gets it, to be read, copied and downloaded. */
import { useEffect, useState } from 'preact/hooks'
import { get } from '../../api/request.ts'
import { saveFile } from '../../api/save-file.ts'
import type { Problem } from '../../api/wire.ts'
import { Button } from '../../parts/button.tsx'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { Markdown } from '../../parts/markdown/markdown.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { useWords } from '../../state/preferences.tsx'
import { useClient } from '../../state/session.tsx'
import { splitFrontMatter } from './report-draft.ts'

const WORDS = {
  en: {
    title: 'Command',
    text: 'The file as it is',
    copy: 'Copy',
    copyOf: 'Copy the command file',
    download: 'Download',
    file: 'the command file',
    loading: 'Reading …',
  },
  zh: {
    title: '命令',
    text: '文件原文',
    copy: '复制',
    copyOf: '复制命令文件',
    download: '下载',
    file: '命令文件',
    loading: '正在读取……',
  },
}
const MARKDOWN = { accept: 'text/markdown' }

export function CommandFile({ path, name }: { path: string; name: string }) {
  const words = useWords(WORDS)
  const client = useClient()
  const [{ text, problem }, set] = useState<{ text: string | null; problem: Problem | null }>({
    text: null,
    problem: null,
  })
  useEffect(() => {
    let isGone = false
    void client.fetchFile(path, MARKDOWN).then(async (answer) => {
      const content = answer.ok ? await answer.value.text() : null
      if (!isGone) set({ text: content, problem: answer.ok ? null : answer.problem })
    })
    return () => {
      isGone = true
    }
  }, [client, path])
  return (
    <section class="stack">
      <div class="row">
        <h3>{words.title}</h3>
        <span class="push" />
        {text !== null && (
          <>
            <Copy text={text} label={words.copyOf}>
              {words.copy}
            </Copy>
            <Button kind="quiet" onClick={() => saveFile(text, `${name}.md`)}>
              {words.download}
            </Button>
          </>
        )}
        <CopyCurl request={get(path, MARKDOWN)} of={words.file} />
      </div>
      <ProblemNote problem={problem} />
      {text === null && problem === null && <p class="soft">{words.loading}</p>}
      {text !== null && (
        <>
          <div class="delegation-file">
            <Markdown text={splitFrontMatter(text).body} />
          </div>
          <details class="small">
            <summary>{words.text}</summary>
            <pre>{text}</pre>
          </details>
        </>
      )}
    </section>
  )
}

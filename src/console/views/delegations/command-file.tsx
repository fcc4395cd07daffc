/** The file of a command as a worker gets it, to be read, copied and downloaded. */
import { get } from '../../api/request.ts'
import { saveFile } from '../../api/save-file.ts'
import { Button } from '../../parts/button.tsx'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { Markdown } from '../../parts/markdown/markdown.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useFileText } from '../../state/use-file.ts'
import { splitFrontMatter } from './report-draft.ts'

const WORDS = wordTable({
  title: ['Command', '命令'],
  text: ['The file as it is', '文件原文'],
  copy: ['Copy', '复制'],
  copyOf: ['Copy the command file', '复制命令文件'],
  download: ['Download', '下载'],
  file: ['the command file', '命令文件'],
  loading: ['Reading …', '正在读取……'],
})
const MARKDOWN = { accept: 'text/markdown' }

export function CommandFile({ path, name }: { path: string; name: string }) {
  const words = useWords(WORDS)
  const { value: text, problem } = useFileText(path, MARKDOWN)
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

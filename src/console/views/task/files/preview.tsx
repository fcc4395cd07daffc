/** Shows the content of a file by the kind of its name. Nothing of it becomes a document of this origin, and HTML stays text. */
import { taskPath } from '../../../api/request.ts'
import { Markdown } from '../../../parts/markdown/markdown.tsx'
import { Scroll } from '../../../parts/scroll.tsx'
import { TryAgain } from '../../../parts/problem/try-again.tsx'
import { useFileText } from '../../../state/use-file.ts'
import { useTask } from '../task-context.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { picturesIn, prettyJson, previewKindOf, TEXT_CHARS_MAX } from './file-kinds.ts'
import { Picture } from './picture.tsx'
import { TablePreview } from './table-preview.tsx'

const WORDS = wordTable({
  reading: ['Reading the file …', '正在读取文件……'],
  large: ['Too large to be shown here: download it.', '文件过大，无法在此预览，请下载查看。'],
  cut: ['Only its beginning is shown.', '只显示开头部分。'],
  content: [(name: string) => `Content of ${name}`, (name) => `${name} 的内容`],
})
/** A larger file would block the page. */
const PREVIEW_BYTES_MAX = 5_242_880

interface Props {
  name: string
  size: number
  names: readonly string[]
}

export function Preview({ name, size, names }: Props) {
  const words = useWords(WORDS)
  if (size > PREVIEW_BYTES_MAX) return <p class="soft">{words.large}</p>
  return previewKindOf(name) === 'image' ? <Picture name={name} /> : <TextFile name={name} names={names} />
}

function TextFile({ name, names }: Omit<Props, 'size'>) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const file = useFileText(taskPath(task.id, 'files', name))
  const { value: text } = file
  if (file.problem !== null) return <TryAgain of={file} />
  if (text === null) return <p class="soft">{words.reading}</p>
  switch (previewKindOf(name)) {
    case 'markdown':
      return (
        <div class="file-shown stack">
          <Markdown text={text} />
          {picturesIn(text, names).map((picture) => (
            <Picture key={picture} name={picture} />
          ))}
        </div>
      )
    case 'table':
      return <TablePreview text={text} name={name} />
    case 'json':
      return <PlainText name={name} text={prettyJson(text)} />
    default:
      return <PlainText name={name} text={text} />
  }
}

function PlainText({ name, text }: { name: string; text: string }) {
  const words = useWords(WORDS)
  return (
    <>
      <Scroll kind="file-text" label={words.content(name)}>
        <pre>{text.slice(0, TEXT_CHARS_MAX)}</pre>
      </Scroll>
      {text.length > TEXT_CHARS_MAX && <p class="soft small">{words.cut}</p>}
    </>
  )
}

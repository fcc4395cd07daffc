/** A file of the task as a picture. In an `<img>` an SVG runs no script and loads nothing. */
import { useEffect, useState } from 'preact/hooks'
import { taskPath } from '../../../api/request.ts'
import { TryAgain } from '../../../parts/problem/try-again.tsx'
import { useFile } from '../../../state/use-file.ts'
import { useTask } from '../task-context.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { imageTypeOf } from './file-kinds.ts'

const WORDS = wordTable({
  reading: ['Reading the picture …', '正在读取图片……'],
  broken: ['The browser cannot show this as a picture.', '浏览器无法将其显示为图片。'],
})

export function Picture({ name }: { name: string }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const file = useFile(taskPath(task.id, 'files', name))
  const { value: blob } = file
  const [url, setUrl] = useState<string | null>(null)
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    setBroken(false)
    // The name decides the type, whatever type the service sent.
    const objectUrl =
      blob === null
        ? null
        : URL.createObjectURL(new Blob([blob], { type: imageTypeOf(name) ?? 'application/octet-stream' }))
    setUrl(objectUrl)
    return () => {
      if (objectUrl !== null) URL.revokeObjectURL(objectUrl)
    }
  }, [blob, name])
  if (file.problem !== null) return <TryAgain of={file} />
  if (url === null) return <p class="soft">{words.reading}</p>
  if (isBroken) return <p class="soft">{words.broken}</p>
  return (
    <figure class="file-picture">
      <img src={url} alt={name} onError={() => setBroken(true)} />
      <figcaption class="soft small">{name}</figcaption>
    </figure>
  )
}

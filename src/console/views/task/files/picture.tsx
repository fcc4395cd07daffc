/** A file of the task as a picture. In an `<img>` nothing of an SVG runs, and nothing is loaded by it. */
import { useEffect, useState } from 'preact/hooks'
import { TryAgain } from '../../../parts/problem/try-again.tsx'
import { useWords } from '../../../state/preferences.tsx'
import { imageTypeOf } from './file-kinds.ts'
import { useFile } from './use-file.ts'

const WORDS = {
  en: { reading: 'Reading the picture …', broken: 'The browser cannot show this as a picture.' },
  zh: { reading: '正在读取图片……', broken: '浏览器无法将其显示为图片。' },
}

export function Picture({ name }: { name: string }) {
  const words = useWords(WORDS)
  const file = useFile(name)
  const { blob } = file
  const [url, show] = useState<string | null>(null)
  const [broken, setBroken] = useState(false)
  useEffect(() => {
    setBroken(false)
    // By its name, whatever it was sent as: a picture or nothing.
    const made =
      blob === null
        ? null
        : URL.createObjectURL(new Blob([blob], { type: imageTypeOf(name) ?? 'application/octet-stream' }))
    show(made)
    return () => {
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [blob, name])
  if (file.problem !== null) return <TryAgain of={file} />
  if (url === null) return <p class="soft">{words.reading}</p>
  if (broken) return <p class="soft">{words.broken}</p>
  return (
    <figure class="file-picture">
      <img src={url} alt={name} onError={() => setBroken(true)} />
      <figcaption class="soft small">{name}</figcaption>
    </figure>
  )
}

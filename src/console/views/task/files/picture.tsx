/** A file of the task as a picture. In an `<img>` nothing of an SVG runs, and nothing is loaded by it. */
import { useEffect, useState } from 'preact/hooks'
import { ofTask } from '../../../api/request.ts'
import type { Problem } from '../../../api/wire.ts'
import { ProblemNote } from '../../../parts/problem.tsx'
import { useWords } from '../../../state/preferences.tsx'
import { useClient } from '../../../state/session.tsx'
import { useTask } from '../task-context.tsx'
import { imageTypeOf } from './names.ts'

const WORDS = {
  en: { reading: 'Reading the picture …', broken: 'The browser cannot show this as a picture.' },
  zh: { reading: '正在读取图片……', broken: '浏览器无法将其显示为图片。' },
}
interface Shown {
  url: string | null
  problem: Problem | null
  broken: boolean
}
const NOTHING: Shown = { url: null, problem: null, broken: false }

export function Picture({ name }: { name: string }) {
  const words = useWords(WORDS)
  const client = useClient()
  const { task } = useTask()
  const [{ url, problem, broken }, set] = useState(NOTHING)
  useEffect(() => {
    let [gone, made]: [boolean, string | null] = [false, null]
    const read = async () => {
      const answer = await client.fetchFile(ofTask(task.id, 'files', name))
      if (gone) return
      if (!answer.ok) return set({ ...NOTHING, problem: answer.problem })
      // By its name, whatever it was sent as: a picture or nothing.
      made = URL.createObjectURL(new Blob([answer.value], { type: imageTypeOf(name) ?? 'application/octet-stream' }))
      set({ ...NOTHING, url: made })
    }
    void read()
    return () => {
      gone = true
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [client, task.id, name])
  if (problem !== null) return <ProblemNote problem={problem} />
  if (url === null) return <p class="soft">{words.reading}</p>
  if (broken) return <p class="soft">{words.broken}</p>
  return (
    <figure class="file-picture">
      <img src={url} alt={name} onError={() => set({ url, problem, broken: true })} />
      <figcaption class="soft small">{name}</figcaption>
    </figure>
  )
}

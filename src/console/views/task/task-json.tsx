/** The task as JSON, with the curl line that reads it. */
import { get, taskPath } from '../../api/request.ts'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { useWords } from '../../state/preferences.tsx'
import { useTask } from './task-context.tsx'

const WORDS = {
  en: { read: 'Read the task', copy: 'Copy the JSON', json: 'The task as JSON' },
  zh: { read: '读取任务', copy: '复制 JSON', json: '任务的 JSON' },
}

export function TaskJson() {
  const words = useWords(WORDS)
  const { task } = useTask()
  const text = JSON.stringify(task, null, 2)
  return (
    <section class="stack" aria-label={words.json}>
      <div class="row">
        <Copy text={text}>{words.copy}</Copy>
        <CopyCurl request={get(taskPath(task.id))} of={words.read} />
      </div>
      <pre>{text}</pre>
    </section>
  )
}

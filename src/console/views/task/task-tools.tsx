/** The tools that the model of the task may call, and what became of each source. They are read again when the task has changed. */
import { useEffect } from 'preact/hooks'
import { get, taskPath } from '../../api/request.ts'
import type { TaskTools } from '../../api/wire.ts'
import { CopyCurl } from '../../parts/copy.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { SourceList, ToolList, useToolCard } from '../../parts/tools/tool-list.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useResource } from '../../state/use-resource.ts'
import { useTask } from './task-context.tsx'

const WORDS = wordTable({
  title: ['Tools', '工具'],
  sources: ['Sources', '来源'],
  list: ['the tools of the task', '任务的工具'],
  reading: ['Reading the tools …', '正在读取工具……'],
  none: ['The model of this task calls no tools.', '此任务的模型不调用工具。'],
})

export function ToolsTab() {
  const words = useWords(WORDS)
  const cardOf = useToolCard()
  const { task } = useTask()
  const path = taskPath(task.id, 'tools')
  const { value, problem, refresh } = useResource<TaskTools>(path)
  useEffect(refresh, [refresh, task.version])
  return (
    <div class="stack">
      <div class="row">
        <h2>{words.title}</h2>
        <span class="push">
          <CopyCurl request={get(path)} of={words.list} />
        </span>
      </div>
      <ProblemNote problem={problem} />
      {value === null && problem === null && <p class="soft">{words.reading}</p>}
      {value !== null && value.sources.length > 0 && (
        <>
          <h3>{words.sources}</h3>
          <SourceList sources={value.sources} />
          <h3>{words.title}</h3>
        </>
      )}
      {value?.data.length === 0 && <p class="soft">{words.none}</p>}
      {value !== null && <ToolList tools={value.data.map(cardOf)} />}
    </div>
  )
}

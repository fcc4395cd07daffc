/** Tools: a form that tries those of a client before a task has them, and the tools of the service itself. */
import { get } from '../../api/request.ts'
import type { ToolList as BuiltInTools } from '../../api/wire.ts'
import { CopyCurl } from '../../parts/copy.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { ToolList } from '../../parts/tools/tool-list.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useResource } from '../../state/use-resource.ts'
import { useTitle } from '../../state/use-title.ts'
import { TrialForm } from './trial-form.tsx'

const WORDS = wordTable({
  title: ['Tools', '工具'],
  builtIn: ['Built-in tools', '内置工具'],
  what: ['What the service itself offers, with the modes that offer it.', '服务自带的工具，以及提供它们的模式。'],
  list: ['this list', '此列表'],
  loading: ['Reading …', '正在读取……'],
})
const PATH = '/tools'

export function ToolsView() {
  const words = useWords(WORDS)
  useTitle(words.title)
  const { value, problem } = useResource<BuiltInTools>(PATH)
  return (
    <div class="stack">
      <h1>{words.title}</h1>
      <TrialForm />
      <div class="row">
        <h2>{words.builtIn}</h2>
        <span class="push">
          <CopyCurl request={get(PATH)} of={words.list} />
        </span>
      </div>
      <p class="soft small">{words.what}</p>
      <ProblemNote problem={problem} />
      {value === null && problem === null && <p class="soft">{words.loading}</p>}
      {value !== null && <ToolList tools={value.data.map(({ modes, ...tool }) => ({ ...tool, signs: modes }))} />}
    </div>
  )
}

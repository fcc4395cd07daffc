/** The agents of the tenant by name, and one of them. */
import { get } from '../../api/request.ts'
import type { AgentView, Page } from '../../api/wire.ts'
import { CopyCurl } from '../../parts/copy.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { TableHead } from '../../parts/table-head.tsx'
import '../../parts/stacked-table.css'
import { asText } from '../../parse.ts'
import { fragmentOf } from '../../route.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useResource } from '../../state/use-resource.ts'
import { useTitle } from '../../state/use-title.ts'
import { modeOfAgent } from './agent-draft.ts'
import { AgentForm } from './agent-form.tsx'
import { AgentPage } from './agent-page.tsx'

const WORDS = wordTable({
  title: ['Agents', '智能体'],
  what: [
    'An agent is what tasks have in common, under a name and in versions: instructions, mode, tools, settings, input and result.',
    '智能体是多个任务的共同部分，按名称和版本保存：指令、模式、工具、设置、输入和结果。',
  ],
  list: ['this list', '此列表'],
  loading: ['Reading …', '正在读取……'],
  none: ['There is no agent yet.', '还没有智能体。'],
  name: ['Name', '名称'],
  version: ['Newest version', '最新版本'],
  mode: ['Mode', '模式'],
  description: ['Description', '说明'],
})
/** All that a tenant may have. */
const PATH = '/agents?limit=100'
const READ_AGAIN_MS = 10_000

/** `of` is the name of an agent, maybe with a version. */
export function AgentsView({ of }: { of: string | undefined }) {
  return of === undefined ? <AgentList /> : <AgentPage key={of} of={of} />
}

function AgentList() {
  const words = useWords(WORDS)
  useTitle(words.title)
  const { value, problem, refresh } = useResource<Page<AgentView>>(PATH, READ_AGAIN_MS)
  const entries = value?.data ?? []
  return (
    <div class="stack">
      <div class="row">
        <h1>{words.title}</h1>
        <CopyCurl request={get(PATH)} of={words.list} />
      </div>
      <p class="soft">{words.what}</p>
      <ProblemNote problem={problem} />
      {value === null && problem === null && <p class="soft">{words.loading}</p>}
      {value !== null && entries.length === 0 && <p class="card">{words.none}</p>}
      {entries.length > 0 && (
        <table class="stacked card">
          <TableHead columns={[words.name, words.version, words.mode, words.description]} />
          <tbody>
            {entries.map(({ name, version, definition }) => (
              <tr key={name}>
                <td>
                  <a href={fragmentOf({ view: 'agents', name })}>{name}</a>
                </td>
                <td class="number">{version}</td>
                <td>
                  <code>{modeOfAgent({ definition })}</code>
                </td>
                <td class="said">{asText(definition['description']) ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <AgentForm of={null} onDone={refresh} />
    </div>
  )
}

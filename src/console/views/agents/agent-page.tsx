/** One agent in its newest version, or in the one that the address names: its definition, its versions, and a form that makes a task. */
import { useState } from 'preact/hooks'
import type { ApiRequest } from '../../api/request.ts'
import type { AgentView } from '../../api/wire.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Fact, Facts } from '../../parts/entry/facts.tsx'
import { Fold } from '../../parts/fold.tsx'
import { JsonText } from '../../parts/entry/json-text.tsx'
import { Pager, useList } from '../../parts/list-frame.tsx'
import { ActionNote } from '../../parts/problem/action-note.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { RequestButton } from '../../parts/request-button.tsx'
import { TableHead } from '../../parts/table-head.tsx'
import { Time } from '../../parts/time/time.tsx'
import '../../parts/stacked-table.css'
import { asText } from '../../parse.ts'
import { fragmentOf } from '../../route.ts'
import { drafts } from '../../state/drafts.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useAction } from '../../state/use-action.ts'
import { useResource } from '../../state/use-resource.ts'
import { go } from '../../state/use-route.ts'
import { useTitle } from '../../state/use-title.ts'
import { agentPath, modeOfAgent, nameOfRef } from './agent-draft.ts'
import { AgentForm } from './agent-form.tsx'
import { AgentTaskForm } from './agent-task-form.tsx'

const WORDS = wordTable({
  loading: ['Reading …', '正在读取……'],
  version: ['Version', '版本'],
  newest: ['Newest version', '最新版本'],
  mode: ['Mode', '模式'],
  put: ['Put', '写入时间'],
  definition: ['Definition', '定义'],
  copy: ['Copy the JSON', '复制 JSON'],
  versions: ['Versions', '版本列表'],
  description: ['Description', '说明'],
  change: ['Put the next version', '写入新版本'],
  remove: ['Delete', '删除'],
  removeOf: [(name: string) => `Delete ${name}`, (name) => `删除 ${name}`],
  force: ['Delete it although tasks are open', '仍有未结束的任务，强制删除'],
  sure: ['It is gone then with all its versions. Its tasks stay.', '它的所有版本都会被删除，已创建的任务会保留。'],
})
const READ_AGAIN_MS = 10_000

export function AgentPage({ of }: { of: string }) {
  const words = useWords(WORDS)
  useTitle(of)
  const { value, problem, refresh } = useResource<AgentView>(agentPath(of), READ_AGAIN_MS)
  const versions = useList<AgentView>(agentPath(nameOfRef(of), '/versions'), '', READ_AGAIN_MS)
  const readAgain = () => {
    refresh()
    versions.refresh()
  }
  return (
    <div class="stack">
      <h1>{of}</h1>
      <ProblemNote problem={problem} />
      {value === null && problem === null && <p class="soft">{words.loading}</p>}
      {value !== null && (
        <>
          <AgentFacts agent={value} />
          <AgentTaskForm agent={value} of={of} />
          <JsonText title={words.definition} copy={words.copy} value={value.definition} />
          <Versions list={versions} />
          <Fold title={words.change} kind="card">
            {() => <AgentForm of={value} onDone={readAgain} />}
          </Fold>
          <Removal name={value.name} />
        </>
      )}
    </div>
  )
}

function AgentFacts({ agent: { name, version, latest, updated_at, definition } }: { agent: AgentView }) {
  const words = useWords(WORDS)
  const description = asText(definition['description'])
  return (
    <>
      {description !== null && <p class="said">{description}</p>}
      <Facts>
        <Fact name={words.version}>{version}</Fact>
        {version !== latest && (
          <Fact name={words.newest}>
            <a href={fragmentOf({ view: 'agents', name })}>{latest}</a>
          </Fact>
        )}
        <Fact name={words.mode}>
          <code>{modeOfAgent({ definition })}</code>
        </Fact>
        <Fact name={words.put}>
          <Time at={updated_at} />
        </Fact>
      </Facts>
    </>
  )
}

function Versions({ list }: { list: ReturnType<typeof useList<AgentView>> }) {
  const words = useWords(WORDS)
  const { value, problem, after, turn, place } = list
  const versions = value?.data ?? []
  return (
    <section class="stack" aria-label={words.versions} ref={place} tabIndex={-1}>
      <h2>{words.versions}</h2>
      <ProblemNote problem={problem} />
      {versions.length > 0 && (
        <table class="stacked card">
          <TableHead columns={[words.version, words.put, words.description]} />
          <tbody>
            {versions.map(({ name, version, updated_at, definition }) => (
              <tr key={version}>
                <td>
                  <a href={fragmentOf({ view: 'agents', name: `${name}@${version}` })}>{`${name}@${version}`}</a>
                </td>
                <td>
                  <Time at={updated_at} />
                </td>
                <td class="said">{asText(definition['description']) ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Pager
        after={after}
        next={value?.next_cursor ?? null}
        onTurn={(next) => {
          turn({ status: '', after: next })
          place.current?.focus()
        }}
      />
    </section>
  )
}

/** Deletes after a question. If tasks of the agent are open the service refuses, and a second button forces it. */
function Removal({ name }: { name: string }) {
  const words = useWords(WORDS)
  const [isAsking, setAsking] = useState(false)
  const [action, force] = [useAction(), useAction()]
  const request: ApiRequest = { method: 'DELETE', path: agentPath(name) }
  const forced: ApiRequest = { ...request, path: agentPath(name, '?force=true') }
  const onDone = () => {
    // Nobody could come back to what was typed for it.
    drafts.drop(`agent-input:${name}`)
    for (const start of [`agent:${name}@`, `agent-input:${name}@`]) drafts.dropAll(start)
    go({ view: 'agents' })
  }
  const close = () => {
    setAsking(false)
    action.clear()
    force.clear()
  }
  const forceIt = async () => {
    const answer = await force.run(forced)
    if (answer?.ok === true) onDone()
  }
  return (
    <>
      <div>
        <Button kind="danger" label={words.removeOf(name)} onClick={() => setAsking(true)}>
          {words.remove}
        </Button>
      </div>
      {isAsking && (
        <Confirm title={words.removeOf(name)} text={words.sure} {...{ request, action, onDone, close }}>
          {action.problem?.code === 'agent_in_use' && (
            <div class="row">
              <RequestButton
                kind="danger"
                text={words.force}
                busy={force.busy}
                request={forced}
                onClick={() => void forceIt()}
              />
            </div>
          )}
          <ActionNote of={force} />
        </Confirm>
      )}
    </>
  )
}

/** The secrets of the tenant: their names, hosts and last uses, a form that puts one, and a button that deletes one. */
import { useRef, useState } from 'preact/hooks'
import { get, type ApiRequest } from '../../api/request.ts'
import type { Page, SecretView } from '../../api/wire.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { TableHead } from '../../parts/table-head.tsx'
import { Time } from '../../parts/time/time.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useAction } from '../../state/use-action.ts'
import { useResource } from '../../state/use-resource.ts'
import { useTitle } from '../../state/use-title.ts'
import { SecretForm, useSecretDraft } from './secret-form.tsx'
import '../../parts/stacked-table.css'

const WORDS = wordTable({
  title: ['Secrets', '密钥'],
  what: [
    'A secret is a value that tools authenticate themselves with. Headers name it as secret:NAME. It is stored sealed, sent to its hosts only, and never shown again.',
    '密钥是工具用于验证身份的值，请求头以 secret:名称 引用它。它加密存储，只发送到指定的主机，并且不会再次显示。',
  ],
  list: ['this list', '此列表'],
  loading: ['Reading …', '正在读取……'],
  none: ['There is no secret yet.', '还没有密钥。'],
  name: ['Name', '名称'],
  hosts: ['Hosts', '主机'],
  updated: ['Last put', '最近写入'],
  used: ['Last used', '最近使用'],
  never: ['never', '从未'],
  action: ['Action', '操作'],
  replace: ['Replace', '替换'],
  replaceOf: [(name: string) => `Replace ${name}`, (name) => `替换 ${name}`],
  remove: ['Delete', '删除'],
  removeOf: [(name: string) => `Delete ${name}`, (name) => `删除 ${name}`],
  sure: [
    'Calls that name it fail from then on, also in tasks that are under way. Its value cannot be read back.',
    '此后引用它的调用都会失败，包括正在进行的任务。它的值无法取回。',
  ],
})
/** All that a tenant may have. */
const PATH = '/secrets?limit=100'
/** A use changes an entry without a request of this page. */
const READ_AGAIN_MS = 10_000

export function SecretsView() {
  const words = useWords(WORDS)
  useTitle(words.title)
  const { value, problem, refresh } = useResource<Page<SecretView>>(PATH, READ_AGAIN_MS)
  const [removed, setRemoved] = useState<string | null>(null)
  const place = useRef<HTMLDivElement>(null)
  const draft = useSecretDraft()
  const replace = ({ name, hosts }: SecretView) => {
    draft.change(() => ({ name, hosts: hosts.join(' ') }))
    place.current?.querySelector<HTMLInputElement>('input[type=password]')?.focus()
  }
  const entries = value?.data ?? []
  return (
    <div class="stack" ref={place} tabIndex={-1}>
      <h1>{words.title}</h1>
      <p class="soft">{words.what}</p>
      <SecretForm onDone={refresh} />
      <div class="row">
        <CopyCurl request={get(PATH)} of={words.list} />
      </div>
      <ProblemNote problem={problem} />
      {value === null && problem === null && <p class="soft">{words.loading}</p>}
      {value !== null && entries.length === 0 && <p class="card">{words.none}</p>}
      {entries.length > 0 && <Table entries={entries} onReplace={replace} onRemove={setRemoved} />}
      {removed !== null && (
        <Removal
          name={removed}
          close={() => setRemoved(null)}
          onDone={() => {
            setRemoved(null)
            refresh()
            // The button that had the focus is gone.
            place.current?.focus()
          }}
        />
      )}
    </div>
  )
}

interface TableProps {
  entries: SecretView[]
  onReplace: (secret: SecretView) => void
  onRemove: (name: string) => void
}

function Table({ entries, onReplace, onRemove }: TableProps) {
  const words = useWords(WORDS)
  return (
    <table class="stacked card">
      <TableHead columns={[words.name, words.hosts, words.updated, words.used, words.action]} />
      <tbody>
        {entries.map((secret) => (
          <tr key={secret.name}>
            <td>
              <code>{secret.name}</code>
            </td>
            <td>{secret.hosts.join(' ')}</td>
            <td>
              <Time at={secret.updated_at} />
            </td>
            <td>{secret.last_used_at === null ? words.never : <Time at={secret.last_used_at} />}</td>
            <td>
              <Actions name={secret.name} onReplace={() => onReplace(secret)} onRemove={() => onRemove(secret.name)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface ActionProps {
  name: string
  onReplace: () => void
  onRemove: () => void
}

function Actions({ name, onReplace, onRemove }: ActionProps) {
  const words = useWords(WORDS)
  return (
    <div class="row">
      <Button label={words.replaceOf(name)} onClick={onReplace}>
        {words.replace}
      </Button>
      <Button kind="quiet" label={words.removeOf(name)} onClick={onRemove}>
        {words.remove}
      </Button>
    </div>
  )
}

function Removal({ name, onDone, close }: { name: string; onDone: () => void; close: () => void }) {
  const words = useWords(WORDS)
  const action = useAction()
  const request: ApiRequest = { method: 'DELETE', path: `/secrets/${encodeURIComponent(name)}` }
  return <Confirm title={words.removeOf(name)} text={words.sure} {...{ request, action, onDone, close }} />
}

/** The form that puts a secret. Name and hosts stay when the view is left. The value does not, and no curl line has it. */
import { useRef, useState } from 'preact/hooks'
import type { ApiRequest } from '../../api/request.ts'
import { RequestButton } from '../../parts/request-button.tsx'
import { handleSubmit, InputField } from '../../parts/form.tsx'
import { ActionNote } from '../../parts/problem/action-note.tsx'
import { useDraft } from '../../state/drafts.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useAction } from '../../state/use-action.ts'

const WORDS = wordTable({
  form: ['Put a secret', '写入密钥'],
  name: ['Name', '名称'],
  nameHelp: ['1 to 64 of A-Z a-z 0-9 _ -', '1 至 64 个字符：A-Z a-z 0-9 _ -'],
  value: ['Value', '值'],
  valueHelp: ['8 to 8,192 characters. It cannot be read back.', '8 至 8,192 个字符，之后无法取回。'],
  hosts: ['Hosts', '主机'],
  hostsHelp: [
    'host or host:port, with blanks between them: api.example.com auth.example.com:8443',
    '主机，或 主机:端口，以空格分隔：api.example.com auth.example.com:8443',
  ],
  put: ['Put the secret', '写入密钥'],
  done: [(name: string) => `${name} is stored.`, (name) => `${name} 已保存。`],
})

const NO_SECRET = { name: '', hosts: '' }
export const useSecretDraft = () => useDraft('secret', NO_SECRET)

/** Stands for the value in the curl line. */
const YOUR_VALUE = '…'

export function SecretForm({ onDone }: { onDone: () => void }) {
  const words = useWords(WORDS)
  const draft = useSecretDraft()
  const [value, setValue] = useState('')
  const [done, setDone] = useState('')
  const action = useAction()
  const first = useRef<HTMLInputElement>(null)
  const { name, hosts } = draft.value
  const requestWith = (secret: string): ApiRequest => ({
    method: 'PUT',
    path: `/secrets/${encodeURIComponent(name)}`,
    json: { value: secret, hosts: hosts.split(/[\s,]+/).filter((host) => host !== '') },
  })
  const submit = async () => {
    setDone('')
    const answer = await action.run(requestWith(value))
    if (answer?.ok !== true) return
    setDone(name)
    setValue('')
    draft.clear()
    first.current?.focus()
    onDone()
  }
  const plain = { autocomplete: 'off', autocapitalize: 'off', spellcheck: false, required: true } as const
  const change = (part: keyof typeof NO_SECRET) => (text: string) => draft.change((now) => ({ ...now, [part]: text }))
  return (
    <form class="card stack" aria-label={words.form} onSubmit={handleSubmit(() => void submit())}>
      <InputField
        {...plain}
        label={words.name}
        help={words.nameHelp}
        value={name}
        change={change('name')}
        maxLength={64}
        focus={first}
      />
      <InputField
        {...plain}
        type="password"
        label={words.value}
        help={words.valueHelp}
        value={value}
        change={setValue}
        maxLength={8192}
      />
      <InputField {...plain} label={words.hosts} help={words.hostsHelp} value={hosts} change={change('hosts')} />
      <div class="row">
        <RequestButton
          type="submit"
          kind="main"
          text={words.put}
          busy={action.busy}
          request={name === '' ? null : requestWith(YOUR_VALUE)}
        />
        <output class="small">{done === '' ? '' : words.done(done)}</output>
      </div>
      <ActionNote of={action} />
    </form>
  )
}

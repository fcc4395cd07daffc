/** The field for an API key, which is tried before it is stored. */
import { useState } from 'preact/hooks'
import { clientOf } from '../../api/client.ts'
import { keyCredential } from '../../api/credential.ts'
import { get } from '../../api/request.ts'
import type { Problem } from '../../api/wire.ts'
import { Button } from '../../parts/button.tsx'
import { handleSubmit, InputField } from '../../parts/form.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useSession } from '../../state/session.tsx'

const WORDS = wordTable({
  key: ['API key', 'API 密钥'],
  help: [
    'Kept by this tab alone until it is closed. npm start prints the key of development.',
    '只保存在本标签页，关闭即消失。npm start 会打印开发用的密钥。',
  ],
  enter: ['Enter', '进入'],
  empty: ['Enter a key.', '请输入密钥。'],
  strange: ['No key has such characters: a request cannot carry them.', '密钥不会含有这样的字符：请求无法携带它们。'],
  wrong: ['The service does not know this key.', '服务不认识这个密钥。'],
  refused: ['The service does not take the key any more. Enter it again.', '服务不再接受该密钥，请重新输入。'],
  worker: [
    'This key may only work on delegations; the console needs one of the tenant.',
    '这个密钥只能处理委派；控制台需要租户的密钥。',
  ],
})

/** The characters that a header of a request can have. */
const HEADER_TEXT = /^[\x20-\x7e\xa0-\xff]+$/

/** `isSecond`: a login is the usual way here, and stands above. */
export function KeyForm({ isSecond }: { isSecond: boolean }) {
  const { enter, refused } = useSession()
  const words = useWords(WORDS)
  const [key, setKey] = useState('')
  const [state, set] = useState<{ busy: boolean; error: string | null; problem: Problem | null }>({
    busy: false,
    error: refused === 'key' ? words.refused : null,
    problem: null,
  })
  const submit = async () => {
    const entered = key.trim()
    if (entered === '') return set({ busy: false, error: words.empty, problem: null })
    if (!HEADER_TEXT.test(entered)) return set({ busy: false, error: words.strange, problem: null })
    set({ busy: true, error: null, problem: null })
    const answer = await clientOf(keyCredential(entered), () => undefined).send(get('/tasks?limit=1'))
    if (answer.ok) return enter(entered)
    const { code } = answer.problem
    const error = code === 'unauthorized' ? words.wrong : code === 'worker_key' ? words.worker : null
    set({ busy: false, error, problem: error === null ? answer.problem : null })
  }
  return (
    <form class="stack" onSubmit={handleSubmit(submit)}>
      <InputField
        label={words.key}
        help={words.help}
        error={state.error}
        type="password"
        autocomplete="off"
        spellcheck={false}
        value={key}
        change={setKey}
      />
      <ProblemNote problem={state.problem} />
      <div class="row">
        <Button kind={isSecond ? 'plain' : 'main'} type="submit" busy={state.busy}>
          {words.enter}
        </Button>
      </div>
    </form>
  )
}

/** The form that puts an agent, or the next version of the one that is shown. The service checks the definition. */
import { useState } from 'preact/hooks'
import type { AgentView } from '../../api/wire.ts'
import { handleSubmit, InputField, TextAreaField } from '../../parts/form.tsx'
import { ActionNote } from '../../parts/problem/action-note.tsx'
import { serviceErrorAt, serviceErrorBeside } from '../../parts/problem/field-errors.ts'
import { RequestButton } from '../../parts/request-button.tsx'
import { useDraft } from '../../state/drafts.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useAction } from '../../state/use-action.ts'
import { draftOfAgent, NO_AGENT, putAgentRequest, type AgentDraft } from './agent-draft.ts'

const WORDS = wordTable({
  form: ['Put an agent', '写入智能体'],
  name: ['Name', '名称'],
  nameHelp: [
    '1 to 64 of A-Z a-z 0-9 _ -. An agent of this name gets its next version.',
    '1 至 64 个字符：A-Z a-z 0-9 _ -。同名的智能体会得到新版本。',
  ],
  definition: ['Definition as JSON', '定义（JSON）'],
  definitionHelp: [
    'Such as {"goal": "Add the todo \\"buy {{what}}\\"", "instructions": "Be brief.", "settings": {"max_steps": 10}}',
    '例如 {"goal": "添加待办：买 {{what}}", "instructions": "简短作答。", "settings": {"max_steps": 10}}',
  ],
  json: ['This is no JSON object.', '这不是 JSON 对象。'],
  put: ['Put the agent', '写入智能体'],
  done: [(ref: string) => `${ref} is stored.`, (ref) => `${ref} 已保存。`],
})
const NAME = '/name'

/** `of` null: the form puts an agent under any name. */
export function AgentForm({ of, onDone }: { of: AgentView | null; onDone: () => void }) {
  const words = useWords(WORDS)
  const draft = useDraft(
    of === null ? 'agent' : `agent:${of.name}@${of.version}`,
    of === null ? NO_AGENT : draftOfAgent(of),
  )
  const [done, setDone] = useState('')
  const [isUnread, setUnread] = useState(false)
  const action = useAction()
  const { name, definition } = draft.value
  // What is put over an earlier version replaces the newest one knowingly.
  const etag = of !== null && of.version === of.latest ? of.etag : null
  const request = putAgentRequest(draft.value, etag)
  const submit = async () => {
    setDone('')
    action.clear()
    setUnread(request === null)
    if (request === null) return
    const answer = await action.run<AgentView>(request)
    if (answer?.ok !== true) return
    setDone(`${answer.value.name}@${answer.value.version}`)
    draft.clear()
    onDone()
  }
  const change = (part: Partial<AgentDraft>) => draft.change((now) => ({ ...now, ...part }))
  return (
    <form class="card stack" aria-label={words.form} onSubmit={handleSubmit(() => void submit())}>
      {of === null && (
        <InputField
          label={words.name}
          help={words.nameHelp}
          error={serviceErrorAt(action.problem, NAME)}
          autocomplete="off"
          spellcheck={false}
          required
          maxLength={64}
          value={name}
          change={(text) => change({ name: text })}
        />
      )}
      <TextAreaField
        label={words.definition}
        help={words.definitionHelp}
        error={isUnread ? words.json : serviceErrorBeside(action.problem, [NAME])}
        class="json"
        rows={10}
        spellcheck={false}
        value={definition}
        change={(text) => change({ definition: text })}
      />
      <div class="row">
        <RequestButton
          type="submit"
          kind="main"
          text={words.put}
          busy={action.busy}
          request={name === '' ? null : request}
        />
        <output class="small">{done === '' ? '' : words.done(done)}</output>
      </div>
      <ActionNote of={action} />
    </form>
  )
}

/** The form that makes a task by an agent, and opens it. The input stays while the view is left. */
import { useState } from 'preact/hooks'
import type { AgentView, TaskView } from '../../api/wire.ts'
import { handleSubmit, TextAreaField } from '../../parts/form.tsx'
import { ActionNote } from '../../parts/problem/action-note.tsx'
import { serviceErrorBeside } from '../../parts/problem/field-errors.ts'
import { RequestButton } from '../../parts/request-button.tsx'
import { drafts, useDraft } from '../../state/drafts.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useAction } from '../../state/use-action.ts'
import { useMounted } from '../../state/use-mounted.ts'
import { go } from '../../state/use-route.ts'
import { agentTaskRequest, inputTextFor } from './agent-draft.ts'

const WORDS = wordTable({
  make: ['Make a task', '创建任务'],
  input: ['Input as JSON', '输入（JSON）'],
  help: ['It is checked by input_schema. Empty: none.', '按 input_schema 校验。留空：没有输入。'],
  json: ['This is no JSON object.', '这不是 JSON 对象。'],
})

/** `of` names the agent, maybe with a version. */
export function AgentTaskForm({ agent, of }: { agent: AgentView; of: string }) {
  const words = useWords(WORDS)
  const draft = useDraft(`agent-input:${of}`, { input: inputTextFor(agent) })
  const [isUnread, setUnread] = useState(false)
  const action = useAction()
  const mounted = useMounted()
  const request = agentTaskRequest(of, draft.value.input)
  const make = async () => {
    action.clear()
    setUnread(request === null)
    if (request === null) return
    const owner = drafts.owner()
    const answer = await action.run<TaskView>(request)
    // The view does not follow a task of a key that was forgotten meanwhile, and a reader who has left stays where they are.
    if (answer?.ok !== true || owner !== drafts.owner()) return
    draft.clear()
    if (mounted.current) go({ view: 'task', id: answer.value.id, tab: 'activity' })
  }
  return (
    <form class="card stack" aria-label={words.make} onSubmit={handleSubmit(() => void make())}>
      <TextAreaField
        label={words.input}
        help={words.help}
        error={isUnread ? words.json : serviceErrorBeside(action.problem, [])}
        class="json"
        rows={4}
        spellcheck={false}
        value={draft.value.input}
        change={(input) => draft.change(() => ({ input }))}
      />
      <div class="row">
        <RequestButton type="submit" kind="main" text={words.make} busy={action.busy} request={request} />
      </div>
      <ActionNote of={action} />
    </form>
  )
}

/** The editor of the unfinished items of a plan. It shows changes of the plan that happen meanwhile, and resolves conflicts with them. */
import { useRef, useState } from 'preact/hooks'
import { taskPath, get, type ApiRequest } from '../../../api/request.ts'
import type { TaskView } from '../../../api/wire.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { handleSubmit } from '../../../parts/form.tsx'
import { ProblemNote } from '../../../parts/problem/problem.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { useClient } from '../../../state/session.tsx'
import { useTask, useTaskAction } from '../task-context.tsx'
import { ChangesList } from './changes-list.tsx'
import { isUnchanged, planChanges, type PlanChanges } from './changes.ts'
import { PlanConflict } from './conflict.tsx'
import { finishedIn } from './finished-items.ts'
import { editOf, isTouched, findUntitled, type PlanDraft } from './plan-draft.ts'
import { EditorItems } from './editor-items.tsx'
import { rebase } from './rebase.ts'
import './editor.css'

const WORDS = wordTable({
  save: ['Save plan', '保存计划'],
  leave: ['Discard my changes', '放弃我的修改'],
  close: ['Close the editor', '关闭编辑器'],
  meanwhile: ['The plan has changed since you began:', '您开始编辑以来，计划有了变化：'],
  untitled: ['Each item needs a title.', '每个条目都需要标题。'],
})

interface Props {
  draft: PlanDraft
  set: (draft: PlanDraft) => void
  /** `isWaiting`: the edit waits until the running effect ends. */
  close: (isWaiting: boolean) => void
}

export function Editor({ draft, set, close }: Props) {
  const { task, events, etag } = useTask()
  const save = useSave(close)
  const form = useRef<HTMLFormElement>(null)
  const [hasError, setError] = useState(false)
  const finished = finishedIn(events, task.plan.items, task.version)
  const changes = planChanges(draft.base, task.plan.items, finished)
  // If the plan has not changed since, the edit applies to the latest version of the task.
  const mine = isUnchanged(changes) ? { ...draft, etag } : draft
  const rebasedDraft = rebase(draft, { items: task.plan.items, etag }, finished)
  const empty = findUntitled(draft.items)
  const submit = () => {
    setError(empty !== null)
    if (empty === null) void save.send(mine)
    else form.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(empty.key)}"] input`)?.focus()
  }
  const rebaseAnd = (act: (draft: PlanDraft) => void) => () => {
    set(rebasedDraft)
    act(rebasedDraft)
  }
  return (
    <form ref={form} class="plan-editor stack" onSubmit={handleSubmit(submit)}>
      <ChangesSince changes={isUnchanged(changes) || save.isStale ? null : changes} />
      {save.isStale ? (
        <PlanConflict
          mine={rebasedDraft.items}
          theirs={task.plan.items}
          finished={changes.finished}
          busy={save.busy}
          keep={rebaseAnd((draft) => void save.send(draft))}
          take={() => close(false)}
          edit={rebaseAnd(save.resolve)}
          request={requestOf(task.id, rebasedDraft)}
        />
      ) : (
        <EditorItems fixed={task.plan.items} items={draft.items} set={(items) => set({ ...draft, items })} />
      )}
      {hasError && empty !== null && <UntitledError />}
      <ProblemNote problem={save.problem} />
      {!save.isStale && (
        <EditorButtons request={requestOf(task.id, mine)} draft={draft} busy={save.busy} leave={() => close(false)} />
      )}
    </form>
  )
}

/** The changes of the plan during the edit. A screen reader reads them out. */
function ChangesSince({ changes }: { changes: PlanChanges | null }) {
  const words = useWords(WORDS)
  return (
    <div aria-live="polite" class="plan-meanwhile">
      {changes !== null && (
        <>
          <p>{words.meanwhile}</p>
          <ChangesList changes={changes} />
        </>
      )}
    </div>
  )
}

function UntitledError() {
  return (
    <p class="field-error" role="alert">
      {useWords(WORDS).untitled}
    </p>
  )
}

interface EditorButtonsProps {
  request: ApiRequest
  draft: PlanDraft
  busy: boolean
  leave: () => void
}

function EditorButtons({ request, draft, busy, leave }: EditorButtonsProps) {
  const words = useWords(WORDS)
  return (
    <div class="row">
      <Button kind="main" type="submit" busy={busy}>
        {words.save}
      </Button>
      <Button onClick={leave}>{isTouched(draft) ? words.leave : words.close}</Button>
      <span class="push">
        <CopyCurl request={request} of={words.save} />
      </span>
    </div>
  )
}

const requestOf = (id: string, draft: PlanDraft): ApiRequest => ({
  method: 'PATCH',
  path: taskPath(id, 'plan'),
  json: editOf(draft),
  ...(draft.etag === null ? {} : { headers: { 'if-match': draft.etag } }),
})

/** Sends the edit. An edit of an older plan is stale until the reader has resolved the conflict. */
function useSave(close: Props['close']) {
  const { task, accept } = useTask()
  const client = useClient()
  const action = useTaskAction()
  const [isStale, setStale] = useState(false)
  const { revision } = task.plan
  return {
    busy: action.busy,
    problem: action.problem,
    isStale,
    resolve() {
      setStale(false)
      action.clear()
    },
    async send(draft: PlanDraft) {
      const answer = await action.run(requestOf(task.id, draft))
      if (answer === null) return
      if (answer.ok) return close(waitsForEffect(answer.value, revision, draft))
      if (answer.problem.code !== 'precondition_failed') return
      // The other version is read before both are shown.
      const latest = await client.send<TaskView>(get(taskPath(task.id)))
      if (latest.ok) accept(latest.value, latest.headers.get('etag'))
      setStale(true)
    },
  }
}

/** While an effect runs, the service answers an edit with the unchanged plan. */
const waitsForEffect = ({ slice, plan }: TaskView, revision: number, draft: PlanDraft) =>
  slice?.advanced === false && plan.revision === revision && isTouched(draft)

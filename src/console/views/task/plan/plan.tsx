/** The card of the plan: its items with their progress, and the editor. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { hasEnded } from '../../../api/live-state.ts'
import { traitsOf } from '../../../api/mode-traits.ts'
import type { ModeName, TaskView } from '../../../api/wire.ts'
import { Bar } from '../../../parts/bar.tsx'
import { Button } from '../../../parts/button.tsx'
import { StatusMark } from '../../../parts/status.tsx'
import { taskDraftKey, useDraft } from '../../../state/drafts.ts'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { useTask } from '../task-context.tsx'
import { isOpen } from './changes.ts'
import { draftOf, isTouched, type PlanDraft } from './plan-draft.ts'
import { earlierItems } from './finished-items.ts'
import { Editor } from './editor.tsx'
import { PlanList } from './plan-list.tsx'
import './plan.css'

const EMPTY: readonly [string, string] = ['The plan has no items.', '计划里没有条目。']
const WORDS = wordTable({
  plan: ['Plan', '计划'],
  edit: ['Edit plan', '编辑计划'],
  done: ['Finished items', '已结束的条目'],
  earlier: [(count: number) => `Finished before this revision: ${count}`, (count) => `此前版本中已结束：${count} 项`],
  revision: [(revision: number) => `revision ${revision}`, (revision) => `第 ${revision} 版`],
  iterations: [(count: number) => `${count} replies with tool calls`, (count) => `${count} 次带工具调用的回复`],
  follows: ['Your edit follows when the running effect is done.', '正在执行的操作结束后，您的修改就会生效。'],
  empty: EMPTY,
  none: ['No plan was made.', '没有制定过计划。'],
})
/** What stands in the place of the first plan while there is none. */
const NO_PLAN_YET = wordTable<Record<ModeName, string>>({
  plan_execute: EMPTY,
  dynamic: EMPTY,
  session: [
    'No plan yet: a session makes one with its first tools, if it needs one at all.',
    '还没有计划：会话在第一次使用工具时才会制定计划，也可能不需要计划。',
  ],
  autonomous: [
    'No plan yet: the model has not written down its first tasks.',
    '还没有计划：模型还没有写下它的第一批任务。',
  ],
  orchestrator: EMPTY,
})
/** The words for the sources of a plan. Other names are shown as they are. */
const SOURCES = wordTable<Record<string, string>>({
  plan: ['plan', '首次计划'],
  replan: ['replan', '重新计划'],
  edit: ['edited by hand', '手工编辑'],
  declared: ['declared by the model', '模型声明'],
  template: ['from a template', '来自模板'],
  tasks: ['tasks of the model', '模型的任务'],
})

export function PlanCard() {
  const { task, etag } = useTask()
  const words = useWords(WORDS)
  const { draft, set } = usePlanDraft(task.id)
  // While an edit waits for an effect, this is the revision that it will replace.
  const [awaited, setAwaited] = useState<number | null>(null)
  const box = useRef<HTMLElement>(null)
  const wasEditing = useRef(draft !== null)
  useLayoutEffect(() => {
    // After the editor closes, the button that opened it gets the focus.
    if (wasEditing.current && draft === null) box.current?.querySelector<HTMLElement>('.plan-edit button')?.focus()
    // The button that opened the editor is gone, so its first field gets the focus.
    if (!wasEditing.current && draft !== null) box.current?.querySelector<HTMLElement>('input, textarea')?.focus()
    wasEditing.current = draft !== null
  }, [draft])
  const { items, revision } = task.plan
  return (
    <section ref={box} class="plan card stack" aria-labelledby="plan-title">
      <div class="row">
        <h2 id="plan-title">{words.plan}</h2>
        <PlanFacts task={task} />
        {draft === null && isEditable(task) && (
          <span class="push plan-edit">
            <Button onClick={() => set(draftOf(items, etag))}>{words.edit}</Button>
          </span>
        )}
      </div>
      <output class="plan-follows">{awaited === revision && !hasEnded(task) ? words.follows : ''}</output>
      {draft === null ? (
        <PlanView task={task} />
      ) : (
        <Editor
          draft={draft}
          set={set}
          close={(isWaiting) => {
            setAwaited(isWaiting ? revision : null)
            set(null)
          }}
        />
      )}
    </section>
  )
}

/** The key of the draft of an edit. */
export const planDraftKey = (task: string) => taskDraftKey(task, 'plan')

/** Stores a changed draft, so that it stays when the view is left. An editor without changes closes then. */
function usePlanDraft(id: string): { draft: PlanDraft | null; set: (draft: PlanDraft | null) => void } {
  const stored = useDraft<PlanDraft | null>(planDraftKey(id), null)
  const [untouched, setUntouched] = useState<PlanDraft | null>(null)
  return {
    draft: stored.value ?? untouched,
    set(draft) {
      const isChanged = draft !== null && isTouched(draft)
      stored.change(() => (isChanged ? draft : null))
      setUntouched(isChanged ? null : draft)
    },
  }
}

function PlanFacts({ task: { plan } }: { task: TaskView }) {
  const words = useWords(WORDS)
  const sources = useWords(SOURCES)
  return (
    <span class="soft small">
      {words.revision(plan.revision)} · {sources[plan.source] ?? plan.source}
    </span>
  )
}

function PlanView({ task }: { task: TaskView }) {
  const words = useWords(WORDS)
  const { items, goal, status, iteration_count } = task.plan
  const { reopens } = traitsOf(task.mode)
  // Finished items leave a plan that is made again, so they are counted beside the open ones.
  const open = items.filter(isOpen).length
  const finished = reopens ? items.length - open : task.plan.finished_count
  return (
    <>
      {goal !== undefined && (
        <div class="small">
          <p class="plan-goal">{goal}</p>
          {status !== undefined && <StatusMark of={status} />}{' '}
          {iteration_count !== undefined && <span class="soft">{words.iterations(iteration_count)}</span>}
        </div>
      )}
      {items.length === 0 ? (
        <p class="soft">
          <NoItems task={task} />
        </p>
      ) : (
        <>
          <Bar
            isProgress
            used={finished}
            max={finished + open}
            label={words.done}
            text={`${finished} / ${finished + open}`}
          />
          <PlanList items={items} cursor={task.plan.cursor} />
        </>
      )}
      {/* Each run of a task that reopens has a plan of its own. */}
      {!reopens && <EarlierItems plan={task.plan} />}
    </>
  )
}

/** The finished items that the plan does not list any more, with what came of them. */
function EarlierItems({ plan }: Pick<TaskView, 'plan'>) {
  const words = useWords(WORDS)
  const { earlier, count } = earlierItems(plan)
  if (earlier.length === 0) return null
  return (
    <details class="small">
      <summary class="soft">{words.earlier(count)}</summary>
      <ul class="plan-earlier">
        {earlier.map(({ id, title, status, result }) => (
          <li key={id}>
            {title} <StatusMark of={status} />
            {result !== null && <p class="soft said">{result}</p>}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** A mode that plans while it works has no plan to edit at first. */
const isEditable = (task: TaskView) => !hasEnded(task) && (task.plan.items.length > 0 || traitsOf(task.mode).plansFirst)

function NoItems({ task }: { task: TaskView }) {
  const words = useWords(WORDS)
  const noPlanYet = useWords(NO_PLAN_YET)
  if (task.plan.revision > 0) return <>{words.empty}</>
  return <>{hasEnded(task) ? words.none : noPlanYet[task.mode]}</>
}

/** The card of the plan: its items with their progress, and the editor. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { hasEnded } from '../../../api/live-state.ts'
import { traitsOf } from '../../../api/mode-traits.ts'
import type { Locale, ModeName, TaskView } from '../../../api/wire.ts'
import { Bar } from '../../../parts/bar.tsx'
import { Button } from '../../../parts/button.tsx'
import { StatusMark } from '../../../parts/status.tsx'
import { taskDraftKey, useDraft } from '../../../state/drafts.ts'
import { useWords } from '../../../state/preferences.tsx'
import { useTask } from '../task-context.tsx'
import { isOpen } from './changes.ts'
import { draftOf, isTouched, type PlanDraft } from './plan-draft.ts'
import { earlierItems } from './finished-items.ts'
import { Editor } from './editor.tsx'
import { PlanList } from './plan-list.tsx'
import './plan.css'

const EMPTY = { en: 'The plan has no items.', zh: '计划里没有条目。' }
const WORDS = {
  en: {
    plan: 'Plan',
    edit: 'Edit plan',
    done: 'Finished items',
    earlier: (count: number) => `Finished before this revision: ${count}`,
    revision: (revision: number) => `revision ${revision}`,
    iterations: (count: number) => `${count} replies with tool calls`,
    follows: 'Your edit follows when the running effect is done.',
    empty: EMPTY.en,
    none: 'No plan was made.',
  },
  zh: {
    plan: '计划',
    edit: '编辑计划',
    done: '已结束的条目',
    earlier: (count: number) => `此前版本中已结束：${count} 项`,
    revision: (revision: number) => `第 ${revision} 版`,
    iterations: (count: number) => `${count} 次带工具调用的回复`,
    follows: '正在执行的操作结束后，您的修改就会生效。',
    empty: EMPTY.zh,
    none: '没有制定过计划。',
  },
}
/** What stands in the place of the first plan while there is none. */
const NO_PLAN_YET: Record<Locale, Record<ModeName, string>> = {
  en: {
    plan_execute: EMPTY.en,
    dynamic: EMPTY.en,
    session: 'No plan yet: a session makes one with its first tools, if it needs one at all.',
    autonomous: 'No plan yet: the model has not written down its first tasks.',
    orchestrator: EMPTY.en,
  },
  zh: {
    plan_execute: EMPTY.zh,
    dynamic: EMPTY.zh,
    session: '还没有计划：会话在第一次使用工具时才会制定计划，也可能不需要计划。',
    autonomous: '还没有计划：模型还没有写下它的第一批任务。',
    orchestrator: EMPTY.zh,
  },
}
/** The words for the sources of a plan. Other names are shown as they are. */
const SOURCES: { en: Record<string, string>; zh: Record<string, string> } = {
  en: {
    edit: 'edited by hand',
    declared: 'declared by the model',
    template: 'from a template',
    tasks: 'tasks of the model',
  },
  zh: {
    plan: '首次计划',
    replan: '重新计划',
    edit: '手工编辑',
    declared: '模型声明',
    template: '来自模板',
    tasks: '模型的任务',
  },
}

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
  const finished = items.filter((item) => !isOpen(item)).length
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
            max={items.length}
            label={words.done}
            text={`${finished} / ${items.length}`}
          />
          <PlanList items={items} cursor={task.plan.cursor} />
        </>
      )}
      {/* Each run of a task that reopens has a plan of its own. */}
      {!traitsOf(task.mode).reopens && <EarlierItems items={items} />}
    </>
  )
}

function EarlierItems({ items }: { items: TaskView['plan']['items'] }) {
  const words = useWords(WORDS)
  const { events } = useTask()
  const earlier = useMemo(() => earlierItems(events, items), [events, items])
  if (earlier.length === 0) return null
  return (
    <details class="small">
      <summary class="soft">{words.earlier(earlier.length)}</summary>
      <ul class="plan-earlier">
        {earlier.map(({ id, title, status }) => (
          <li key={id}>
            {title} <StatusMark of={status} />
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

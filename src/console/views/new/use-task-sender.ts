/** Sends a new task or its dry run. Errors are shown when it is sent, not while it is typed. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { post } from '../../api/request.ts'
import type { DryRun, Problem, TaskView } from '../../api/wire.ts'
import { drafts } from '../../state/drafts.ts'
import { useAction } from '../../state/use-action.ts'
import type { TaskFieldErrors, TaskBody } from './task-draft.ts'

export function useTaskSender({ errors, body }: TaskBody, onCreate: (id: string) => void) {
  const [create, tryOut] = [useAction(), useAction()]
  const [shownErrors, setShownErrors] = useState<TaskFieldErrors>({})
  const [latest, setLatest] = useState<{ text: string; dryRun: DryRun } | null>(null)
  const problem = create.problem ?? tryOut.problem
  const form = useFocusOnError(problem, shownErrors)
  const request = post('/tasks', body)
  const text = JSON.stringify(body)
  const canSend = (found: TaskFieldErrors) => {
    create.clear()
    tryOut.clear()
    setShownErrors(found)
    return Object.keys(found).length === 0
  }
  return {
    form,
    request,
    problem,
    errors: shownErrors,
    // A dry run of an earlier draft is not shown.
    dryRun: latest?.text === text ? latest.dryRun : null,
    creating: create.busy,
    trying: tryOut.busy,
    forget: () => void canSend({}),
    async create() {
      if (!canSend(errors)) return
      const owner = drafts.owner()
      const answer = await create.run<TaskView>(request)
      // The view does not follow a task of a key that was forgotten meanwhile.
      if (answer?.ok === true && owner === drafts.owner()) onCreate(answer.value.id)
    },
    async tryOut() {
      if (!canSend(errors)) return
      const answer = await tryOut.run<DryRun>(post('/tasks/dry-run', body))
      setLatest(answer?.ok === true ? { text, dryRun: answer.value } : null)
    },
  }
}

/** Moves the focus to the first field with an error. */
function useFocusOnError(problem: Problem | null, errors: TaskFieldErrors) {
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    if (problem === null && Object.keys(errors).length === 0) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problem, errors])
  return form
}

/** Sends a new task, for good or as a dry run; errors are told when it is to be sent, not while it is being typed. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { post } from '../../api/request.ts'
import type { DryRun, Problem, TaskView } from '../../api/wire.ts'
import { drafts } from '../../state/drafts.ts'
import { useAction } from '../../state/use-action.ts'
import type { TaskFieldErrors, TaskBody } from './task-draft.ts'

export function useTaskSender({ errors, body }: TaskBody, onMade: (id: string) => void) {
  const [create, dry] = [useAction(), useAction()]
  const [told, tell] = useState<TaskFieldErrors>({})
  const [tried, plan] = useState<{ of: string; planned: DryRun } | null>(null)
  const problem = create.problem ?? dry.problem
  const form = useFocusOnError(problem, told)
  const request = post('/tasks', body)
  const text = JSON.stringify(body)
  const begins = (found: TaskFieldErrors) => {
    create.clear()
    dry.clear()
    tell(found)
    return Object.keys(found).length === 0
  }
  return {
    form,
    request,
    problem,
    errors: told,
    // Not of what has been changed since.
    planned: tried?.of === text ? tried.planned : null,
    creating: create.busy,
    trying: dry.busy,
    forget: () => void begins({}),
    async create() {
      if (!begins(errors)) return
      const owner = drafts.owner()
      const answer = await create.run<TaskView>(request)
      // Whose key has been forgotten since has left its task to itself.
      if (answer?.ok === true && owner === drafts.owner()) onMade(answer.value.id)
    },
    async dryRun() {
      if (!begins(errors)) return
      const answer = await dry.run<DryRun>(post('/tasks?dry_run=true', body))
      plan(answer?.ok === true ? { of: text, planned: answer.value } : null)
    },
  }
}

/** Whoever sent something that was refused is led to the first field with an error. */
function useFocusOnError(problem: Problem | null, errors: TaskFieldErrors) {
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    if (problem === null && Object.keys(errors).length === 0) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problem, errors])
  return form
}
